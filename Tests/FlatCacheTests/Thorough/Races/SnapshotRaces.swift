#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Snapshots that are opened while commits are being made.
@Suite("Races of reads", .mayBlock)
struct SnapshotRaces {
    let cache = FlatCache()

    @Test("S3: A read that begins while a commit has its number sees all of that commit", arguments: Write.allCases)
    func openedAfterNumber(_ write: Write) {
        cache.set(contentsOf: (0..<50).map { Counter(id: $0) })
        cache.set(Post(id: "1"))
        let commit = StoppedThread(at: .drawn) { [cache] in write.commit(to: cache) }
        let hasBegun = Gate("a read has begun")
        let seen = Recorder<State>()
        let reader = RunningThread { [cache] in
            cache.read {
                hasBegun.open()
                seen.record(State(of: cache))
            }
        }
        hasBegun.wait()
        commit.finish()
        reader.finish()
        #expect(seen.elements == [State(of: cache)])
    }

    @Test("S3: A read that began before a commit sees nothing of it, though it reads on while that is being made")
    func openedBeforeNumber() {
        let ids = cache.counterIDsInDifferentShards(3)
        cache.set(contentsOf: ids.map { Counter(id: $0) })
        cache.read {
            #expect(cache.get(Counter.self, id: ids[0])?.count == 0)
            let commit = StoppedThread(at: .drawn) { [cache] in
                cache.set(contentsOf: ids[0...1].map { Counter(id: $0, count: 1) })
            }
            #expect(cache.get(Counter.self, id: ids[2])?.count == 0)
            commit.finish()
            #expect(ids.map { cache.get(Counter.self, id: $0)?.count } == [0, 0, 0])
            #expect(cache.allValues(of: Counter.self).allSatisfy { $0.count == 0 })
        }
        #expect(ids.map { cache.get(Counter.self, id: $0)?.count } == [1, 1, 0])
    }

    @Test("S3: A read that begins between two commits' numbers sees the one that is slow, too")
    func slowCommit() {
        let ids = cache.counterIDsInDifferentShards(2)
        cache.set(contentsOf: ids.map { Counter(id: $0) })
        let slow = StoppedThread(at: .drawn) { [cache] in cache.set(Counter(id: ids[0], count: 1)) }
        cache.set(Counter(id: ids[1], count: 1))
        let hasRead = Gate("a read has seen the quick commit")
        let seen = Recorder<Int?>()
        let reader = RunningThread { [cache] in
            cache.read {
                seen.record(cache.get(Counter.self, id: ids[1])?.count)
                hasRead.open()
                seen.record(cache.get(Counter.self, id: ids[0])?.count)
            }
        }
        hasRead.wait()
        cache.set(Counter(id: ids[1], count: 2))
        slow.finish()
        reader.finish()
        #expect(seen.elements == [1, 1])
    }

    @Test("S3: A read goes on seeing what was removed, whoever needs the empty slot now", arguments: NewUse.allCases)
    func emptySlot(_ use: NewUse) {
        cache.set(Counter(id: 1, count: 1))
        let uses = Recorder<any Sendable>()
        cache.read {
            RunningThread { [cache] in
                cache.remove(Counter.self, id: 1)
                uses.record(use.begin(cache))
            }.finish()
            #expect(cache.get(Counter.self, id: 1)?.count == 1)
            #expect(cache.contains(Counter.self, id: 1))
            #expect(cache.allValues(of: Counter.self) == [Counter(id: 1, count: 1)])
        }
        _ = uses.take()
    }

    @Test("S3: A handle reads in a read what was removed, although another handle has come and gone")
    func handles() {
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        cache.read {
            RunningThread { [cache] in
                Cached(Counter.self, id: 1, in: cache).remove()
                cache.set(Counter(id: 1, count: 2))
                cache.removeAll()
            }.finish()
            #expect(handle.value?.count == 1)
        }
        #expect(handle.value == nil)
    }

    @Test("S3: A cache that is released while a thread reads it stays until the read has ended")
    func cacheReleased() {
        let holder = Protected<FlatCache?>(FlatCache())
        let alive = Protected(0)
        holder.withLock { $0?.set(contentsOf: [Counted(1, alive), Counted(2, alive)]) }
        let isReading = Gate("a thread reads")
        let mayEnd = Gate("the cache is released")
        let reader = RunningThread {
            let cache = holder.withLock { $0 }
            let count = cache?.read {
                cache?.remove(Counted.self, id: 1)
                isReading.open()
                mayEnd.wait()
                return cache?.count(of: Counted.self)
            }
            #expect(count == 2)
        }
        isReading.wait()
        holder.withLock { $0 = nil }
        mayEnd.open()
        reader.finish()
        #expect(alive.withLock { $0 } == 0)
    }

    @Test("S3: A read sees all of a batch or none, while batches and removals of all entities follow each other")
    func followingBatches() {
        let ids = 0..<50
        let isDone = Protected(false)
        let seen = Recorder<Int>()
        let reader = RunningThread { [cache] in
            while !isDone.withLock({ $0 }) {
                seen.record(cache.read { ids.reduce(0) { $0 + (cache.get(Counter.self, id: $1) == nil ? 0 : 1) } })
            }
        }
        for _ in 0..<5_000 {
            cache.set(contentsOf: ids.map { Counter(id: $0) })
            cache.removeAll(of: Counter.self)
        }
        isDone.withLock { $0 = true }
        reader.finish()
        #expect(Set(seen.elements).isSubset(of: [0, ids.count]))
    }

    @Test(
        "An entity isn't read any more when its removal with all others is visible and ends during a comparison",
        arguments: [false, true]
    )
    func comparedMeanwhile(isInRead: Bool) {
        cache.set(contentsOf: [1, 2].map { Slow(id: SlowID(number: $0)) })
        let hasBegun = Gate("the removal is visible")
        let mayGoOn = Gate("an identifier is compared")
        let isDone = Gate("the removal is made")
        let mayEnd = Gate("the entity is read")
        let removal = RunningThread { [cache] in
            SyncPoint.$handler.withValue({ point in
                if point == .piece {
                    hasBegun.open()
                    mayGoOn.wait()
                } else if point == .committed {
                    isDone.open()
                    mayEnd.wait()
                }
            }) {
                cache.removeAll(of: Slow.self)
            }
        }
        hasBegun.wait()
        func get() -> Slow? {
            let compare: @Sendable () -> Void = {
                mayGoOn.open()
                isDone.wait()
            }
            return SlowID.$comparing.withValue(compare) { cache.get(Slow.self, id: SlowID(number: 2)) }
        }
        #expect((isInRead ? cache.read { get() } : get()) == nil)
        mayEnd.open()
        removal.finish()
    }

    /// An entity with an identifier whose comparison does something else.
    private struct Slow: Cachable {
        let id: SlowID
    }

    private struct SlowID: Hashable {
        let number: Int

        @TaskLocal static var comparing: @Sendable () -> Void = {}

        static func == (lhs: SlowID, rhs: SlowID) -> Bool {
            comparing()
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) {}
    }

    /// Different ways to change several keys in one commit.
    enum Write: CaseIterable {
        case many, all, transaction, update

        func commit(to cache: FlatCache) {
            switch self {
            case .many: cache.set(contentsOf: (0..<60).map { Counter(id: $0, count: 1) })
            case .all: cache.removeAll()
            case .transaction:
                cache.transaction {
                    cache.removeAll(of: Counter.self)
                    cache.set(contentsOf: (20..<60).map { Counter(id: $0, count: 1) })
                    cache.set(Post(id: "1", likes: 1))
                }
            case .update:
                Cached(Post.self, id: "1", in: cache).update(storing: (0..<60).map { Counter(id: $0, count: 1) }) {
                    $0.likes += 1
                }
            }
        }
    }

    /// What a read sees, one key after the other and all at once.
    struct State: Equatable {
        var post: Post?
        var counters: [Int?]
        var all: [Int: Int]
        var count: Int

        init(of cache: FlatCache) {
            post = cache.get(Post.self, id: "1")
            counters = (0..<60).map { cache.get(Counter.self, id: $0)?.count }
            all = Dictionary(uniqueKeysWithValues: cache.allValues(of: Counter.self).map { ($0.id, $0.count) })
            count = cache.count
        }
    }

    /// Why a key without an entity has a slot.
    enum NewUse: CaseIterable {
        case nothing, handle, observer, severalKeys

        func begin(_ cache: FlatCache) -> any Sendable {
            switch self {
            case .nothing: true
            case .handle: Cached(Counter.self, id: 1, in: cache)
            case .observer: cache.observe(Counter.self, id: 1) { _ in }
            case .severalKeys: cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { _ in }
            }
        }
    }
}
#endif
