#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Transactions whose bodies have ended while other threads commit.
@Suite("Races of transactions", .mayBlock)
struct TransactionRaces {
    let cache = FlatCache()

    struct Failure: Error {}

    @Test("S2: A commit between the end of the body and its commit makes the body run again, if it read the key")
    func commitBeforeLocks() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        #expect(runs(while: .changed(1)) { $0.update(Counter.self, id: 1) { $0.count += 1 } } == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 101)
        #expect(runs(while: .changed(1)) { $0.update(Counter.self, id: 2) { $0.count += 1 } } == 1)
        #expect(runs(while: .changed(1)) { $0.set(Counter(id: 1, count: 5)) } == 1)
        #expect(cache.get(Counter.self, id: 1)?.count == 5)
        #expect(runs(while: .removed(1)) { $0.remove(Counter.self, id: 1) } == 2)
        #expect(runs(while: .changed(1)) { $0.set(Counter(id: 2, count: $0.count(of: Counter.self))) } == 2)
        #expect(cache.get(Counter.self, id: 2)?.count == 2)
        let noted = runs(while: .removed(1)) { cache in
            cache.set(Counter(id: 2, count: cache.contains(Counter.self, id: 1) ? 1 : 0))
        }
        #expect(noted == 2)
        #expect(cache.get(Counter.self, id: 2)?.count == 0)
    }

    @Test("S2: A transaction runs again when an entity that it has read is removed", arguments: NewUse.allCases)
    func removedBeforeLocks(_ use: NewUse) {
        cache.set(Counter(id: 1, count: 1))
        let uses = Recorder<any Sendable>()
        let remove: @Sendable () -> Void = { [cache] in
            cache.remove(Counter.self, id: 1)
            uses.record(use.begin(cache))
        }
        stopping(at: .ended, while: remove) {
            cache.transaction {
                if let counter = cache.get(Counter.self, id: 1) { cache.set(Post(id: "1", likes: counter.count)) }
            }
        }
        #expect(!cache.contains(Post.self, id: "1"))
        _ = uses.take()
    }

    @Test("S2: Two transactions that each read what the other writes do not both commit what they read first")
    func writeSkew() {
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 1)])
        let first = StoppedThread(at: .ended) { [cache] in Self.leaveIfAnotherStays(1, cache) }
        Self.leaveIfAnotherStays(2, cache)
        first.finish()
        #expect(cache.get(Counter.self, ids: [1, 2]).map(\.count) == [1, 0])
    }

    /// At least one of two counters must stay at 1.
    private static func leaveIfAnotherStays(_ id: Int, _ cache: FlatCache) {
        cache.transaction {
            guard cache.get(Counter.self, id: 3 - id)?.count == 1 else { return }
            cache.set(Counter(id: id, count: 0))
        }
    }

    @Test("S2: A conflict in a nested transaction makes the whole of the outer one run again")
    func nestedConflict() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let notified = Recorder<ChangeSet>()
        let keys = [1, 2, 3].map { Counter.flatCacheKey(id: $0) }
        let subscription = cache.observe(keys[1...], initial: false) { notified.record($0) }
        let outer = runs(while: .changed(1)) { cache in
            cache.update(Counter.self, id: 2) { $0.count += 1 }
            cache.transaction { cache.set(Counter(id: 3, count: cache.get(Counter.self, id: 1)?.count ?? 0)) }
        }
        #expect(outer == 2)
        #expect(cache.get(Counter.self, ids: [1, 2, 3]).map(\.count) == [100, 1, 100])
        #expect(notified.elements.map(\.keys) == [Set(keys[1...])])
        subscription.cancel()
    }

    @Test("S2: A nested transaction that was undone still counts as read when another thread commits")
    func undoneConflict() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let outer = runs(while: .changed(1)) { cache in
            do {
                try cache.transaction {
                    cache.update(Counter.self, id: 1) { $0.count += 1 }
                    if cache.get(Counter.self, id: 1)?.count == 1 { throw Failure() }
                }
            } catch {
                cache.update(Counter.self, id: 2) { $0.count -= 1 }
            }
        }
        #expect(outer == 2)
        #expect(cache.get(Counter.self, ids: [1, 2]).map(\.count) == [101, 0])
    }

    @Test("S2: A commit that another thread makes inside of a nested body is not seen there, and not lost")
    func commitInsideNestedBody() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        var seen: [Int?] = []
        cache.transaction {
            cache.transaction {
                if seen.isEmpty {
                    RunningThread { [cache] in cache.update(Counter.self, id: 1) { $0.count += 10 } }.finish()
                }
                seen.append(cache.get(Counter.self, id: 1)?.count)
                cache.update(Counter.self, id: 1) { $0.count += 1 }
            }
        }
        #expect(seen == [0, 10])
        #expect(cache.get(Counter.self, id: 1)?.count == 11)
    }

    @Test("S2: Observers are notified of a transaction as a whole, though another commit overtakes it")
    func deliveredByAnother() {
        let keys = [Counter.flatCacheKey(id: 1), Post.flatCacheKey(id: "1")]
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        let transaction = StoppedThread(at: .committed) { [cache] in
            cache.transaction {
                cache.set(Counter(id: 1))
                cache.set(Post(id: "1"))
            }
        }
        cache.set(Counter(id: 1, count: 1))
        transaction.finish()
        #expect(notified.elements.first?.inserted == Set(keys))
        // The other commit is notified with it, or afterwards.
        #expect(notified.elements.dropFirst().allSatisfy { $0.updated == [keys[0]] && $0.keys.count == 1 })
        #expect(notified.count <= 2)
        subscription.cancel()
    }

    @Test("S2: A transaction that clears everything keeps others off the types that came after it began, too")
    func clearsNewTypes() {
        cache.set(Post(id: "1"))
        let wasLocked = Recorder<Bool>()
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            switch point {
            // The other thread is the first to use the type in this cache.
            case .ended: RunningThread { cache.set(Counter(id: 1)) }.finish()
            case .drawn: wasLocked.record(cache.isGated(Counter.self))
            default: break
            }
        }
        SyncPoint.$handler.withValue(handler) { cache.transaction { cache.removeAll() } }
        #expect(cache.count == 0)
        #expect(wasLocked.elements == [true])
    }

    @Test("S2: Clearing that a nested transaction has undone leaves what another thread stores of a new type")
    func undoneClearing() {
        cache.set(Post(id: "1"))
        let insert: @Sendable () -> Void = { [cache] in cache.set(Counter(id: 1)) }
        stopping(at: .ended, while: insert) {
            cache.transaction {
                try? cache.transaction {
                    cache.removeAll()
                    _ = cache.get(Counter.self, id: 2)
                    throw Failure()
                }
                cache.set(Post(id: "2"))
            }
        }
        #expect(cache.count(of: Post.self) == 2)
        #expect(cache.contains(Counter.self, id: 1))
    }

    @Test("H3: A cache that is released while a transaction is about to commit stays until that is done")
    func cacheReleased() {
        let holder = Protected<FlatCache?>(FlatCache())
        let notified = Recorder<Int?>()
        let subscription = holder.withLock { $0?.observe(Counter.self, id: 1) { notified.record($0.value?.count) } }
        let transaction = StoppedThread(at: .ended) {
            let cache = holder.withLock { $0 }
            cache?.transaction { cache?.set(Counter(id: 1, count: 1)) }
        }
        holder.withLock { $0 = nil }
        transaction.finish()
        #expect(notified.elements == [nil, 1])
        subscription?.cancel()
    }

    /// What another thread does to a counter.
    enum Commit {
        case changed(Int)
        case removed(Int)
    }

    /// Runs a transaction, and lets another thread commit when the body has ended for the first time.
    private func runs(while commit: Commit, _ body: (FlatCache) -> Void) -> Int {
        let action: @Sendable () -> Void = { [cache] in
            switch commit {
            case .changed(let id): cache.set(Counter(id: id, count: 100))
            case .removed(let id): cache.remove(Counter.self, id: id)
            }
        }
        var runs = 0
        stopping(at: .ended, while: action) {
            cache.transaction {
                runs += 1
                body(cache)
            }
        }
        return runs
    }

    typealias NewUse = SnapshotRaces.NewUse
}
#endif
