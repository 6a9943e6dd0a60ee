import FlatCache

/// Somebody for whom changes of a counter wait, and who never reads them.
enum SlowConsumer: CaseIterable {
    case keyChanges, entityValues, derivedValues, handleValues, handleStates, eachCommit

    /// Begins to observe a counter, until what is returned is released.
    func begin(_ id: Int = 1, in cache: FlatCache) async -> any Sendable {
        switch self {
        case .keyChanges:
            return Kept(cache.changes(of: [Counter.flatCacheKey(id: id)], initial: false).makeAsyncIterator())
        case .eachCommit:
            return Kept(cache.changes(ofAll: Counter.self, buffering: .each(atMost: 2)).makeAsyncIterator())
        case .entityValues:
            return Self.beginReading(Counter.self, id: id, in: cache)
        case .derivedValues:
            var iterator = cache.updates({ cache.get(Counter.self, id: id)?.count }).makeAsyncIterator()
            _ = await iterator.next()
            return Kept(iterator)
        case .handleValues:
            return Kept(Cached(Counter.self, id: id, in: cache).updates.makeAsyncIterator())
        case .handleStates:
            var iterator = cache.updates({ Cached(Counter.self, id: id, in: cache).status }).makeAsyncIterator()
            _ = await iterator.next()
            return Kept(iterator)
        }
    }

    /// Begins to observe an entity of any type.
    static func beginReading<Value: Cachable>(_ type: Value.Type, id: Value.ID, in cache: FlatCache) -> any Sendable {
        Kept(cache.updates(of: type, id: id).makeAsyncIterator())
    }

    private final class Kept<Value>: @unchecked Sendable {  // Only kept.
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}
