extension FetchAnswer {
    /// Adds all entities of a payload.
    ///
    ///     cache.setFetcher(of: Status.self) { ids, answer in
    ///         answer.insert(try decoder.decode(Payload<[Status]>.self, from: try await server.statuses(ids)))
    ///     }
    ///
    /// Properties that the payload leaves out keep their values, as when the payload is stored. A request for an
    /// incomplete entity that isn't stored throws ``FetchError/failed(_:_:)`` with the ``PayloadProblem``. So does a
    /// request for an entity that the payload doesn't have, if an entity of its type could not be read: the unreadable
    /// entity may be the requested one. Other problems are only in the problems of the payload.
    ///
    /// - Parameter payload: The payload.
    /// - Complexity: O(*n*) for *n* entities.
    public mutating func insert(_ payload: some PayloadConvertible) {
        let content = payload.payload.content
        for part in content.parts { part.add(to: &self) }
        for problem in content.problems { noteLoss(of: problem.type, problem) }
    }
}

extension FlatCache {
    /// Sets the fetcher of a type, which loads several entities in one call and returns a payload.
    ///
    ///     cache.setFetcher(of: Status.self) { ids in
    ///         try decoder.decode(Payload<[Status]>.self, from: try await server.statuses(ids))
    ///     }
    ///
    /// All entities of the payload are stored in one commit, including those that are nested in the requested ones.
    /// Properties that the payload leaves out keep their values. A requested entity that the payload doesn't have is an
    /// error for the requests that wait for it, and so is an incomplete one that isn't stored. The payload can also be
    /// one of patches. In all other respects, this fetcher is like one that returns entities.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age at which a stored entity becomes stale, so that `cacheFirst` fetches it again, or `nil` for
    ///     never.
    ///   - batchLimit: The maximum number of identifiers in one call, at least 1.
    ///   - batchWindow: How long to collect identifiers for a call, by the clock of the cache.
    ///   - load: A closure that returns a payload with the entities.
    @_disfavoredOverload
    public func setFetcher<Value: Cachable, Response: PayloadConvertible>(
        of type: Value.Type,
        maxAge: Duration? = nil,
        batchLimit: Int = .max,
        batchWindow: Duration? = nil,
        _ load: @escaping @Sendable (_ ids: Set<Value.ID>) async throws -> Response
    ) {
        setFetcher(of: type, maxAge: maxAge, batchLimit: batchLimit, batchWindow: batchWindow) { ids, answer in
            answer.insert(try await load(ids))
        }
    }

    /// Sets the fetcher of a type, which loads each entity in a call of its own and returns a payload.
    ///
    ///     cache.setFetcher(of: Status.self) { id in
    ///         try decoder.decode(Payload<Status>.self, from: try await server.status(id))
    ///     }
    ///
    /// All entities of the payload are stored in one commit, including those that are nested in the requested one. In
    /// all other respects, this fetcher is like one that returns an entity.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age at which a stored entity becomes stale, so that `cacheFirst` fetches it again, or `nil` for
    ///     never.
    ///   - load: A closure that returns a payload with the entity, or `nil` if the server has none.
    public func setFetcher<Value: Cachable & Decodable, Response: PayloadConvertible<Value>>(
        of type: Value.Type,
        maxAge: Duration? = nil,
        _ load: @escaping @Sendable (_ id: Value.ID) async throws -> Response?
    ) {
        setFetcher(of: type, maxAge: maxAge, batchLimit: 1) { ids, answer in
            for id in ids {
                if let payload = try await load(id) { answer.insert(payload) }
            }
        }
    }
}
