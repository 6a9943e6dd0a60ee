#if DEBUG
import Testing

@testable import FlatCache

/// What grows in proportion to what is there, counted in work instead of time.
@Suite("Growth")
struct GrowthTests {
    private protocol Tag {}
    private enum First: Tag {}
    private enum Second: Tag {}
    private enum Third: Tag {}
    private enum Fourth: Tag {}
    private enum Pair<One: Tag, Other: Tag>: Tag {}

    private struct Tagged<Name: Tag>: Cachable {
        let id: Int
    }

    /// Many types.
    private var types: [any Tag.Type] {
        func pair<One: Tag, Other: Tag>(_: One.Type, _: Other.Type) -> any Tag.Type { Pair<One, Other>.self }
        var types: [any Tag.Type] = [First.self, Second.self, Third.self, Fourth.self]
        for _ in 0..<2 { types = types.flatMap { one in types.map { other in pair(one, other) } } }
        return types
    }

    @Test("S9: The directory of types is written in proportion to their number, and finds all of them")
    func directory() {
        let cache = FlatCache()
        func store<Name: Tag>(_: Name.Type) { cache.set(Tagged<Name>(id: 1)) }
        func isStored<Name: Tag>(_: Name.Type) -> Bool { cache.contains(Tagged<Name>.self, id: 1) }
        for type in types { store(type) }
        #expect(cache.count == 256)
        let areStored = types.allSatisfy { isStored($0) }
        #expect(areStored)
        // Each type once when it comes in, and once for each doubling that follows: twice on average.
        #expect(cache.registry.filledEntryCount <= 3 * 256)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test("S9: A commit of many changes costs each observer of a whole type one step, whatever the number of changes")
    func watchers() {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0) })
        let subscriptions = (0..<50).map { _ in
            cache.observe {
                cache.count(of: Counter.self)
            } onChange: { _ in
            }
        }
        let steps = Protected(0)
        let handler: @Sendable (SyncPoint) -> Void = { point in
            if case .gathering = point { steps.withLock { $0 += 1 } }
        }
        SyncPoint.$handler.withValue(handler) { cache.set(contentsOf: (0..<1_000).map { Counter(id: $0, count: 1) }) }
        #expect(steps.withLock { $0 } <= 1_000 + 50)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("S9: An observer who doesn't read costs a commit no more than its changes, however much waits for it")
    func slowWatchers() async {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0) })
        var iterator = cache.updates({ cache.allValues(of: Counter.self).count }).makeAsyncIterator()
        _ = await iterator.next()
        let steps = Protected(0)
        let handler: @Sendable (SyncPoint) -> Void = { point in
            if case .gathering = point { steps.withLock { $0 += 1 } }
        }
        for round in 1...10 {
            SyncPoint.$handler.withValue(handler) {
                cache.set(contentsOf: (0..<1_000).map { Counter(id: $0, count: round) })
            }
        }
        // Each change is gathered, and folded into the one that waits.
        #expect(steps.withLock { $0 } <= 2 * 10 * 1_000)
        cache.set(Counter(id: 1_000))
        #expect(await iterator.next() == 1_001)
    }
}
#endif
