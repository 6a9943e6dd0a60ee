import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Observed lists that have identifiers which were replaced before they were listed.
@Suite("Observed lists with replaced identifiers")
struct ReplacedMembersTests {
    private let cache = FlatCache()
    private let list: CachedList<Counter>

    init() {
        list = cache.list("home", of: Counter.self)
    }

    @Test("An observer finds the entity with the new identifier, and follows it", arguments: [false, true])
    func written(isObservedBefore: Bool) {
        let states = Recorder<CachedListState<Counter>>()
        var subscription = isObservedBefore ? list.observe { states.record($0) } : CacheSubscription()
        cache.set(Counter(id: 1, count: 1))
        cache.replaceIdentifier(of: Counter.self, 1, with: Counter(id: 2, count: 2))
        list.append(ids: [1])
        if !isObservedBefore { subscription = list.observe { states.record($0) } }
        func observed() -> [Counter]? {
            let state = states.take().last
            #expect(state == list.state)
            return state?.values
        }
        #expect(observed() == [Counter(id: 2, count: 2)])
        cache.set(Counter(id: 2, count: 3))
        #expect(observed() == [Counter(id: 2, count: 3)])
        cache.remove(Counter.self, id: 2)
        #expect(observed() == [])
        cache.set(Counter(id: 2, count: 4))
        #expect(observed() == [Counter(id: 2, count: 4)])
        cache.replaceIdentifier(of: Counter.self, 2, with: Counter(id: 3, count: 5))
        #expect(observed() == [Counter(id: 3, count: 5)])
        cache.set(Counter(id: 3, count: 6))
        #expect(observed() == [Counter(id: 3, count: 6)])
        // The old identifier is used again.
        cache.set(Counter(id: 1, count: 7))
        #expect(observed() == [Counter(id: 1, count: 7)])
        cache.set(Counter(id: 3, count: 8))
        #expect(states.take().isEmpty)
        cache.remove(Counter.self, id: 1)
        #expect(observed() == [Counter(id: 3, count: 8)])
        list.remove(1)
        #expect(observed() == [])
        cache.set(Counter(id: 3, count: 9))
        #expect(states.take().isEmpty)
        subscription.cancel()
    }

    @Test("The states of a sequence have the entity with the new identifier")
    func sequence() async {
        cache.set(Counter(id: 1))
        cache.replaceIdentifier(of: Counter.self, 1, with: Counter(id: 2, count: 2))
        list.append(ids: [1])
        var updates = list.updates.makeAsyncIterator()
        #expect(await updates.next()?.values == [Counter(id: 2, count: 2)])
        cache.set(Counter(id: 2, count: 3))
        #expect(await updates.next()?.values == [Counter(id: 2, count: 3)])
    }

    @Test("An identifier can be listed again in the transaction that replaces it")
    func listedAgain() {
        list.append(Counter(id: 1))
        let states = Recorder<CachedListState<Counter>>()
        let subscription = list.observe(initial: false) { states.record($0) }
        cache.transaction {
            cache.replaceIdentifier(of: Counter.self, 1, with: Counter(id: 2, count: 2))
            list.replace(withIDs: [1])
        }
        #expect(states.take().last?.values == [Counter(id: 2, count: 2)])
        cache.set(Counter(id: 1, count: 3))
        #expect(states.take().last?.values == [Counter(id: 1, count: 3)])
        cache.remove(Counter.self, id: 1)
        #expect(states.take().last?.values == [Counter(id: 2, count: 2)])
        subscription.cancel()
    }

    @Test("An observer leaves nothing behind")
    func ends() {
        cache.replaceIdentifier(of: Counter.self, 1, with: Counter(id: 2))
        cache.remove(Counter.self, id: 2)
        list.append(ids: [1])
        list.observe { _ in }.cancel()
        list.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test(
        "After each commit the observed state is the one that is read",
        arguments: Seeds.first(20, full: 60, orAsIn: "FLATCACHE_LISTS")
    )
    func sequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let states = Recorder<CachedListState<Counter>>()
        let subscription = list.observe { states.record($0) }
        var last = states.take().last
        for step in 0..<150 {
            let count = random.below(3) == 0 ? random.below(5) : 1
            let stepSeed = random.next()
            cache.transaction {
                // The body may not use the generator, because it may run again.
                var random = SeededGenerator(seed: stepSeed, stream: step)
                for _ in 0..<count { write(&random) }
            }
            last = states.take().last ?? last
            let state = list.state
            #expect(last == state, "seed \(seed), step \(step)")
            if last != state { break }
        }
        subscription.cancel()
    }

    private func write(_ random: inout SeededGenerator) {
        let id = random.below(8)
        switch random.below(10) {
        case 0...1: cache.set(Counter(id: id, count: random.below(3)))
        case 2: cache.remove(Counter.self, id: id)
        case 3:
            let new = Counter(id: random.below(8), count: random.below(3))
            cache.replaceIdentifier(of: Counter.self, id, with: new)
        case 4...5: list.append(ids: [id])
        case 6: list.remove(id)
        case 7: list.replace(withIDs: (0..<random.below(8)).reversed())
        case 8: cache.update(Counter.self, id: id) { $0.count += 1 }
        default:
            switch random.below(6) {
            case 0: cache.removeAll(of: Counter.self)
            case 1: cache.removeAll()
            default: cache.set(contentsOf: (0..<3).map { Counter(id: $0 + id, count: random.below(3)) })
            }
        }
    }
}
