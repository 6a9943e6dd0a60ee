extension FlatCache {
    /// A property of an owner that holds identifiers of other entities, or a chain of such properties.
    ///
    ///     Post.relationships.author               // FlatCache.Relationship<Post, FlatCache.ToOne<Author>>
    ///     Post.relationships.comments.author      // FlatCache.Relationship<Post, FlatCache.Path<Author>>
    ///
    /// Relationships are written as key paths: `post.cached(\.author)`, `handle.fetch(\.author)`,
    /// `cache.prefetch(\.comments.author, for: posts)`. A relationship has the relationships of its related type as
    /// properties, for longer paths.
    ///
    /// The build plugin generates a description of each annotated property. A description written by hand has the
    /// property's name for error messages, a closure that reads its identifiers, and one that sets them:
    ///
    ///     var author: FlatCache.Relationship<Post, FlatCache.ToOne<Author>> {
    ///         .init("Post.authorID", { $0.authorID }, set: { $0.authorID = $1 })
    ///     }
    ///
    /// The type is nested in ``FlatCache`` so that an app's entity can be called `Relationship`.
    @dynamicMemberLookup
    public struct Relationship<Owner, Kind: RelationshipKind>: Sendable {
        /// The property with its type, for error messages.
        @usableFromInline let property: StaticString
        @usableFromInline let identifiers: @Sendable (Owner) -> Kind.Identifiers
        /// Sets the identifiers, or `nil` if they can't be set.
        let setIdentifiers: (@Sendable (inout Owner, Kind.Identifiers) -> Void)?
        /// Whether the identifiers are ordered.
        let isOrdered: Bool
        /// Makes the first step of a path or a backlink, or `nil` for one property.
        let path: (@Sendable ([Owner], @escaping PrefetchFollower<Kind.Related>) -> any PrefetchStep)?

        @usableFromInline init(
            _ property: StaticString,
            _ identifiers: @escaping @Sendable (Owner) -> Kind.Identifiers,
            _ setIdentifiers: (@Sendable (inout Owner, Kind.Identifiers) -> Void)?,
            isOrdered: Bool = true
        ) {
            self.property = property
            self.identifiers = identifiers
            self.setIdentifiers = setIdentifiers
            self.isOrdered = isOrdered
            path = nil
        }

        init(
            _ backlink: StaticString,
            _ query: @escaping @Sendable (Owner) -> Kind.Identifiers,
            path: @escaping @Sendable ([Owner], @escaping PrefetchFollower<Kind.Related>) -> any PrefetchStep
        ) {
            property = backlink
            identifiers = query
            setIdentifiers = nil
            isOrdered = true
            self.path = path
        }

        fileprivate init<Related>(
            _ path: @escaping @Sendable ([Owner], @escaping PrefetchFollower<Related>) -> any PrefetchStep
        ) where Kind == Path<Related> {
            property = ""
            identifiers = { _ in }
            setIdentifiers = nil
            isOrdered = true
            self.path = path
        }

        /// The path that continues with a relationship of the related entities.
        public subscript<Next>(
            dynamicMember next: any KeyPath<Kind.Related.Relationships, Relationship<Kind.Related, Next>> & Sendable
        ) -> Relationship<Owner, Path<Next.Related>> where Kind.Related: RelationshipOwner {
            let next = Kind.Related.relationships[keyPath: next]
            return Relationship<Owner, Path<Next.Related>> { owners, follow in
                begin(owners) { related in next.begin(related, follow) }
            }
        }

        /// Makes the first step from owners to related entities.
        ///
        /// - Parameter follow: A closure that makes the step after the last one, from the related entities.
        func begin(_ owners: [Owner], _ follow: @escaping PrefetchFollower<Kind.Related>) -> any PrefetchStep {
            if let path { return path(owners, follow) }
            return RelatedStep(ids: KeySet(owners.flatMap { Kind._ids(identifiers($0)) }).keys, follow: follow)
        }
    }
}

extension FlatCache.Relationship {
    /// Creates a description of a property with one identifier, with arrays of arrays, or with a dictionary.
    ///
    /// - Parameters:
    ///   - property: The property with its type, such as `Post.authorID`, for error messages.
    ///   - identifiers: A closure that reads the property.
    ///   - set: A closure that sets the property, or `nil` if it can't be set.
    @_disfavoredOverload
    @inlinable
    public init(
        _ property: StaticString,
        _ identifiers: @escaping @Sendable (Owner) -> Kind.Identifiers,
        set: (@Sendable (inout Owner, Kind.Identifiers) -> Void)? = nil
    ) where Kind: FlatCache.PropertyKind {
        self.init(property, identifiers, set, isOrdered: true)
    }

    /// Creates a description of a property with several identifiers.
    ///
    /// - Parameters:
    ///   - property: The property with its type, such as `Post.tagIDs`, for error messages.
    ///   - identifiers: A closure that reads the property.
    ///   - set: A closure that sets the property, or `nil` if it can't be set.
    @inlinable
    public init<Related, IDs: _IdentifierCollection & Sendable>(
        _ property: StaticString,
        _ identifiers: @escaping @Sendable (Owner) -> IDs,
        set: (@Sendable (inout Owner, IDs) -> Void)? = nil
    ) where Kind == FlatCache.ToMany<Related>, IDs.Element == Related.ID {
        var setIdentifiers: (@Sendable (inout Owner, [Related.ID]) -> Void)?
        if let set { setIdentifiers = { set(&$0, IDs(_identifiers: $1)) } }
        self.init(property, { Array(identifiers($0)) }, setIdentifiers, isOrdered: IDs._isOrdered)
    }

    /// Creates a description of a property with several optional identifiers.
    ///
    /// - Parameters:
    ///   - property: The property with its type, such as `Post.tagIDs`, for error messages.
    ///   - identifiers: A closure that reads the property.
    ///   - set: A closure that sets the property, or `nil` if it can't be set.
    @inlinable
    public init<Related, IDs: _IdentifierCollection & Sendable>(
        _ property: StaticString,
        _ identifiers: @escaping @Sendable (Owner) -> IDs,
        set: (@Sendable (inout Owner, IDs) -> Void)? = nil
    ) where Kind == FlatCache.ToMany<Related>, IDs.Element == Related.ID? {
        var setIdentifiers: (@Sendable (inout Owner, [Related.ID]) -> Void)?
        if let set { setIdentifiers = { set(&$0, IDs(_identifiers: $1.map { $0 })) } }
        self.init(property, { identifiers($0).compactMap { $0 } }, setIdentifiers, isOrdered: IDs._isOrdered)
    }

    /// Creates a description of an optional property with several identifiers.
    ///
    /// - Parameters:
    ///   - property: The property with its type, such as `Post.tagIDs`, for error messages.
    ///   - identifiers: A closure that reads the property.
    ///   - set: A closure that sets the property, or `nil` if it can't be set.
    @inlinable
    public init<Related, IDs: _IdentifierCollection & Sendable>(
        _ property: StaticString,
        _ identifiers: @escaping @Sendable (Owner) -> IDs?,
        set: (@Sendable (inout Owner, IDs?) -> Void)? = nil
    ) where Kind == FlatCache.ToOptionalMany<Related>, IDs.Element == Related.ID {
        var setIdentifiers: (@Sendable (inout Owner, [Related.ID]?) -> Void)?
        if let set { setIdentifiers = { set(&$0, $1.map { IDs(_identifiers: $0) }) } }
        self.init(property, { identifiers($0).map(Array.init) }, setIdentifiers, isOrdered: IDs._isOrdered)
    }

    /// Creates a description of an optional property with several optional identifiers.
    ///
    /// - Parameters:
    ///   - property: The property with its type, such as `Post.tagIDs`, for error messages.
    ///   - identifiers: A closure that reads the property.
    ///   - set: A closure that sets the property, or `nil` if it can't be set.
    @inlinable
    public init<Related, IDs: _IdentifierCollection & Sendable>(
        _ property: StaticString,
        _ identifiers: @escaping @Sendable (Owner) -> IDs?,
        set: (@Sendable (inout Owner, IDs?) -> Void)? = nil
    ) where Kind == FlatCache.ToOptionalMany<Related>, IDs.Element == Related.ID? {
        var setIdentifiers: (@Sendable (inout Owner, [Related.ID]?) -> Void)?
        if let set { setIdentifiers = { set(&$0, $1.map { IDs(_identifiers: $0.map { $0 }) }) } }
        self.init(property, { identifiers($0)?.compactMap { $0 } }, setIdentifiers, isOrdered: IDs._isOrdered)
    }
}

extension FlatCache.Relationship: CustomStringConvertible, CustomReflectable {
    /// A line with the property and the related type: `FlatCache.Relationship<Blog.Post>("authorID"): Blog.Author`.
    public var description: String {
        let name = "\(property)"
        return Summary.line(
            Summary.name("FlatCache.Relationship", of: Owner.self),
            name.isEmpty ? nil : String(reflecting: name),
            [String(reflecting: Kind.Related.self)]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
