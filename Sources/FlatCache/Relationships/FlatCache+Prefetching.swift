extension FlatCache {
    /// Fetches related entities of several owners, with one request for each relationship instead of one for each
    /// owner.
    ///
    ///     try await cache.prefetch(\.author, for: posts)
    ///     try await cache.prefetch(\.author, \.comments.author, for: posts)
    ///
    /// A row that fetches the author of its post requests one author. Prefetch the authors before a list is shown to
    /// request all of them at once. Several key paths are followed together, step by step. Each step makes one request
    /// for each type, independent of the number of relationships. Relationships have the names of their accessors.
    ///
    /// Entities that the server doesn't have, or that are removed meanwhile, are not errors. Their related entities are
    /// not fetched.
    ///
    /// - Parameters:
    ///   - paths: The relationships, beginning at the owners.
    ///   - owners: The owners. They need not be stored.
    ///   - policy: Whether to take the related entities from the cache or from the fetcher.
    ///   - isolation: The actor of the caller.
    /// - Throws: The first ``FetchError`` except ``FetchError/notFound(_:)`` and ``FetchError/removed(_:)``, after all
    ///   entities that don't depend on the failed ones are fetched.
    /// - Complexity: O(*n*) on average for *n* identifiers, plus the time of the fetchers.
    public func prefetch<Owner: RelationshipOwner, each Kind: RelationshipKind>(
        _ paths: repeat KeyPath<Owner.Relationships, Relationship<Owner, each Kind>>,
        for owners: some Sequence<Owner>,
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) {
        let owners = Array(owners)
        var steps: [any PrefetchStep] = []
        for path in repeat each paths {
            steps.append(Owner.relationships[keyPath: path].begin(owners) { _ in nil })
        }
        var firstFailure: FetchError?
        while !steps.isEmpty && !Task.isCancelled {
            let stepsOfTypes = Dictionary(grouping: steps, by: \.type)
            let failure = await fetch(Array(stepsOfTypes.values), policy, isolation: isolation)
            firstFailure = firstFailure ?? failure
            steps = steps.compactMap { $0.next(in: self) }
        }
        if let firstFailure { throw firstFailure }
    }

    /// Fetches the entities of steps, with one request for each type, all types concurrently.
    ///
    /// - Returns: The first failure. The other types are fetched in any case.
    private func fetch(
        _ stepsOfTypes: [[any PrefetchStep]],
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async -> FetchError? {
        await withTaskGroup(of: FetchError?.self, isolation: isolation) { group in
            for steps in stepsOfTypes {
                group.addTask {
                    do throws(FetchError) {
                        try await steps.first?.fetch(with: steps, in: self, policy, isolation: isolation)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var first: FetchError?
            for await failure in group { first = first ?? failure }
            return first
        }
    }
}
