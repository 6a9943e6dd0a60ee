extension CachedList {
    /// The identifiers in their order, including identifiers of missing entities; empty after the cache is deallocated.
    ///
    /// - Complexity: O(1). To search for an identifier, ``contains(_:)`` is faster.
    @inlinable
    public var ids: CachedListIDs<Value.ID> { handle.value?.order ?? [] }

    /// The number of identifiers, including identifiers of missing entities.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { handle.value?.order.count ?? 0 }

    /// Whether the list has no identifiers.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// Returns whether an identifier is listed, even if its entity is missing.
    ///
    /// - Parameter id: The identifier.
    /// - Complexity: O(1) on average.
    @inlinable
    public func contains(_ id: Value.ID) -> Bool { handle.value?.contains(id) ?? false }

    /// The listed entities that are stored, in order, read from one state of the cache.
    ///
    /// The values are copies without a cache. Their accessors read the ``FlatCache/current`` cache. Accessors of the
    /// ``handles`` read the cache of the list.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public var values: [Value] {
        read { cache, ids in cache.get(Value.self, ids: ids) } ?? []
    }

    /// The identifiers of missing entities, in order.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public var missingIDs: [Value.ID] {
        read { cache, ids in cache.missingIDs(of: Value.self, among: ids) } ?? []
    }

    /// Live handles to the listed entities in order, including missing entities.
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

    /// Reads entities by the identifiers from the same state, tracked by Observation.
    @inlinable
    func read<Result>(_ body: (FlatCache, CachedListIDs<Value.ID>) -> Result) -> Result? {
        cache?.tracked { cache in
            cache.readTogether { body(cache, handle.current?.order ?? CachedListIDs()) }
        }
    }
}
