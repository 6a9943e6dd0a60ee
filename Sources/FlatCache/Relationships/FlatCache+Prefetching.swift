extension FlatCache {
    /// Fetches what entities refer to, with one request for each relationship instead of one for each entity.
    ///
    ///     try await cache.prefetch(\.author, of: posts)
    ///     try await cache.prefetch(\.author, \.comments.author, of: posts)
    ///
    /// A row that fetches the author of its post asks for one author. To prefetch those of a list before it is shown asks
    /// for all of them at once. A key path of several relationships takes as many requests, one after the other; several
    /// key paths are followed concurrently. Relationships are named as their accessors are.
    ///
    /// Entities that the server doesn't have are no error: what refers to them goes without, as with accessors, and so do
    /// those that are removed meanwhile. What is behind them in a key path is not fetched.
    ///
    /// - Parameters:
    ///   - paths: The relationships, from the entities on.
    ///   - owners: The entities, which need not be stored.
    ///   - policy: Where to take what they refer to from.
    ///   - isolation: The actor of the caller.
    /// - Throws: The first ``FetchError`` but ``FetchError/notFound(_:)`` and ``FetchError/removed(_:)``. The other key paths
    ///   are given up then; what was fetched until then stays in the cache.
    /// - Complexity: O(*n*) on average for *n* identifiers, beside fetching.
    public func prefetch<Owner: RelationshipOwner, each Related: Cachable>(
        _ paths: repeat KeyPath<Owner.Relationships, Relationship<Owner, each Related>>,
        of owners: some Sequence<Owner>,
        policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) {
        let owners = Array(owners)
        var requests: [PrefetchRequest] = []
        for path in repeat each paths {
            let relationship = Owner.relationships[keyPath: path]
            requests.append { isolation throws(FetchError) in
                _ = try await relationship.fetch(owners, self, policy, isolation)
            }
        }
        try await run(requests, isolation: isolation)
    }

    /// Follows one key path of a prefetch.
    private typealias PrefetchRequest = @Sendable (_ isolation: isolated (any Actor)?) async throws(FetchError) -> Void

    private func run(_ requests: [PrefetchRequest], isolation: isolated (any Actor)?) async throws(FetchError) {
        if let request = requests.first, requests.count == 1 { return try await request(isolation) }
        let failure = await withTaskGroup(of: FetchError?.self, isolation: isolation) { group -> FetchError? in
            for request in requests {
                group.addTask {
                    do throws(FetchError) {
                        try await request(isolation)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await failure in group {
                guard let failure else { continue }
                group.cancelAll()
                return failure
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Fetches several entities, and leaves out those that there are not.
    func fetchPresent<Value: Cachable>(
        _ type: Value.Type,
        ids: [Value.ID],
        policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Value] {
        do throws(FetchError) {
            return try await fetch(type, ids: ids, policy: policy)
        } catch {
            switch error {
            // These are thrown when all the others have arrived.
            case .notFound, .removed: return get(type, ids: ids)
            default: throw error
            }
        }
    }
}
