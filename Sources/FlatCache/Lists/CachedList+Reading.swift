extension CachedList {
    /// The identifiers in their order, those of missing entities among them; empty once the cache is gone.
    ///
    /// - Complexity: O(1). ``contains(_:)`` is faster than a search in the identifiers.
    @inlinable
    public var ids: CachedListIDs<Value.ID> { handle.value?.order ?? [] }

    /// The number of identifiers, those of missing entities among them.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { handle.value?.order.count ?? 0 }

    /// Whether there are no identifiers.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// Returns whether an identifier is listed, its entity stored or not.
    ///
    /// - Parameter id: The identifier.
    /// - Complexity: O(1) on average.
    @inlinable
    public func contains(_ id: Value.ID) -> Bool { handle.value?.contains(id) ?? false }

    /// The stored entities in their order, read from one state of the cache.
    ///
    /// The values are copies and know no cache: their accessors read the ``FlatCache/current`` one. Those of the ``handles``
    /// read the cache of the list.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public var values: [Value] {
        read { cache, ids in cache.get(Value.self, ids: ids) } ?? []
    }

    /// The identifiers whose entities are not stored, in their order.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public var missingIDs: [Value.ID] {
        read { cache, ids in cache.missingIDs(of: Value.self, among: ids) } ?? []
    }

    /// Live handles to the entities in their order, stored or not.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public var handles: [Cached<Value>] {
        guard let cache else { return [] }
        return ids.map { Cached(id: $0, in: cache) }
    }

    /// The order and the entities, read from one state of the cache.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public var state: CachedListState<Value> {
        read { cache, ids in CachedListState(ids: ids, cache) } ?? CachedListState()
    }

    /// Reads entities by the identifiers of the same state, tracked by Observation.
    @inlinable
    func read<Result>(_ body: (FlatCache, CachedListIDs<Value.ID>) -> Result) -> Result? {
        cache?.tracked { cache in
            cache.readTogether { body(cache, handle.current?.order ?? CachedListIDs()) }
        }
    }
}

/// What a ``CachedList`` holds at one time.
@frozen  // What makes it reads many entities, in code that is specialized for their type.
public struct CachedListState<Value: Cachable>: Sendable {
    /// The identifiers in their order, those of missing entities among them.
    public let ids: CachedListIDs<Value.ID>

    /// The stored entities in their order.
    public let values: [Value]

    /// The identifiers whose entities are not stored, in their order.
    public let missingIDs: [Value.ID]

    /// The state of a list whose cache is gone.
    @usableFromInline init() {
        ids = []
        values = []
        missingIDs = []
    }

    @inlinable init(ids: CachedListIDs<Value.ID>, _ cache: FlatCache) {
        var values: [Value] = []
        var missingIDs: [Value.ID] = []
        values.reserveCapacity(ids.count)
        for id in ids {
            if let value = cache.get(Value.self, id: id) { values.append(value) } else { missingIDs.append(id) }
        }
        self.ids = ids
        self.values = values
        self.missingIDs = missingIDs
    }
}

extension CachedListState: Equatable where Value: Equatable {}

extension CachedListState: Hashable where Value: Hashable {}
