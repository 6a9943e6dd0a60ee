extension FlatCache {
    /// A relationship of an owner without its static kind, for code that follows all relationships of a type.
    ///
    ///     static var allRelationships: [FlatCache.AnyRelationship<Post>] { [.init(\.author), .init(\.comments)] }
    ///
    /// ``RelationshipOwner/allRelationships`` lists those of a type. The build plugin generates it.
    public struct AnyRelationship<Owner>: @unchecked Sendable {  // The closures have only types and sendable closures.
        // They aren't `@Sendable`, because then the owner would have to be.
        /// Adds the related types.
        let addTypes: (inout RelatedTypes) -> Void
        /// Calls a visitor with the identifiers of an owner, which runs user code.
        let visit: (Owner, any IDVisitor) -> Void
        /// Replaces identifiers of an owner by others if the property can be set, which runs user code.
        let rename: (inout Owner, any IDRenaming) -> Void
        /// The property with its type, or the type of the values in it.
        let property: PropertyName
        /// The key path of the relationship, by which an index may find owners, or `nil` for values in a property.
        let path: AnyKeyPath?

        /// Creates one of a relationship that consists of one property.
        ///
        /// - Parameter relationship: The relationship.
        public init<Kind: PropertyKind>(_ relationship: KeyPath<Owner.Relationships, Relationship<Owner, Kind>>)
        where Owner: RelationshipOwner {
            let (identifiers, set, property) = {
                ($0.identifiers, $0.setIdentifiers, $0.property)
            }(Owner.relationships[keyPath: relationship])
            addTypes = { $0.related.append(Kind.Related.self) }
            visit = { $1.visit(Kind.Related.self, Kind._ids(identifiers($0))) }
            rename = { owner, renaming in
                guard let set else { return }
                let renamed = Kind._renamed(identifiers(owner)) { renaming.other(Kind.Related.self, $0) }
                if let renamed { set(&owner, renamed) }
            }
            self.property = .property(property)
            path = relationship
        }

        /// Creates one of all relationships of the values in a property, which are owners without an identifier of their own.
        ///
        ///     .init(within: { $0.polls })
        ///
        /// - Parameter parts: A closure that reads the values.
        public init<Part: RelationshipOwner>(within parts: @escaping @Sendable (Owner) -> some Sequence<Part>) {
            addTypes = { $0.addTypes(of: Part.self) }
            visit = { owner, visitor in
                for part in parts(owner) { visitor.visitRelated(of: part) }
            }
            rename = { _, _ in }
            property = .values(Part.self)
            path = nil
        }

        /// Creates one of all relationships of the value in a property, which is an owner without an identifier of its own.
        ///
        ///     .init(within: { $0.poll })
        ///
        /// - Parameter part: A closure that reads the value.
        public init<Part: RelationshipOwner>(within part: @escaping @Sendable (Owner) -> Part?) {
            addTypes = { $0.addTypes(of: Part.self) }
            visit = { owner, visitor in
                if let part = part(owner) { visitor.visitRelated(of: part) }
            }
            rename = { _, _ in }
            property = .values(Part.self)
            path = nil
        }
    }
}

/// The name of a property, as a text that is made when it is needed.
enum PropertyName: CustomStringConvertible {
    case property(StaticString)
    /// A property with values of a type.
    case values(any Any.Type)

    var description: String {
        switch self {
        case .property(let name): "\(name)"
        case .values(let type): "values of type \(type)"
        }
    }
}

extension IDVisitor {
    /// Visits the identifiers that all relationships of an owner hold.
    func visitRelated<Owner: RelationshipOwner>(of owner: Owner) {
        for relationship in Owner.allRelationships { relationship.visit(owner, self) }
    }
}

/// The replacement of identifiers by others.
protocol IDRenaming {
    /// The identifier that takes the place of another one, or `nil` if that one remains.
    func other<Related: Cachable>(_ type: Related.Type, _ id: Related.ID) -> Related.ID?
}

/// The types that the relationships of a type lead to.
struct RelatedTypes {
    /// The related types, each at least once.
    var related: [any Cachable.Type] = []
    private var known: Set<ObjectIdentifier> = []

    /// Adds the types that an owner is related to.
    mutating func addTypes<Owner: RelationshipOwner>(of type: Owner.Type) {
        // A value can have others of its type in it.
        guard known.insert(ObjectIdentifier(type)).inserted else { return }
        for relationship in type.allRelationships { relationship.addTypes(&self) }
    }
}

extension FlatCache.AnyRelationship: CustomStringConvertible, CustomReflectable {
    /// A line with the property: `FlatCache.AnyRelationship<Blog.Post>: authorID`.
    public var description: String {
        Summary.line(Summary.name("FlatCache.AnyRelationship", of: Owner.self), nil, ["\(property)"])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
