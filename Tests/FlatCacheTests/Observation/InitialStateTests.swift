import FlatCache
import TestThreads
import Testing

/// What observers begin with.
@Suite("The state with which observation begins", .mayBlock)
struct InitialStateTests {
    let cache = FlatCache()
    let keys = (1...3).map { Counter.flatCacheKey(id: $0) }

    /// The ways to observe a counter.
    enum Way: CaseIterable {
        case oneKey, handle, severalKeys, derived, list, reference

        /// Observes the counter 1, and records its value at each call.
        ///
        /// - Parameter next: What each call does afterwards.
        func observe(
            _ cache: FlatCache,
            initial: Bool? = nil,
            _ values: Recorder<Int?>,
            _ next: @escaping @Sendable () -> Void = {}
        ) -> CacheSubscription {
            let note: @Sendable () -> Void = { [weak cache] in
                values.record(cache?.get(Counter.self, id: 1)?.count)
                next()
            }
            let handle = Cached(Counter.self, id: 1, in: cache)
            let list = cache.list("counters", of: Counter.self)
            let reference = cache.reference("counter", of: Counter.self)
            let keys = [handle.key]
            return switch (self, initial) {
            case (.oneKey, let initial?): cache.observe(Counter.self, id: 1, initial: initial) { _ in note() }
            case (.oneKey, nil): cache.observe(Counter.self, id: 1) { _ in note() }
            case (.handle, let initial?): handle.observe(initial: initial) { _ in note() }
            case (.handle, nil): handle.observe { _ in note() }
            case (.severalKeys, let initial?): cache.observe(keys, initial: initial) { _ in note() }
            case (.severalKeys, nil): cache.observe(keys) { _ in note() }
            case (.derived, let initial?): cache.observe(initial: initial, { handle.count }) { _ in note() }
            case (.derived, nil): cache.observe({ handle.count }) { _ in note() }
            case (.list, let initial?): list.observe(initial: initial) { _ in note() }
            case (.list, nil): list.observe { _ in note() }
            case (.reference, let initial?): reference.observe(initial: initial) { _ in note() }
            case (.reference, nil): reference.observe { _ in note() }
            }
        }
    }

    private func prepare() {
        cache.set(Counter(id: 1, count: 1))
        cache.list("counters", of: Counter.self).append(ids: [1])
        cache.reference("counter", of: Counter.self).id = 1
    }

    @Test("N3: Observers of every kind begin with a call for the state now", arguments: Way.allCases, [nil, true])
    func begins(way: Way, initial: Bool?) {
        prepare()
        let values = Recorder<Int?>()
        let subscription = way.observe(cache, initial: initial, values)
        #expect(values.elements == [1])
        cache.set(Counter(id: 1, count: 2))
        #expect(values.elements == [1, 2])
        subscription.cancel()
    }

    @Test("N3: What another thread commits during the first call is delivered at once", arguments: Way.allCases)
    func commitDuringFirstCall(way: Way) {
        prepare()
        let values = Recorder<Int?>()
        let subscription = way.observe(cache, values) { [cache] in
            if values.count == 1 { onThreads(1) { _ in cache.set(Counter(id: 1, count: 2)) } }
        }
        #expect(values.elements == [1, 2])
        subscription.cancel()
    }

    @Test("N3: Without that the first call is for the first change", arguments: Way.allCases)
    func beginsLater(way: Way) {
        prepare()
        let values = Recorder<Int?>()
        let subscription = way.observe(cache, initial: false, values)
        #expect(values.elements == [])
        cache.set(Counter(id: 1, count: 1))
        #expect(values.elements == [])
        cache.set(Counter(id: 1, count: 2))
        #expect(values.elements == [2])
        subscription.cancel()
    }

    @Test("N3, N8: Observers of several keys begin with those that are stored as inserted, also with none")
    func severalKeys() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 3)])
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(keys) { changes.record($0) }
        cache.set(Counter(id: 2))
        cache.remove(Counter.self, id: 1)
        let none = cache.observe([Counter.flatCacheKey(id: 9)]) { changes.record($0) }
        #expect(changes.elements.map(\.isInitial) == [true, false, false, true])
        #expect(changes.elements.map(\.inserted) == [[keys[0], keys[2]], [keys[1]], [], []])
        #expect(changes.elements.map(\.removed) == [[], [], [keys[0]], []])
        #expect(changes.elements.allSatisfy { $0.updated.isEmpty })
        subscription.cancel()
        none.cancel()
    }

    @Test("N3: A commit before the first set is asked for is part of the set")
    func sequence() async {
        cache.set(Counter(id: 1))
        var changes = cache.changes(of: keys).makeAsyncIterator()
        cache.set(Counter(id: 1, count: 5))
        cache.set(Counter(id: 2))
        let first = await changes.next()
        #expect(first?.isInitial == true)
        #expect(first?.inserted == [keys[0], keys[1]])
        #expect(first?.updated == [])
        cache.set(Counter(id: 1, count: 6))
        let second = await changes.next()
        #expect(second?.isInitial == false)
        #expect(second?.updated == [keys[0]])
    }

    @Test("N1: A first call may write what is observed, and is called again after it")
    func writesInFirstCall() {
        cache.set(Counter(id: 1))
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(keys) { [cache] set in
            changes.record(set)
            if set.isInitial { cache.set(Counter(id: 2)) }
        }
        #expect(changes.elements.map(\.inserted) == [[keys[0]], [keys[1]]])
        subscription.cancel()
    }

    @Test("Values that aren't compared notify from the second one on where the first is left out")
    func notEquatable() {
        struct Value: Sendable {
            let count: Int?
        }
        cache.set(Counter(id: 1, count: 1))
        let counts = Recorder<Int?>()
        let handle = Cached(Counter.self, id: 1, in: cache)
        let subscription = cache.observe(initial: false) {
            Value(count: handle.count)
        } onChange: {
            counts.record($0.count)
        }
        cache.set(Counter(id: 1, count: 2))
        #expect(counts.elements == [2])
        subscription.cancel()
    }
}
