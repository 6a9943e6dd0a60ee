import FlatCache

/// Somebody for whom changes of a counter wait, and who never reads them.
enum SlowConsumer: CaseIterable {
    case keyChanges, entityValues, derivedValues, handleValues, handleStates

    /// Begins to observe a counter, until what is returned is released.
    func begin(_ id: Int = 1, in cache: FlatCache) async -> any Sendable {
        switch self {
        case .keyChanges:
            return Kept(cache.changes(of: [Counter.flatCacheKey(id: id)]).makeAsyncIterator())
        case .entityValues:
            return Kept(cache.values(of: Counter.self, id: id).makeAsyncIterator())
        case .derivedValues:
            var iterator = cache.values({ cache.get(Counter.self, id: id)?.count }).makeAsyncIterator()
            _ = await iterator.next()
            return Kept(iterator)
        case .handleValues:
            return Kept(Cached(Counter.self, id: id, in: cache).values.makeAsyncIterator())
        case .handleStates:
            var iterator = Cached(Counter.self, id: id, in: cache).states.makeAsyncIterator()
            _ = await iterator.next()
            return Kept(iterator)
        }
    }

    private final class Kept<Value>: @unchecked Sendable {  // Only kept.
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}
