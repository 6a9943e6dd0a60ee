/// What the replacement of an identifier has changed.
public struct IdentifierReplacement: Sendable {
    /// The key with the old identifier.
    public let old: FlatCacheKey
    /// The key with the new identifier.
    public let new: FlatCacheKey
    /// The keys of the entities whose properties have the new identifier now, in no particular order.
    public internal(set) var changedOwners: [FlatCacheKey] = []
    /// The relationships that still have the old identifier.
    public internal(set) var unchanged: [UnchangedRelationship] = []

    /// A relationship that still has the old identifier, because its property is a constant of a type that can't be decoded.
    public struct UnchangedRelationship: Hashable, Sendable {
        /// The key of the entity with the property.
        public let owner: FlatCacheKey
        /// The property with its type, such as `Comment.postID`, or `values of type Poll` for the values in a property.
        public let property: String
    }
}

/// The replacement of one identifier by another one.
struct IDReplacement<Value: Cachable>: IDRenaming {
    let old: Value.ID
    let new: Value.ID

    func other<Related: Cachable>(_ type: Related.Type, _ id: Related.ID) -> Related.ID? {
        guard type == Value.self, id as? Value.ID == old else { return nil }
        return new as? Related.ID
    }
}

/// The replacement of all identifiers that were replaced, by the current ones.
struct CurrentIDs: IDRenaming {
    let cache: FlatCache

    func other<Related: Cachable>(_ type: Related.Type, _ id: Related.ID) -> Related.ID? {
        cache.lastID(of: type, id)
    }
}

extension IdentifierReplacement: CustomStringConvertible, CustomReflectable {
    /// A line with both keys: `IdentifierReplacement: Blog.Post("draft") by Blog.Post("1"), 2 changed owners`.
    public var description: String {
        Summary.line(
            "IdentifierReplacement",
            nil,
            [
                "\(old) by \(new)", Summary.some(changedOwners.count, "changed owner"),
                Summary.some(unchanged.count, "unchanged relationship"),
            ]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension IdentifierReplacement.UnchangedRelationship: CustomStringConvertible, CustomReflectable {
    /// A text with the property and the owner: `'authorID' of Blog.Post("1")`.
    public var description: String { "'\(property)' of \(owner)" }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
