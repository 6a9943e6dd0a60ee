extension FlatCache {
    /// The way from entities of one type to those that they refer to: one relationship, or several in a row.
    ///
    ///     Post.relationships.author               // FlatCache.Relationship<Post, Author>
    ///     Post.relationships.comments.author      // FlatCache.Relationship<Post, Author>
    ///
    /// Relationships are written as key paths, to ``FlatCache/prefetch(_:of:policy:isolation:)`` among others. A relationship
    /// has those of its related type as if they were its own properties; they lead on from there.
    ///
    /// It is nested in the cache because entities have a right to the name: that of two people is one, too.
    @dynamicMemberLookup
    public struct Relationship<Owner: Cachable, Related: Cachable>: Sendable {
        /// Fetches the related entities of owners, each once, and leaves out those that there are not.
        let fetch:
            @Sendable (
                _ owners: [Owner], _ cache: FlatCache, _ policy: FetchPolicy, _ isolation: isolated (any Actor)?
            ) async throws(FetchError) -> [Related]

        /// Creates a relationship to one entity at most.
        ///
        /// - Parameter id: Gives the identifier of the related entity; `nil` when there is none.
        public static func toOne(_ id: @escaping @Sendable (Owner) -> Related.ID?) -> Relationship {
            Relationship { owners in owners.compactMap(id) }
        }

        /// Creates a relationship to several entities.
        ///
        /// - Parameter ids: Gives the identifiers of the related entities; `nil` when there are none.
        public static func toMany<IDs: Sequence<Related.ID> & Sendable>(
            _ ids: @escaping @Sendable (Owner) -> IDs?
        ) -> Relationship {
            Relationship { owners in owners.flatMap { ids($0).map(Array.init) ?? [] } }
        }

        /// The way that goes on with a relationship of the related type.
        public subscript<Next>(
            dynamicMember next: any KeyPath<Related.Relationships, Relationship<Related, Next>> & Sendable
        ) -> Relationship<Owner, Next> where Related: RelationshipOwner {
            let next = Related.relationships[keyPath: next]
            return Relationship<Owner, Next> { owners, cache, policy, isolation throws(FetchError) in
                try await next.fetch(fetch(owners, cache, policy, isolation), cache, policy, isolation)
            }
        }

        private init(ids: @escaping @Sendable ([Owner]) -> [Related.ID]) {
            fetch = { owners, cache, policy, isolation throws(FetchError) in
                var seen: Set<Related.ID> = []
                let ids = ids(owners).filter { seen.insert($0).inserted }
                return try await cache.fetchPresent(Related.self, ids: ids, policy: policy, isolation: isolation)
            }
        }

        private init(
            fetch:
                @escaping @Sendable ([Owner], FlatCache, FetchPolicy, isolated (any Actor)?) async throws(FetchError)
                -> [Related]
        ) {
            self.fetch = fetch
        }
    }
}
