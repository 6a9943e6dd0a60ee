import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Observed lists", .mayBlock)
struct LiveListTests {
    private let cache = FlatCache()

    @Test(
        "After each commit the observed state is the one that is read, and no commit without a change notifies",
        arguments: Seeds.first(20, full: 60, orAsIn: "FLATCACHE_LISTS")
    )
    func sequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let list = cache.list("home", of: Counter.self, dropsRemoved: seed % 3 == 0)
        for _ in 0..<random.below(20) { Self.write(list, cache, &random) }
        let states = Recorder<CachedListState<Counter>>()
        let subscription = list.observe { states.record($0) }
        let derived = Recorder<CachedListState<Counter>>()
        let other = cache.observe {
            list.state
        } onChange: {
            derived.record($0)
        }
        let stream = AsyncStream.makeStream(of: Void.self)
        let live = LiveList<Counter>(of: "home", in: cache, .signal(stream.continuation))
        let polled = live.begin(in: cache)
        var lastPolled = live.takeAnswer()
        var history: [(state: CachedListState<Counter>, values: [Counter])] = []
        for step in 0..<60 {
            let count = random.below(3) == 0 ? random.below(10) : 1
            let stepSeed = random.next()
            cache.transaction {
                // The body may not use the generator, because it may run again.
                var random = SeededGenerator(seed: stepSeed, stream: step)
                for _ in 0..<count { Self.write(list, cache, &random) }
            }
            let comment: Comment = "seed \(seed), step \(step)"
            let (new, expected) = (states.take(), derived.take())
            #expect(new.map(\.ids) == expected.map(\.ids), comment)
            #expect(new.map(\.values) == expected.map(\.values), comment)
            #expect(new.map(\.missingIDs) == expected.map(\.missingIDs), comment)
            history += new.map { ($0, $0.values) }
            if random.below(3) == 0 {
                if let state = live.takeAnswer() { lastPolled = state }
                #expect(lastPolled == list.state, comment)
            }
        }
        for (state, values) in history { #expect(state.values == values) }
        for subscription in [subscription, other, polled] { subscription.cancel() }
        list.removeAll()
        cache.removeAll(of: Counter.self)
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    private static func write(_ list: CachedList<Counter>, _ cache: FlatCache, _ random: inout SeededGenerator) {
        let id = random.below(12)
        let some = (0..<random.below(6)).map { Counter(id: $0 * 2 + id, count: random.below(3)) }
        switch random.below(16) {
        case 0...3: cache.set(Counter(id: id, count: random.below(3)))
        case 4: cache.remove(Counter.self, id: id)
        case 5: cache.set(contentsOf: some)
        case 6: list.append(contentsOf: some)
        case 7: list.prepend(ids: some.map(\.id))
        case 8: list.remove(id)
        case 9: list.remove(ids: some.map(\.id))
        case 10: list.move(id, before: list.ids.first)
        case 11: list.move(id, before: nil)
        case 12: list.replace(with: some)
        case 13: list.update { $0.shuffle(using: &random) }
        case 14: cache.remove(Counter.self, ids: some.map(\.id))
        default:
            switch random.below(8) {
            case 0: list.removeAll()
            case 1: cache.removeAll(of: Counter.self)
            case 2: cache.removeAll()
            default: cache.update(Counter.self, id: id) { $0.count += 1 }
            }
        }
    }

    @Test("A commit of one entity reads that one, however long the observed list is")
    func cost() {
        let hashes = Protected(0)
        let list = cache.list("home", of: HashCounting.self)
        list.append(contentsOf: (0..<5_000).map { HashCounting($0, hashes) })
        let states = Recorder<CachedListState<HashCounting>>()
        let subscription = list.observe { states.record($0) }
        hashes.withLock { $0 = 0 }
        cache.set(HashCounting(7, hashes))
        list.append(contentsOf: [HashCounting(5_000, hashes)])
        list.remove(.init(number: 5_000, hashes: hashes))
        #expect(hashes.withLock { $0 } < 300)
        #expect(states.count == 4)
        #expect(states.take().last?.values.count == 5_000)
        subscription.cancel()
    }

    @Test("More changes than an observer keeps are one state")
    func manyChanges() {
        let list = cache.list("home", of: Counter.self)
        let count = 3 * smallCommit
        list.append(contentsOf: (0..<count).map { Counter(id: $0) })
        let stream = AsyncStream.makeStream(of: Void.self)
        let live = LiveList<Counter>(of: "home", in: cache, .signal(stream.continuation))
        let subscription = live.begin(in: cache)
        #expect(live.takeAnswer()?.values.count == count)
        for begin in stride(from: 0, to: count, by: smallCommit) {
            cache.set(contentsOf: (begin..<begin + smallCommit).map { Counter(id: $0, count: 1) })
        }
        #expect(live.takeAnswer()?.values.allSatisfy { $0.count == 1 } == true)
        #expect(live.takeAnswer() == nil)
        for begin in stride(from: 0, to: count, by: smallCommit) {
            cache.set(contentsOf: (begin..<begin + smallCommit).map { Counter(id: $0, count: 1) })
        }
        #expect(live.takeAnswer() == nil)
        cache.remove(Counter.self, ids: Array(0..<count - 1))
        let last = live.takeAnswer()
        #expect(last?.values == [Counter(id: count - 1, count: 1)])
        #expect(last?.missingIDs.count == count - 1)
        subscription.cancel()
    }

    @Test("S2: Writers beside an observer: each state has both sides of a transaction, and the last one is complete")
    func writers() async {
        let list = cache.list("home", of: Counter.self)
        let torn = Protected(0)
        let last = Protected<CachedListState<Counter>?>(nil)
        let subscription = list.observe { state in
            // Each transaction keeps the sum of the counts of listed entities zero.
            if state.values.reduce(0, { $0 + $1.count }) != 0 { torn.withLock { $0 += 1 } }
            last.withLock { $0 = state }
        }
        onThreads(3) { [cache] number in
            for round in 1...200 {
                let (first, second) = (number * 1_000 + round % 20, number * 1_000 + 500 + round % 20)
                cache.transaction {
                    if round % 7 == 0 {
                        list.remove(ids: [first, second])
                    } else {
                        list.append(contentsOf: [Counter(id: first, count: round), Counter(id: second, count: -round)])
                    }
                }
            }
        }
        #expect(await comes { last.withLock { $0 } == list.state })
        #expect(torn.withLock { $0 } == 0)
        subscription.cancel()
    }

    @Test("User code of identifiers and entities may use the cache while a state is determined")
    func userCode() async {
        let hook = Hook()
        let list = cache.list("home", of: HookedEntity.self)
        list.append(contentsOf: (0..<40).map { HookedEntity($0, hook) })
        hook.set { [cache] _ in
            _ = cache.count(of: HookedEntity.self)
            cache.set(Counter(id: 1))
            cache.list("home", of: HookedEntity.self).append(ids: [])
        }
        let states = Recorder<Int>()
        let subscription = list.observe { states.record($0.values.count) }
        cache.set(HookedEntity(3, count: 1, hook))
        list.remove(ids: [HookedEntity(3, hook).id, HookedEntity(4, hook).id])
        list.append(contentsOf: [HookedEntity(50, hook)])
        cache.remove(HookedEntity.self, id: HookedEntity(50, hook).id)
        #expect(await comes { states.take().last == 38 })
        subscription.cancel()
        hook.set(nil)
    }

    @Test("Without the initial state the first call is the first change")
    func withoutInitial() {
        let list = cache.list("home", of: Counter.self)
        list.append(contentsOf: [Counter(id: 1)])
        let states = Recorder<[Int]>()
        let subscription = list.observe(initial: false) { states.record($0.values.map(\.count)) }
        #expect(states.take() == [])
        cache.set(Counter(id: 1, count: 2))
        #expect(states.take() == [[2]])
        subscription.cancel()
    }

    @Test("A callback may write the list, cancel its own observation, and release the cache")
    func reentrancy() {
        var cache: FlatCache? = FlatCache()
        guard let list = cache?.list("home", of: Counter.self) else { return }
        let subscriptions = Protected<[CacheSubscription]>([])
        let states = Recorder<[Int]>()
        let subscription = list.observe { state in
            states.record(Array(state.ids))
            if state.ids.count < 3 {
                list.append(ids: [state.ids.count])
            } else {
                subscriptions.withLock { $0.first }?.cancel()
            }
        }
        subscriptions.withLock { $0.append(subscription) }
        list.append(ids: [9])
        list.append(ids: [10])
        #expect(states.take() == [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 9]])
        cache = nil
        #expect(list.ids == [])
    }
}
