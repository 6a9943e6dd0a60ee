extension CachedList {
    /// Runs a request of the app that returns a page, stores its entities, and replaces the identifiers of the list by those of
    /// the page, in one commit.
    ///
    ///     let page = try await home.replace(ids: \.postIDs) {
    ///         try await api.get("posts", as: Payload<PostPage>.self)
    ///     }
    ///     page.value?.nextCursor
    ///
    /// The page doesn't undo what the cache has learned since the request began, as with
    /// ``FlatCache/load(_:with:strict:isolation:_:)``. That includes the list:
    ///
    /// - What the app adds to the list meanwhile stays, before the page. What it removes isn't listed again.
    /// - If the list was replaced or removed meanwhile, or all entities of the type were removed, the list isn't changed. The
    ///   response to an older request doesn't count as a replacement.
    /// - Entities that aren't stored, because they are incomplete or were removed meanwhile, aren't listed.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - ids: Returns the identifiers of the page in order, from the value that is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns a payload of any form. It can throw
    ///     ``FlatCache/FlatCache/NotModified``.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The error of the request, a `CancellationError` if the task is cancelled, ``ListError/cacheGone(_:)`` if the cache
    ///   is deallocated, and if `strict` is `true` the first ``PayloadProblem``. Then nothing is changed.
    /// - Complexity: O(*n* + *m*) on average for *n* entities and a list of *m*.
    public func replace<Response: PayloadConvertible>(
        strict: Bool = false,
        ids: (Response.Root) -> [Value.ID],
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<Response.Root> {
        try await load(.replace, strict: strict, ids: ids, isolation: isolation, request)
    }

    /// Runs a request of the app that returns an array of entities, stores them, and replaces the identifiers of the list by
    /// theirs, in one commit.
    ///
    ///     let posts = try await home.replace { try await api.get("posts", as: Payload<[Post]>.self) }
    ///
    /// In all other respects, it is like ``replace(strict:ids:isolation:_:)``.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns a payload of any form.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The same errors as ``replace(strict:ids:isolation:_:)``.
    /// - Complexity: O(*n* + *m*) on average for *n* entities and a list of *m*.
    public func replace<Response: PayloadConvertible<[Value]>>(
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<[Value]> {
        try await load(.replace, strict: strict, ids: { $0.map { $0.id } }, isolation: isolation, request)
    }

    /// Runs a request of the app that returns an older page, stores its entities, and adds their identifiers to the end of the
    /// list, in one commit.
    ///
    ///     let page = try await home.append(ids: \.postIDs) {
    ///         try await api.get("posts?after=\(cursor)", as: Payload<PostPage>.self)
    ///     }
    ///
    /// Identifiers that are already listed keep their places. In all other respects, it is like
    /// ``replace(strict:ids:isolation:_:)``. So a page that was asked for before a refresh doesn't change the list after it.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - ids: Returns the identifiers of the page in order, from the value that is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns a payload of any form.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The same errors as ``replace(strict:ids:isolation:_:)``.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    public func append<Response: PayloadConvertible>(
        strict: Bool = false,
        ids: (Response.Root) -> [Value.ID],
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<Response.Root> {
        try await load(.append, strict: strict, ids: ids, isolation: isolation, request)
    }

    /// Runs a request of the app that returns an array of older entities, stores them, and adds their identifiers to the end of
    /// the list, in one commit.
    ///
    /// In all other respects, it is like ``append(strict:ids:isolation:_:)``.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns a payload of any form.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The same errors as ``replace(strict:ids:isolation:_:)``.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    public func append<Response: PayloadConvertible<[Value]>>(
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<[Value]> {
        try await load(.append, strict: strict, ids: { $0.map { $0.id } }, isolation: isolation, request)
    }

    /// Runs a request of the app that returns a newer page, stores its entities, and adds their identifiers to the beginning of
    /// the list, in one commit.
    ///
    /// Identifiers that are already listed keep their places. In all other respects, it is like
    /// ``replace(strict:ids:isolation:_:)``. So a page that was asked for before a refresh doesn't change the list after it.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - ids: Returns the identifiers of the page in order, from the value that is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns a payload of any form.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The same errors as ``replace(strict:ids:isolation:_:)``.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    public func prepend<Response: PayloadConvertible>(
        strict: Bool = false,
        ids: (Response.Root) -> [Value.ID],
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<Response.Root> {
        try await load(.prepend, strict: strict, ids: ids, isolation: isolation, request)
    }

    /// Runs a request of the app that returns an array of newer entities, stores them, and adds their identifiers to the
    /// beginning of the list, in one commit.
    ///
    /// In all other respects, it is like ``prepend(strict:ids:isolation:_:)``.
    ///
    /// - Parameters:
    ///   - strict: Whether the first problem is thrown. Then nothing is stored.
    ///   - isolation: The actor of the caller.
    ///   - request: A closure that makes the request and returns a payload of any form.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The same errors as ``replace(strict:ids:isolation:_:)``.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    public func prepend<Response: PayloadConvertible<[Value]>>(
        strict: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<[Value]> {
        try await load(.prepend, strict: strict, ids: { $0.map { $0.id } }, isolation: isolation, request)
    }
}
