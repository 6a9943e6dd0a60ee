#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Sequences of derived values that are cancelled, abandoned or overtaken while their closure runs or they wait.
@Suite("Races of derived sequences", .ends, .mayBlock)
struct DerivedSequenceRaces {
    let cache = FlatCache()
    private let intruder = RunIntruder()
    /// The moments of a run, which is all of what an iterator does that other threads can meet.
    private static let moments: [RunMoment] = [.begun, .half, .read, .compared]

    private func makeIterator() -> CacheUpdates<RunResult>.AsyncIterator {
        cache.updates { [unowned cache, intruder] in intruder.readCounters(of: cache) }.makeAsyncIterator()
    }

    @Test("N3: A commit at any moment of the first run gives the next value", arguments: moments, [1, 2])
    func firstRun(_ moment: RunMoment, id: Int) async {
        guard moment != .compared else { return }
        cache.set(Counter(id: id, count: 1))
        intruder.intrude(at: moment) { [cache] in cache.set(Counter(id: id, count: 2)) }
        var iterator = makeIterator()
        #expect(await iterator.next()?.counts[id - 1] == 1)
        #expect(await iterator.next()?.counts[id - 1] == 2)
        #expect(intruder.isDone)
    }

    @Test("N2, N3: A commit at any moment of a later run gives the next value", arguments: moments, [1, 2])
    func laterRun(_ moment: RunMoment, id: Int) async {
        var iterator = makeIterator()
        #expect(await iterator.next()?.counts == [nil, nil])
        intruder.intrude(at: moment) { [cache] in
            cache.set(Counter(id: id, count: 19))
            cache.set(Counter(id: id, count: 20))
        }
        cache.set(Counter(id: 1, count: 10))
        #expect(await iterator.next()?.counts == [10, nil])
        #expect(await iterator.next()?.counts == (id == 1 ? [20, nil] : [10, 20]))
        #expect(intruder.runs.withLock { $0 } == 3)
    }

    @Test(
        "N7: A task that is cancelled at any moment ends its sequence, and nothing is left",
        arguments: moments,
        [1, 2]
    )
    func cancelledTask(_ moment: RunMoment, run: Int) async {
        if run == 1 && moment == .compared { return }
        let values = cache.updates { [unowned cache, intruder] in intruder.readCounters(of: cache) }
        let hasFirst = AsyncStream.makeStream(of: Void.self)
        let task = Protected<Task<Int, Never>?>(nil)
        let cancel: @Sendable () -> Void = { task.withLock { $0 }?.cancel() }
        if run == 1 { intruder.doItself(at: moment, cancel) }
        task.withLock { task in
            task = Task {
                var count = 0
                for await _ in values {
                    count += 1
                    hasFirst.continuation.yield()
                }
                hasFirst.continuation.finish()
                return count
            }
        }
        if run == 2 {
            for await _ in hasFirst.stream { break }
            intruder.doItself(at: moment, cancel)
            cache.set(Counter(id: 1, count: 1))
        }
        guard let running = task.withLock({ $0 }) else { return }
        #expect(await running.value <= run)
        cache.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("N7: An iterator that is cancelled around the time at which it begins to wait ends")
    func cancelledWhileWaiting() async {
        cache.set(Counter(id: 1))
        for _ in 0..<300 {
            let values = cache.updates { [cache] in cache.get(Counter.self, id: 1)?.count }
            let hasFirst = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in values { hasFirst.continuation.yield() }
            }
            for await _ in hasFirst.stream { break }
            task.cancel()
            await task.value
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N7: A sequence ends when its cache goes around the time at which it begins to wait")
    func cacheReleasedWhileWaiting() async {
        for _ in 0..<300 {
            let holder = Protected<FlatCache?>(FlatCache())
            guard let handle = holder.withLock({ $0 }).map({ Cached(Counter.self, id: 1, in: $0) }),
                let values = holder.withLock({ $0 })?.updates({ handle.count })
            else { return }
            let hasFirst = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in values { hasFirst.continuation.yield() }
            }
            for await _ in hasFirst.stream { break }
            holder.withLock { $0 = nil }
            await task.value
            #expect(handle.cache == nil)
        }
    }

    @Test(
        "H3: A cache that is released during a run stays until that has ended; then the sequence ends",
        arguments: moments
    )
    func cacheReleasedDuringRun(_ moment: RunMoment) async throws {
        let holder = Protected<FlatCache?>(FlatCache())
        let handles = try #require(
            holder.withLock { cache in cache.map { cache in [1, 2].map { Cached(Counter.self, id: $0, in: cache) } } }
        )
        let values = holder.withLock { $0 }?.updates { [intruder] in
            intruder.reach(.begun)
            let first = handles[0].count
            intruder.reach(.half)
            let second = handles[1].count
            intruder.reach(.read)
            return [first, second]
        }
        var iterator = try #require(values).makeAsyncIterator()
        #expect(await iterator.next() == [nil, nil])
        try handles[0].set(Counter(id: 1, count: 1))
        // An array is compared without a hook: then the cache goes after the run.
        intruder.intrude(at: moment) { holder.withLock { $0 = nil } }
        #expect(await iterator.next() == [1, nil])
        holder.withLock { $0 = nil }
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
    }

    @Test("N7: An iterator that is abandoned with news waiting leaves nothing", arguments: 0...3)
    func abandoned(values: Int) async {
        do {
            var iterator = makeIterator()
            for count in 0..<values {
                cache.set(Counter(id: 1, count: count))
                _ = await iterator.next()
            }
            cache.set(Counter(id: 1, count: 100))
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        cache.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("N2, N3: However many threads write, a sequence gives newer and newer values up to the last")
    func racing() async {
        let cache = cache
        let values = cache.updates { [1, 2].map { cache.get(Counter.self, id: $0)?.count ?? 0 } }
        let reader = Task {
            var notified: [[Int]] = []
            for await value in values {
                notified.append(value)
                if value == [2_000, 2_000] { break }
            }
            return notified
        }
        onThreads(2) { _ in
            for _ in 0..<1_000 {
                cache.transaction {
                    for id in 1...2 {
                        cache.set(Counter(id: id, count: (cache.get(Counter.self, id: id)?.count ?? 0) + 1))
                    }
                }
            }
        }
        let notified = await reader.value
        #expect(notified.allSatisfy { $0[0] == $0[1] })
        #expect(zip(notified, notified.dropFirst()).allSatisfy { $0[0] < $1[0] })
    }
}
#endif
