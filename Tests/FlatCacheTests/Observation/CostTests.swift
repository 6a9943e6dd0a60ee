import FlatCache
import Testing

/// What a commit costs, counted in hashes, comparisons and calls.
@Suite("Cost of notification")
struct CostTests {
    @Test("N6: A write hashes its identifier once, however many observers and handles other keys have")
    func observersOfOtherKeys() {
        let cache = FlatCache()
        let hashes = Protected(0)
        let called = Recorder<Int>()
        let entities = (0..<10_000).map { HashCounting($0, hashes) }
        let subscriptions = entities.dropFirst().map { entity in
            cache.observe(HashCounting.self, id: entity.id) { _ in called.record(1) }
        }
        let several = cache.observe(entities.dropFirst().map(\.flatCacheKey), initial: false) { _ in called.record(1) }
        _ = called.take()
        hashes.withLock { $0 = 0 }
        cache.set(entities[0])
        cache.set(contentsOf: [entities[0]])
        cache.remove(HashCounting.self, id: entities[0].id)
        #expect(hashes.withLock { $0 } == 3)
        #expect(called.count == 0)
        for subscription in subscriptions + [several] { subscription.cancel() }
    }

    @Test("N6: The cost of a commit for an observer of many keys is in the changed ones", arguments: [10, 10_000])
    func observerOfManyKeys(count: Int) {
        let cache = FlatCache()
        let hashes = Protected(0)
        let entities = (0..<count).map { HashCounting($0, hashes) }
        let notified = Recorder<Int>()
        let subscription = cache.observe(entities.map(\.flatCacheKey), initial: false) {
            notified.record($0.keys.count)
        }
        hashes.withLock { $0 = 0 }
        cache.set(entities[5])
        #expect(notified.elements == [1])
        // The same bound for ten keys as for ten thousand.
        #expect(hashes.withLock { $0 } <= 20)
        subscription.cancel()
    }

    @Test("N6: Old and new entity are compared once for all observers of their key, and not at all without")
    func comparisons() {
        let cache = FlatCache()
        let comparisons = Protected(0)
        cache.set(Comparing(id: 1, comparisons: comparisons))
        cache.set(Comparing(id: 1, comparisons: comparisons))
        #expect(comparisons.withLock { $0 } == 0)
        let subscriptions = (0..<100).map { _ in
            cache.observe(Comparing.self, id: 1) { #expect($0.kind == .initial) }
        }
        cache.set(Comparing(id: 1, comparisons: comparisons))
        #expect(comparisons.withLock { $0 } == 1)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N4, N6: A commit that changes all keys of several observers calls each of them once")
    func calls() {
        let cache = FlatCache()
        let keys = (0..<1_000).map { Counter.flatCacheKey(id: $0) }
        let called = Recorder<Int>()
        let subscriptions = (0..<10).map { number in cache.observe(keys, initial: false) { _ in called.record(number) }
        }
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0) })
        cache.transaction {
            for id in 0..<1_000 { cache.update(Counter.self, id: id) { $0.count += 1 } }
        }
        cache.removeAll()
        #expect(called.count == 30)
        for subscription in subscriptions { subscription.cancel() }
    }
}

/// An entity that counts how often it is compared with another.
private struct Comparing: Cachable, Equatable {
    let id: Int
    let comparisons: Protected<Int>

    static func == (lhs: Comparing, rhs: Comparing) -> Bool {
        lhs.comparisons.withLock { $0 += 1 }
        return lhs.id == rhs.id
    }
}
