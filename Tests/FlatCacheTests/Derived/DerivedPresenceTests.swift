import Observation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Reads that depend on which entities are stored, and not on their contents.
@Suite("Observers of counts and presence", .mayBlock)
struct DerivedPresenceTests {
    let cache = FlatCache()
    private let runs = Recorder<Int>()

    /// Not `Equatable`, so that each run is a call.
    private struct Answer: Sendable {}

    private func observe(_ read: @escaping @Sendable (FlatCache) -> Void) -> CacheSubscription {
        cache.observe { [cache, runs] in
            runs.record(1)
            read(cache)
            return Answer()
        } onChange: { _ in
        }
    }

    /// The number of runs since the last question.
    private var newRuns: Int { runs.take().count }

    @Test("A closure that reads only a count or presence doesn't run at updates", arguments: [1, 40, 5_000])
    func updates(count: Int) {
        cache.set(contentsOf: (0..<count).map { Counter(id: $0) })
        let subscriptions = [
            observe { _ = $0.count(of: Counter.self) },
            observe { _ = $0.contains(Counter.self, id: 0) },
            observe { _ = $0.missingIDs(of: Counter.self, among: 0..<3) },
        ]
        #expect(newRuns == 3)
        cache.set(Counter(id: 0, count: 1))
        cache.update(Counter.self, id: 0) { $0.count = 2 }
        cache.set(contentsOf: (0..<count).map { Counter(id: $0, count: 3) })
        cache.transaction {
            for id in 0..<count { cache.set(Counter(id: id, count: 4)) }
        }
        #expect(newRuns == 0)
        cache.set(Counter(id: -1))
        #expect(newRuns == 1)
        cache.remove(Counter.self, id: 0)
        #expect(newRuns == 3)
        cache.removeAll(of: Counter.self)
        // The entity with identifier 0 is missing already.
        #expect(newRuns == (count > 1 ? 2 : 1))
        for subscription in subscriptions { subscription.cancel() }
        cache.set(Counter(id: 0))
        #expect(newRuns == 0)
    }

    @Test("A closure that reads presence and contents runs at updates, in each order", arguments: [false, true])
    func both(isPresenceFirst: Bool) {
        cache.set(Counter(id: 1))
        let subscription = observe { cache in
            if isPresenceFirst { _ = cache.contains(Counter.self, id: 1) }
            _ = cache.get(Counter.self, id: 1)
            if !isPresenceFirst { _ = cache.contains(Counter.self, id: 1) }
        }
        #expect(newRuns == 1)
        cache.set(Counter(id: 1, count: 1))
        #expect(newRuns == 1)
        cache.remove(Counter.self, id: 1)
        #expect(newRuns == 1)
        subscription.cancel()
    }

    @Test("A commit between the state that a run reads and its first read counts only if it changes presence")
    func beforeReading() {
        cache.set(Counter(id: 1))
        let subscription = observe { [runs] cache in
            if runs.count == 1 { onThreads(1) { _ in cache.set(Counter(id: 1, count: 1)) } }
            _ = cache.contains(Counter.self, id: 1)
        }
        #expect(newRuns == 1)
        subscription.cancel()
        let second = observe { [runs] cache in
            if runs.count == 1 { onThreads(1) { _ in _ = cache.remove(Counter.self, id: 1) } }
            _ = cache.contains(Counter.self, id: 1)
        }
        #expect(newRuns == 2)
        second.cancel()
    }

    @Test("A tracked count isn't notified of updates")
    func tracked() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let notified = Recorder<String>()
        func track() {
            withObservationTracking {
                _ = cache.tracked { $0.count(of: Counter.self) }
            } onChange: {
                notified.record("count")
            }
            withObservationTracking {
                _ = cache.tracked { $0.allValues(of: Counter.self) }
            } onChange: {
                notified.record("values")
            }
        }
        track()
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.take() == ["values"])
        cache.remove(Counter.self, id: 2)
        #expect(notified.take() == ["count"])
        track()
        cache.removeAll()
        #expect(notified.take().sorted() == ["count", "values"])
    }

    @Test(
        "Random reads run exactly when their answers can differ",
        arguments: Seeds.first(20, full: 60, orAsIn: "FLATCACHE_PRESENCE")
    )
    func sequences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        let kinds = (0..<5).map { _ in random.below(3) }
        let readsCount = random.below(3) == 0
        let runs = Recorder<Int>()
        let subscription = cache.observe {
            runs.record(1)
            if readsCount { _ = cache.count(of: Counter.self) }
            for (id, kind) in kinds.enumerated() {
                if kind == 1 { _ = cache.contains(Counter.self, id: id) }
                if kind == 2 { _ = cache.get(Counter.self, id: id) }
            }
            return Answer()
        } onChange: { _ in
        }
        _ = runs.take()
        var stored: [Int: Int] = [:]
        for step in 0..<60 {
            let before = stored
            let count = 1 + random.below(3)
            let changes = (0..<count).map { _ in (id: random.below(6), count: random.below(4) - 1) }
            for (id, count) in changes { stored[id] = count < 0 ? nil : count }
            cache.transaction {
                for (id, count) in changes {
                    if count < 0 {
                        cache.remove(Counter.self, id: id)
                    } else {
                        cache.set(Counter(id: id, count: count))
                    }
                }
            }
            let isRelevant =
                readsCount && Set(before.keys) != Set(stored.keys)
                || kinds.enumerated().contains { id, kind in
                    kind == 1 && (before[id] == nil) != (stored[id] == nil) || kind == 2 && before[id] != stored[id]
                }
            try #require(runs.take().count == (isRelevant ? 1 : 0), "seed \(seed), step \(step)")
        }
        subscription.cancel()
    }
}
