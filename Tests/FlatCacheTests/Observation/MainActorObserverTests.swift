import FlatCache
import TestThreads
import Testing

/// Observers that are called on the main actor alone.
@Suite("Observers on the main actor", .ends, .mayBlock)
@MainActor
struct MainActorObserverTests {
    let cache = FlatCache()

    /// What a view model has: state of the main actor, which its callbacks change.
    @MainActor final class Model {
        private(set) var counts: [Int?] = []
        private var subscription: CacheSubscription?

        func observe(_ way: Way, in cache: FlatCache, initial: Bool = true) {
            let handle = Cached(Counter.self, id: 1, in: cache)
            let main = MainActor.shared
            subscription =
                switch way {
                case .oneKey:
                    cache.observe(Counter.self, id: 1, initial: initial, on: main) { [weak self] change in
                        self?.counts.append(change.value?.count)
                    }
                case .handle:
                    handle.observe(initial: initial, on: main) { [weak self] change in
                        self?.counts.append(change.value?.count)
                    }
                case .severalKeys:
                    cache.observe([handle.key], initial: initial, on: main) { [weak self] _ in
                        self?.counts.append(handle.count)
                    }
                case .derived:
                    cache.observe(initial: initial, on: main) {
                        handle.count
                    } onChange: { [weak self] count in
                        self?.counts.append(count)
                    }
                case .list:
                    cache.list("counters", of: Counter.self).observe(initial: initial, on: main) { [weak self] state in
                        self?.counts.append(state.values.first?.count)
                    }
                case .reference:
                    cache.reference("counter", of: Counter.self).observe(initial: initial, on: main) { [weak self] in
                        self?.counts.append($0?.count)
                    }
                }
        }

        func cancel() { subscription?.cancel() }
    }

    enum Way: CaseIterable {
        case oneKey, handle, severalKeys, derived, list, reference
    }

    private func prepare() {
        cache.set(Counter(id: 1, count: 0))
        cache.list("counters", of: Counter.self).append(ids: [1])
        cache.reference("counter", of: Counter.self).id = 1
    }

    private func setOnAnotherThread(_ counts: ClosedRange<Int>) {
        onThreads(1) { [cache] _ in
            for count in counts { cache.set(Counter(id: 1, count: count)) }
        }
    }

    @Test("N3: The first call, and that of a commit on the main actor, are made at once", arguments: Way.allCases)
    func atOnce(way: Way) {
        prepare()
        let model = Model()
        model.observe(way, in: cache)
        #expect(model.counts == [0])
        cache.set(Counter(id: 1, count: 1))
        #expect(model.counts == [0, 1])
        cache.set(Counter(id: 1, count: 1))
        #expect(model.counts == [0, 1])
    }

    @Test("N2, N4: Commits of other threads are folded into one call, which a task makes", arguments: Way.allCases)
    func otherThreads(way: Way) async {
        prepare()
        let model = Model()
        model.observe(way, in: cache, initial: false)
        setOnAnotherThread(1...100)
        #expect(model.counts.isEmpty)
        #expect(await eventually { !model.counts.isEmpty })
        #expect(model.counts == [100])
        setOnAnotherThread(101...101)
        #expect(await eventually { model.counts.count == 2 })
        #expect(model.counts == [100, 101])
    }

    @Test("N2: A commit on the main actor brings what waits with it", arguments: Way.allCases)
    func inOrder(way: Way) async {
        prepare()
        let model = Model()
        model.observe(way, in: cache)
        setOnAnotherThread(1...2)
        cache.set(Counter(id: 1, count: 3))
        #expect(model.counts == [0, 3])
        setOnAnotherThread(4...4)
        #expect(await eventually { model.counts.last == 4 })
        #expect(model.counts == [0, 3, 4])
    }

    @Test(
        "N7: Once it is cancelled on the main actor, the closure isn't called for what waits",
        arguments: Way.allCases
    )
    func cancelling(way: Way) async {
        prepare()
        let model = Model()
        model.observe(way, in: cache)
        let other = Model()
        other.observe(way, in: cache)
        setOnAnotherThread(1...5)
        model.cancel()
        #expect(await eventually { other.counts.last == 5 })
        #expect(model.counts == [0])
    }

    @Test("N3: Observed from elsewhere, the first call is made by a task", arguments: [true, false])
    func fromElsewhere(derived: Bool) async {
        prepare()
        let counts = Recorder<Int?>()
        let subscription = await Task.detached { [cache] in
            derived
                ? cache.observe(on: MainActor.shared) {
                    cache.get(Counter.self, id: 1)?.count
                } onChange: {
                    counts.record($0)
                }
                : cache.observe(Counter.self, id: 1, on: MainActor.shared) { counts.record($0.value?.count) }
        }.value
        #expect(await eventually { counts.count == 1 })
        cache.set(Counter(id: 1, count: 1))
        #expect(counts.elements == [0, 1])
        subscription.cancel()
    }

    @Test(
        "N3: Without an initial call, no commit after a subscription from elsewhere is missed",
        arguments: Way.allCases
    )
    func fromElsewhereWithoutInitialCall(way: Way) async {
        prepare()
        let counts = Recorder<Int?>()
        let subscriptions = Recorder<CacheSubscription>()
        onThreads(1) { [cache] _ in
            // The main actor is busy here, so that nothing is computed before the commit.
            subscriptions.record(Self.observe(way, in: cache, counts))
            cache.set(Counter(id: 1, count: 1))
        }
        #expect(await eventually { counts.elements.last == 1 })
        #expect(counts.elements == [1])
        cache.set(Counter(id: 2))
        cache.set(Counter(id: 1, count: 2))
        #expect(counts.elements == [1, 2])
        for subscription in subscriptions.elements { subscription.cancel() }
    }

    @Test(
        "Without an initial call, the state isn't delivered to a subscription from elsewhere",
        arguments: Way.allCases
    )
    func noInitialCall(way: Way) async {
        prepare()
        let (counts, others) = (Recorder<Int?>(), Recorder<Int?>())
        let subscriptions = Recorder<CacheSubscription>()
        onThreads(1) { [cache] _ in
            subscriptions.record(Self.observe(way, in: cache, counts))
            let other = cache.observe(on: MainActor.shared) {
                cache.get(Counter.self, id: 1)?.count
            } onChange: {
                others.record($0)
            }
            subscriptions.record(other)
        }
        #expect(await eventually { others.count == 1 })
        cache.set(Counter(id: 1, count: 1))
        #expect(counts.elements == [1])
        for subscription in subscriptions.elements { subscription.cancel() }
    }

    /// Observes the counter without an initial call, and records its value at each call.
    nonisolated private static func observe(
        _ way: Way,
        in cache: FlatCache,
        _ counts: Recorder<Int?>
    ) -> CacheSubscription {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let main = MainActor.shared
        return switch way {
        case .oneKey: cache.observe(Counter.self, id: 1, initial: false, on: main) { counts.record($0.value?.count) }
        case .handle: handle.observe(initial: false, on: main) { counts.record($0.value?.count) }
        case .severalKeys: cache.observe([handle.key], initial: false, on: main) { _ in counts.record(handle.count) }
        case .derived: cache.observe(initial: false, on: main, { handle.count }, onChange: { counts.record($0) })
        case .list:
            cache.list("counters", of: Counter.self).observe(initial: false, on: main) { state in
                counts.record(state.values.first?.count)
            }
        case .reference:
            cache.reference("counter", of: Counter.self).observe(initial: false, on: main) { counts.record($0?.count) }
        }
    }

    @Test("N2: However writers race, counts rise, and the newest is there in the end", arguments: Way.allCases)
    func racing(way: Way) async {
        prepare()
        let model = Model()
        model.observe(way, in: cache)
        let total = Recorder<Int>()
        let writer = Task.detached { [cache] in
            for _ in 0..<2000 { cache.update(Counter.self, id: 1) { $0.count += 1 } }
            total.record(1)
        }
        for _ in 0..<200 {
            cache.update(Counter.self, id: 1) { $0.count += 1 }
            await Task.yield()
        }
        await writer.value
        #expect(await eventually { model.counts.last == 2200 })
        let counts = model.counts.compactMap { $0 }
        #expect(counts == counts.sorted())
        // A change set has only keys: a value that is read for it may be newer, and the next one reads it again.
        #expect(way == .severalKeys || Set(counts).count == counts.count)
    }

    @Test("N1: A callback may write its own key, observe and cancel")
    func nested() {
        prepare()
        let handle = Cached(Counter.self, id: 1, in: cache)
        var counts: [Int?] = []
        var inner: CacheSubscription?
        let outer = handle.observe(on: MainActor.shared) { change in
            counts.append(change.value?.count)
            if let count = change.value?.count, count < 3 { handle.update { $0.count += 1 } }
            inner = inner ?? handle.observe(on: MainActor.shared) { _ in inner?.cancel() }
        }
        #expect(counts == [0, 1, 2, 3])
        outer.cancel()
        inner?.cancel()
        handle.update { $0.count += 1 }
        #expect(counts.count == 4)
    }
}
