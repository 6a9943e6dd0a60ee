extension FlatCache {
    /// Runs a body when the entities with some identifiers are in memory, so that its writes find what the store alone has.
    ///
    ///     await cache.withLoaded(Post.self, ids: ["1"]) {
    ///         cache.update(Post.self, id: "1") { $0.likes += 1 }
    ///     }
    ///
    /// Entities that a limit has evicted, and those of a type that is kept on demand, are only in the store. A write doesn't look
    /// there, because it doesn't wait. So an `update` of such an entity changes nothing. A `merge`, `insertIfAbsent`,
    /// `update(default:_:)` and a patch find no entity, and what they make replaces the one in the store. In the body they find
    /// it.
    ///
    /// The entities stay in memory until the body has ended. The body runs once, on the caller's actor. It isn't a
    /// ``transaction(_:)``, but may contain one. If the task is cancelled, the method still waits for the store and runs the
    /// body. In a cache without a store, and for a type of which all entities are in memory, the body runs immediately.
    ///
    /// If the store can't be read, the handler of errors receives the error, and the body runs with the entities that are in
    /// memory.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - ids: The identifiers of all entities on which the writes of the body depend. Those that the store doesn't have are
    ///     left out.
    ///   - isolation: The actor of the caller.
    ///   - body: A closure that reads and changes entities.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    /// - Complexity: The time of the body, and O(*n*) on average for *n* entities.
    @discardableResult
    public func withLoaded<Value: Cachable, Result, Failure: Error>(
        _ type: Value.Type,
        ids: some Sequence<Value.ID>,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let held = hold(type) { Array(ids) }
        if let held { await held.load(in: self, isolation: isolation) }
        defer { withExtendedLifetime(held) {} }
        return try body()
    }

    /// Runs a body when all entities on which a payload depends are in memory, so that storing it keeps what the store alone has.
    ///
    ///     let home = cache.list("home", of: Post.self)
    ///     let stored = await cache.withLoaded(payload) { home.append(contentsOf: payload) }
    ///
    /// A payload depends on the entities of which it leaves out properties, on those that it patches, and on all of types with a
    /// ``Cachable/merge``. In all other respects, this method is like ``withLoaded(_:ids:isolation:_:)``. To store only the
    /// entities, use ``loadAndStore(_:since:origin:isolation:)``.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - isolation: The actor of the caller.
    ///   - body: A closure that stores the payload.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    /// - Complexity: The time of the body, and O(*n*) on average for *n* entities.
    @discardableResult
    public func withLoaded<Result, Failure: Error>(
        _ payload: some PayloadConvertible,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withLoaded(payload.payload.content, if: .always, isolation: isolation, body)
    }

    /// Runs a body when all entities on which a payload depends are in memory.
    ///
    /// - Parameter condition: The condition of the writes. Entities that it excludes aren't loaded.
    func withLoaded<Result, Failure: Error>(
        _ content: PayloadContent,
        if condition: WriteCondition,
        isolation: isolated (any Actor)?,
        _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let held = connection == nil ? [] : content.parts.compactMap { $0.hold(in: self, if: condition) }
        if !held.isEmpty { await load(held, isolation: isolation) }
        defer { withExtendedLifetime(held) {} }
        return try body()
    }

    /// Stores all entities of a payload in one commit, after the entities on which it depends were loaded from the store.
    ///
    ///     let stored = await cache.loadAndStore(payload)
    ///
    /// It is ``store(_:since:origin:)->StoredPayload<Root>`` for types that have a limit or are kept on demand. Properties that the
    /// payload leaves out keep their values, and a ``Cachable/merge`` and a patch find the entity, also if it is only in the
    /// store. If the task is cancelled, the payload is stored nevertheless.
    ///
    /// If the store can't be read, the handler of errors receives the error, and the payload is stored as if the store had
    /// nothing. In a cache without a store, this method doesn't wait.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written or removed since are left as they
    ///     are. An entity that was only loaded since isn't one of them.
    ///   - origin: The origin of the commit.
    ///   - isolation: The actor of the caller.
    /// - Returns: The stored entities and the problems.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    @discardableResult
    public func loadAndStore<Root>(
        _ payload: some PayloadConvertible<Root>,
        since revision: CacheRevision? = nil,
        origin: Origin = .server,
        isolation: isolated (any Actor)? = #isolation
    ) async -> StoredPayload<Root> {
        let payload = payload.payload
        return await withLoaded(payload.content, if: .response(since: revision), isolation: isolation) {
            store(payload, since: revision, origin: origin)
        }
    }

    /// Stores all entities of a payload in one commit, or throws the first problem and stores nothing, after the entities on
    /// which it depends were loaded from the store.
    ///
    ///     let stored = try await cache.loadAndStore(payload, strict: true)
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - strict: Whether a problem is thrown. If `false`, this method doesn't throw.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written or removed since are left as they
    ///     are. An entity that was only loaded since isn't one of them.
    ///   - origin: The origin of the commit.
    ///   - isolation: The actor of the caller.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The first problem of the payload, or of storing it.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    @discardableResult
    public func loadAndStore<Root>(
        _ payload: some PayloadConvertible<Root>,
        strict: Bool,
        since revision: CacheRevision? = nil,
        origin: Origin = .server,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(PayloadProblem) -> StoredPayload<Root> {
        let payload = payload.payload
        let condition = WriteCondition.response(since: revision)
        return try await withLoaded(payload.content, if: condition, isolation: isolation) { () throws(PayloadProblem) in
            try store(payload, strict: strict, since: revision, origin: origin)
        }
    }
}
