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
        /// Makes the first step from owners to the related entities.
        ///
        /// - Parameter follow: Makes the step after the last one, from the related entities.
        let begin:
            @Sendable (
                _ owners: [Owner],
                _ follow: @escaping @Sendable ([Related]) -> (any PrefetchStep)?
            ) -> any PrefetchStep

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
            return Relationship<Owner, Next> { [begin] owners, follow in
                begin(owners) { next.begin($0, follow) }
            }
        }

        private init(ids: @escaping @Sendable ([Owner]) -> [Related.ID]) {
            begin = { RelatedStep(ids: Set(ids($0)), follow: $1) }
        }

        private init(
            begin:
                @escaping @Sendable ([Owner], @escaping @Sendable ([Related]) -> (any PrefetchStep)?) ->
                any PrefetchStep
        ) {
            self.begin = begin
        }
    }
}
