extension FlatCache {
    /// Runs a request of the app, and stores the entities of its response in one commit.
    ///
    ///     let posts = try await cache.load([Post].self, with: decoder.decode) {
    ///         try await api.get("posts")
    ///     }
    ///     posts.value                 // [Post]?, as they are stored now
    ///     posts.problems              // the parts that can't be read or stored
    ///
    /// The response doesn't undo what the cache has learned since the request began:
    ///
    /// - An entity that was written or removed meanwhile is left as it is. So a mutation that is confirmed while the request
    ///   runs stays.
    /// - If two requests have the same entity, the one that began later counts, in whatever order they are answered.
    /// - After a ``removeAll()``, such as at the end of a session, nothing of the response is stored.
    /// - If the task is cancelled, nothing is stored.
    ///
    /// Entities on which the response depends and that are only in the store of the cache are loaded first. The request is
    /// always made. To ask only for what is missing or old, set a fetcher or the loader of a list.
    ///
    /// The request and the decoder run on the caller's actor, and this cache is ``current`` in both.
    ///
    /// - Parameters:
    ///   - type: The type of the response: an entity, an optional, an array or a dictionary of entities, or a structure around
    ///     them. What isn't an entity, such as a cursor, is in the value that is returned.
    ///   - decode: The method of a decoder, such as `decoder.decode`. It is called with the type of a ``Payload`` and the body.
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns the body of the response. It can throw
    ///     ``FlatCache/FlatCache/NotModified``.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The error of the request or of the decoder, a `CancellationError` if the task is cancelled, and if `strict` is
    ///   `true` the first ``PayloadProblem``. Then nothing is stored.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    public func load<Root: Decodable & Sendable, Body>(
        _ type: Root.Type = Root.self,
        with decode: (Payload<Root>.Type, Body) throws -> Payload<Root>,
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Body
    ) async throws -> StoredPayload<Root> {
        try await running(isolation: isolation) { running in
            let body = try await FlatCache.withCurrent(self, isolation: isolation, request)
            let payload = try asCurrent { try decode(Payload<Root>.self, body) }
            return try await store(payload.content, payload.root, strict: strict, of: running, isolation: isolation)
        }
    }

    /// Runs a request of the app that returns a payload, and stores its entities in one commit.
    ///
    ///     let articles = try await cache.load {
    ///         try await api.get("articles", as: JSONAPI.Document<[Article], Person>.self)
    ///     }
    ///
    /// This is for clients that decode the response. In all other respects, it is like ``load(_:with:strict:isolation:_:)``: the
    /// response doesn't undo what the cache has learned since the request began.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request, and returns a ``Payload``, a ``FlatPayload`` or a ``JSONAPI/Document``. It
    ///     can throw ``FlatCache/FlatCache/NotModified``.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The error of the request, a `CancellationError` if the task is cancelled, and if `strict` is `true` the first
    ///   ``PayloadProblem``. Then nothing is stored.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    public func load<Response: PayloadConvertible>(
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<Response.Root> {
        try await running(isolation: isolation) { running in
            let payload = try await FlatCache.withCurrent(self, isolation: isolation, request).payload
            return try await store(payload.content, payload.root, strict: strict, of: running, isolation: isolation)
        }
    }

    /// Runs a request of the app that returns a patch, and applies it to the stored entity.
    ///
    ///     let account = try await cache.load { try await api.profile("7") }
    ///
    /// The patch isn't applied to an entity that was written or removed since the request began. In all other respects, this
    /// method is like ``load(_:with:strict:isolation:_:)``.
    ///
    /// - Parameters:
    ///   - strict: Whether a problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns the patch. It can throw
    ///     ``FlatCache/FlatCache/NotModified``.
    /// - Returns: The entity as it is stored, `nil` if it isn't stored, and the problems.
    /// - Throws: The error of the request, a `CancellationError` if the task is cancelled, and if `strict` is `true` the
    ///   ``PayloadProblem``. Then nothing is stored.
    /// - Complexity: The time of the patch, and O(1) on average, and O(*n*) for the *n* observers of the key.
    public func load<Patch: EntityPatch>(
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Patch
    ) async throws -> StoredPayload<Patch.Entity> {
        try await running(isolation: isolation) { running in
            let patch = try await FlatCache.withCurrent(self, isolation: isolation, request)
            let root = EntityRoot<Patch.Entity>(patch.id)
            return try await store(PayloadContent(patch), root, strict: strict, of: running, isolation: isolation)
        }
    }

    /// Runs a request of the app that returns patches, and applies them to the stored entities in one commit.
    ///
    /// A patch isn't applied to an entity that was written or removed since the request began. In all other respects, this
    /// method is like ``load(_:with:strict:isolation:_:)``.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns the patches. It can throw
    ///     ``FlatCache/FlatCache/NotModified``.
    /// - Returns: The entities of the patches as they are stored, in order, and the problems.
    /// - Throws: The error of the request, a `CancellationError` if the task is cancelled, and if `strict` is `true` the first
    ///   ``PayloadProblem``. Then nothing is stored.
    /// - Complexity: The time of the patches, and O(*n*) on average for *n* patches and the observers of their keys.
    public func load<Patch: EntityPatch>(
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> [Patch]
    ) async throws -> StoredPayload<[Patch.Entity]> {
        try await running(isolation: isolation) { running in
            let patches = try await FlatCache.withCurrent(self, isolation: isolation, request)
            let root = ArrayRoot<Patch.Entity>(patches.map { $0.id })
            return try await store(PayloadContent(patches), root, strict: strict, of: running, isolation: isolation)
        }
    }
}
