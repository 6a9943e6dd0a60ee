extension CachedList where Value: Decodable {
    /// Stores a payload and replaces the identifiers of the list by those of its root, in one commit.
    ///
    /// - Parameters:
    ///   - payload: The payload. Incomplete entities that aren't stored are left out.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written since are left as they are.
    ///     Entities that were removed since aren't stored, but are listed.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The stored entities and the problems, or `nil` if the cache is deallocated.
    /// - Complexity: O(*n*) on average for *n* entities.
    @discardableResult
    public func replace(
        with payload: some PayloadConvertible<[Value]>,
        since revision: CacheRevision? = nil,
        origin: FlatCache.Origin = .server
    ) -> StoredPayload<[Value]>? {
        store(payload, since: revision, origin: origin) { replace(withIDs: $0) }
    }

    /// Stores a payload, such as an older page, and adds the entities of its root to the end of the list, in one commit.
    ///
    /// - Parameters:
    ///   - payload: The payload. Incomplete entities that aren't stored are left out. Entities that are already listed
    ///     keep their places.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written since are left as they are.
    ///     Entities that were removed since aren't stored, but are listed.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The stored entities and the problems, or `nil` if the cache is deallocated.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    @discardableResult
    public func append(
        contentsOf payload: some PayloadConvertible<[Value]>,
        since revision: CacheRevision? = nil,
        origin: FlatCache.Origin = .server
    ) -> StoredPayload<[Value]>? {
        store(payload, since: revision, origin: origin) { append(ids: $0) }
    }

    /// Stores a payload, such as a newer page, and adds the entities of its root to the beginning of the list, in one
    /// commit.
    ///
    /// - Parameters:
    ///   - payload: The payload. Incomplete entities that aren't stored are left out. Entities that are already listed
    ///     keep their places.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written since are left as they are.
    ///     Entities that were removed since aren't stored, but are listed.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The stored entities and the problems, or `nil` if the cache is deallocated.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    @discardableResult
    public func prepend(
        contentsOf payload: some PayloadConvertible<[Value]>,
        since revision: CacheRevision? = nil,
        origin: FlatCache.Origin = .server
    ) -> StoredPayload<[Value]>? {
        store(payload, since: revision, origin: origin) { prepend(ids: $0) }
    }

    /// Stores a payload and inserts the entities of its root before a listed one, in one commit.
    ///
    /// - Parameters:
    ///   - payload: The payload. Incomplete entities that aren't stored are left out. Entities that are already listed
    ///     keep their places.
    ///   - other: The listed identifier before which the entities are inserted, or `nil` for the end. If it isn't
    ///     listed, the payload is stored and the list isn't changed.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written since are left as they are.
    ///     Entities that were removed since aren't stored, but are listed.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The stored entities and the problems, or `nil` if the cache is deallocated.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    @discardableResult
    public func insert(
        contentsOf payload: some PayloadConvertible<[Value]>,
        before other: Value.ID?,
        since revision: CacheRevision? = nil,
        origin: FlatCache.Origin = .server
    ) -> StoredPayload<[Value]>? {
        store(payload, since: revision, origin: origin) { insert(ids: $0, before: other) }
    }

    private func store(
        _ payload: some PayloadConvertible<[Value]>,
        since revision: CacheRevision?,
        origin: FlatCache.Origin,
        _ change: ([Value.ID]) -> Void
    ) -> StoredPayload<[Value]>? {
        cache.map { cache in
            cache.commitTogether(from: origin.number) {
                let stored = cache.store(payload, since: revision, origin: origin)
                change((stored.value ?? []).map { $0.id })
                return stored
            }
        }
    }
}
