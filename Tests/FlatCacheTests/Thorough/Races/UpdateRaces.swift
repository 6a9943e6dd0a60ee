#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Updates whose entities are removed, replaced and cleared while their bodies run, or while they commit.
@Suite("Races of updates", .mayBlock)
struct UpdateRaces {
    let cache = FlatCache()

    @Test("S1: An entity that is removed while the body runs isn't stored again", arguments: Removal.allCases)
    func removed(_ removal: Removal) {
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2)])
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        let result: Int? = cache.update(Counter.self, id: 1) { [cache] counter in
            RunningThread { removal.remove(from: cache) }.finish()
            counter.count += 1
            return counter.count
        }
        #expect(result == nil)
        #expect(!cache.contains(Counter.self, id: 1))
        #expect(notified.elements == [1, nil])
        subscription.cancel()
        cache.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test(
        "S1: An entity that is removed and stored again while the body runs is updated anew",
        arguments: Removal.allCases
    )
    func removedAndStored(_ removal: Removal) {
        cache.set(Counter(id: 1, count: 1))
        var seen: [Int] = []
        cache.update(Counter.self, id: 1) { [cache] counter in
            seen.append(counter.count)
            if seen.count < 3 {
                let count = 10 * seen.count
                RunningThread {
                    removal.remove(from: cache)
                    cache.set(Counter(id: 1, count: count))
                }.finish()
            }
            counter.count += 1
        }
        #expect(seen == [1, 10, 20])
        #expect(cache.get(Counter.self, id: 1)?.count == 21)
        #expect(cache.slotCount(of: Counter.self) == 1)
    }

    @Test("S1: An equal entity that was stored meanwhile makes the body run again too, for it may not be the same")
    func equalWrite() {
        cache.set(Counter(id: 1, count: 1))
        var runs = 0
        cache.update(Counter.self, id: 1) { [cache] counter in
            runs += 1
            if runs == 1 { RunningThread { cache.set(Counter(id: 1, count: 1)) }.finish() }
            counter.count += 1
        }
        #expect(runs == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("S1: An update that stores others, or moves its entity, runs again on what was stored meanwhile")
    func updateOfSeveral() {
        cache.set(Counter(id: 1))
        cache.set(Draft(id: 1, text: "old"))
        let counter = Cached(Counter.self, id: 1, in: cache)
        var runs = 0
        counter.update(storing: [Post(id: "1")]) { [cache] counter in
            runs += 1
            if runs == 1 { RunningThread { cache.update(Counter.self, id: 1) { $0.count += 10 } }.finish() }
            counter.count += 1
        }
        #expect(counter.value?.count == 11)
        #expect(cache.count(of: Post.self) == 1)
        cache.update(Draft.self, id: 1) { [cache] draft in
            runs += 1
            if runs == 3 { RunningThread { cache.set(Draft(id: 1, text: "new")) }.finish() }
            draft.id = 2
        }
        #expect(cache.allValues(of: Draft.self).map(\.text) == ["new"])
        #expect(runs == 4)
    }

    @Test("S1: Clearing that has begun to commit when the body returns comes before the update", arguments: [0, 1])
    func clearingBeforeUpdate(handles: Int) {
        cache.set(Counter(id: 1, count: 1))
        let kept = (0..<handles).map { _ in Cached(Counter.self, id: 1, in: cache) }
        let clearing = Protected<[RunningThread]>([])
        let result: Void? = cache.update(Counter.self, id: 1) { [cache] counter in
            let stopped = StoppedThread(at: .drawn) { cache.removeAll() }
            // The update waits for the locks of the other thread, or comes later still.
            clearing.withLock { $0.append(RunningThread { stopped.finish() }) }
            counter.count += 1
        }
        #expect(result == nil)
        #expect(cache.count == 0)
        clearing.withLock { $0.forEach { $0.finish() } }
        #expect(cache.slotCount(of: Counter.self) == handles)
        withExtendedLifetime(kept) {}
    }

    @Test("S1: Clearing that waits for an update to commit removes what that has stored")
    func clearingAfterUpdate() {
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2)])
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        let update = StoppedThread(at: .drawn) { [cache] in
            #expect(cache.update(Counter.self, id: 1) { $0.count += 1 } != nil)
        }
        let clearing = RunningThread { [cache] in cache.removeAll() }
        update.finish()
        clearing.finish()
        #expect(cache.count == 0)
        // Notified of both, or of both in one.
        #expect(notified.elements == [1, 2, nil] || notified.elements == [1, nil])
        subscription.cancel()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("S1: An entity that is stored while all are removed stays, and notifies after the removal")
    func storedDuringClearing() {
        cache.set(contentsOf: (0..<50).map { Counter(id: $0, count: 1) })
        let notified = Recorder<EntityChange<Counter>>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0) }
        let clearing = StoppedThread(at: .drawn) { [cache] in cache.removeAll() }
        let writer = RunningThread { [cache] in cache.set(Counter(id: 1, count: 2)) }
        clearing.finish()
        writer.finish()
        #expect(cache.allValues(of: Counter.self) == [Counter(id: 1, count: 2)])
        #expect(notified.elements.last?.value?.count == 2)
        #expect(zip(notified.elements, notified.elements.dropFirst()).allSatisfy { $0.revision < $1.revision })
        subscription.cancel()
    }

    @Test("S1: A body that throws after its entity was removed leaves no slot")
    func throwing() {
        struct Failure: Error {}
        cache.set(Counter(id: 1))
        #expect(throws: Failure.self) {
            try cache.update(Counter.self, id: 1) { [cache] _ in
                RunningThread { cache.removeAll() }.finish()
                throw Failure()
            }
        }
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("S1: An entity that moves to another identifier replaces what was stored there meanwhile")
    func movedOntoNewEntity() {
        cache.set(Draft(id: 1, text: "moved"))
        var runs = 0
        cache.update(Draft.self, id: 1) { [cache] draft in
            runs += 1
            RunningThread { cache.set(Draft(id: 2, text: "stored meanwhile")) }.finish()
            draft.id = 2
        }
        #expect(runs == 1)
        #expect(cache.allValues(of: Draft.self).map(\.text) == ["moved"])
        #expect(cache.slotCount(of: Draft.self) == 1)
    }

    @Test("S1: An increment that was overtaken by one that has not notified its observers yet counts on from it")
    func overtaken() {
        cache.set(Counter(id: 1))
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        let commits = Protected<[StoppedThread]>([])
        var runs = 0
        cache.update(Counter.self, id: 1) { [cache] counter in
            runs += 1
            if runs == 1 {
                let commit = StoppedThread(at: .committed) { cache.update(Counter.self, id: 1) { $0.count += 1 } }
                commits.withLock { $0.append(commit) }
            }
            counter.count += 1
        }
        commits.withLock { $0.forEach { $0.finish() } }
        #expect(runs == 2)
        #expect([[0, 2], [0, 1, 2]].contains(notified.elements))
        subscription.cancel()
    }

    /// How the entity goes.
    enum Removal: CaseIterable {
        case one, type, everything, transaction, handle

        func remove(from cache: FlatCache) {
            switch self {
            case .one: cache.remove(Counter.self, id: 1)
            case .type: cache.removeAll(of: Counter.self)
            case .everything: cache.removeAll()
            case .transaction: cache.transaction { cache.removeAll() }
            case .handle: Cached(Counter.self, id: 1, in: cache).remove()
            }
        }
    }
}
#endif
