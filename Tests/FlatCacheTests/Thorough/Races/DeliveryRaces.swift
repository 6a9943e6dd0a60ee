#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Commits of several threads that meet on the way to one observer.
@Suite("Races of deliveries", .mayBlock)
struct DeliveryRaces {
    let cache = FlatCache()

    @Test("N2: If another thread has the turn, that thread notifies of the commit, after its own")
    func turnTaken() {
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        let first = StoppedThread(at: .taken) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        cache.set(Counter(id: 1, count: 2))
        cache.set(Counter(id: 1, count: 3))
        #expect(notified.elements == [nil])
        first.finish()
        #expect(notified.elements == [nil, 1, 3])
        subscription.cancel()
    }

    @Test("N2, N4: Commits that wait for the turn are folded into one change set, with their net change")
    func turnTakenForSeveralKeys() {
        let keys = (1...3).map { Counter.flatCacheKey(id: $0) }
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        let first = StoppedThread(at: .taken) { [cache] in cache.set(Counter(id: 1)) }
        cache.set(contentsOf: [Counter(id: 2), Counter(id: 3)])
        cache.remove(Counter.self, id: 2)
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.count == 0)
        first.finish()
        #expect(notified.elements.map(\.inserted) == [[keys[0]], [keys[2]]])
        #expect(notified.elements.map(\.updated) == [[], [keys[0]]])
        #expect(notified.elements.map(\.removed) == [[], []])
        subscription.cancel()
    }

    @Test("N2: A change set never has an older revision than the one before, although its commit was overtaken")
    func overtakenCommit() {
        let ids = cache.counterIDsInDifferentShards(2)
        let keys = ids.map { Counter.flatCacheKey(id: $0) }
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        // It has its number, and is overtaken by a commit of another key.
        let overtaken = StoppedThread(at: .drawn) { [cache] in cache.set(Counter(id: ids[0])) }
        cache.set(Counter(id: ids[1]))
        overtaken.finish()
        #expect(notified.elements.map(\.inserted) == [[keys[1]], [keys[0]]])
        #expect(zip(notified.elements, notified.elements.dropFirst()).allSatisfy { $0.revision <= $1.revision })
        subscription.cancel()
    }

    @Test("N4: An observer of several keys is notified of a commit once, although another commit overtakes it")
    func toldOnce() {
        let keys = (1...5).map { Counter.flatCacheKey(id: $0) }
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        let commit = StoppedThread(at: .committed) { [cache] in
            cache.set(contentsOf: (1...4).map { Counter(id: $0) })
        }
        cache.set(Counter(id: 5))
        commit.finish()
        // The other commit is notified with it, or afterwards.
        #expect([[Set(keys)], [Set(keys[..<4]), [keys[4]]]].contains(notified.elements.map(\.inserted)))
        subscription.cancel()
    }

    @Test("N1: A callback that waits for a writer doesn't keep that writer from its own commit")
    func callbackWaitsForWriter() {
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { [cache] change in
            notified.record(change.value?.count)
            guard change.value?.count == 1 else { return }
            RunningThread { cache.set(Counter(id: 1, count: 2)) }.finish()
            #expect(cache.get(Counter.self, id: 1)?.count == 2)
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements == [nil, 1, 2])
        subscription.cancel()
    }

    @Test("N2, N7: A consumer that fetches a value before it is signalled doesn't get it again")
    func fetchedBeforeSignal() async {
        var values = cache.updates(of: Counter.self, id: 1).makeAsyncIterator()
        var changes = cache.changes(of: [Counter.flatCacheKey(id: 1)], initial: false).makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        #expect(await values.next() == Counter(id: 1, count: 1))
        #expect(await changes.next()?.inserted == [Counter.flatCacheKey(id: 1)])
        commit.finish()
        cache.set(Counter(id: 1, count: 2))
        #expect(await values.next() == Counter(id: 1, count: 2))
        #expect(await changes.next()?.updated == [Counter.flatCacheKey(id: 1)])
    }

    @Test("H3: A cache that is released while a commit delivers stays until that is done", arguments: [false, true])
    func cacheReleased(isTaken: Bool) throws {
        let notified = Recorder<Int?>()
        let holder = Protected<FlatCache?>(FlatCache())
        let handle = try #require(holder.withLock { $0.map { Cached(Counter.self, id: 1, in: $0) } })
        let subscription = handle.observe(initial: false) { notified.record($0.value?.count) }
        let commit = StoppedThread(at: isTaken ? .taken : .committed) {
            holder.withLock { $0 }?.set(Counter(id: 1, count: 1))
        }
        holder.withLock { $0 = nil }
        #expect(handle.value?.count == 1)
        commit.finish()
        #expect(notified.elements == [1])
        #expect(handle.cache == nil)
        #expect(handle.value == nil)
        subscription.cancel()
    }

    @Test("H3: A cache that is released before the first call of an observer stays until that is made")
    func cacheReleasedBeforeFirstCall() throws {
        let notified = Recorder<Int?>()
        let holder = Protected<FlatCache?>(FlatCache())
        let handle = try #require(holder.withLock { $0.map { Cached(Counter.self, id: 1, in: $0) } })
        try handle.set(Counter(id: 1, count: 1))
        let observing = StoppedThread(at: .subscribed) {
            let subscription = holder.withLock { $0 }?.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
            subscription?.cancel()
        }
        holder.withLock { $0 = nil }
        observing.finish()
        #expect(notified.elements == [1])
        #expect(handle.cache == nil)
    }
}

extension FlatCache {
    /// Identifiers of counters that are in as many shards.
    func counterIDsInDifferentShards(_ count: Int) -> [Int] {
        var ids: [Int] = []
        var shards: Set<Int> = []
        var id = 0
        while ids.count < count {
            if shards.insert(HashedID(id).shard).inserted { ids.append(id) }
            id += 1
        }
        return ids
    }
}
#endif
