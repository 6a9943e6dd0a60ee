/// Why related entities could not be set, or not be returned.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum RelationshipError: Error, Hashable, Sendable {
    /// The identifier property can't be set, and the entities to relate have other identifiers.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - holding: What the property holds, described.
    ///   - insteadOf: What it would have to hold, described.
    case constantIdentifier(property: String, holding: String, insteadOf: String)

    /// The entity of a handle isn't stored, or the cache of the handle is gone.
    case ownerMissing(FlatCacheKey)

    /// Entities that a property refers to aren't stored, and all of them were required.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - owner: The entity that has the property; `nil` when what has it is no entity.
    ///   - missing: The entities that are not stored, in the order of the property.
    case relatedMissing(property: String, owner: FlatCacheKey?, missing: [FlatCacheKey])
}

extension RelationshipError: CustomStringConvertible {
    /// What went wrong, and what to do about it.
    public var description: String {
        switch self {
        case .constantIdentifier(let property, let identifier, let other):
            """
            '\(property)' can't be set: it holds \(identifier), not \(other). Declare it 'var' with a setter that is as visible \
            as it is, or pass what it refers to
            """
        case .ownerMissing(let key):
            "\(key) is not in the cache of the handle, or that cache is gone; store it first"
        case .relatedMissing(let property, let owner, let missing):
            """
            '\(property)'\(owner.map { " of \($0)" } ?? "") refers to \(Self.listed(missing)), which \
            \(missing.count == 1 ? "is" : "are") not stored; store or fetch \(missing.count == 1 ? "it" : "them") first
            """
        }
    }

    private static func listed(_ keys: [FlatCacheKey]) -> String {
        keys.map(\.description).joined(separator: ", ")
    }
}
