extension FlatCache {
    /// Fetches what entities refer to, with one request for each relationship instead of one for each entity.
    ///
    ///     try await cache.prefetch(\.author, for: posts)
    ///     try await cache.prefetch(\.author, \.comments.author, for: posts)
    ///
    /// A row that fetches the author of its post asks for one author. To prefetch those of a list before it is shown asks
    /// for all of them at once. Several key paths are followed step by step together: what they lead to next is fetched with
    /// one request for each type, whatever the number of relationships. Relationships are named as their accessors are.
    ///
    /// Entities that the server doesn't have are no error: what refers to them goes without, as with accessors, and so do
    /// those that are removed meanwhile. What is behind them in a key path is not fetched.
    ///
    /// - Parameters:
    ///   - paths: The relationships, from the entities on.
    ///   - owners: The entities, which need not be stored.
    ///   - policy: Where to take what they refer to from.
    ///   - isolation: The actor of the caller.
    /// - Throws: The first ``FetchError`` but ``FetchError/notFound(_:)`` and ``FetchError/removed(_:)``, when everything that
    ///   can be fetched without what has failed is in the cache.
    /// - Complexity: O(*n*) on average for *n* identifiers, beside fetching.
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

    /// Fetches what steps need, those of each type together, and all types at once.
    ///
    /// - Returns: The first failure; the other types are fetched all the same.
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
