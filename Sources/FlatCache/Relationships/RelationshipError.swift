/// The reason why related entities could not be set or returned.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum RelationshipError: Error, Hashable, Sendable {
    /// The property can't be set, and the related entities have other identifiers.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - holding: A description of the identifiers that the property holds.
    ///   - insteadOf: A description of the identifiers of the related entities.
    case constantIdentifier(property: String, holding: String, insteadOf: String)

    /// The entity isn't stored, or the cache of its handle is deallocated.
    case ownerMissing(FlatCacheKey)

    /// Related entities aren't stored, although all were required.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - owner: The key of the owner, or `nil` if the owner isn't an entity.
    ///   - missing: The keys of the missing entities, in the order of the property.
    case relatedMissing(property: String, owner: FlatCacheKey?, missing: [FlatCacheKey])
}

extension RelationshipError: CustomStringConvertible, CustomReflectable {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .constantIdentifier(let property, let identifier, let other):
            """
            '\(property)' can't be set: it holds \(identifier), not \(other). Declare it 'var' with a setter that is as visible \
            as it is, or pass what it refers to
            """
        case .ownerMissing(let key):
            "\(key) is not in the cache, or the cache is deallocated; store it first"
        case .relatedMissing(let property, let owner, let missing):
            """
            '\(property)'\(owner.map { " of \($0)" } ?? "") refers to \(FlatCacheKey.list(missing)), which \
            \(missing.count == 1 ? "is" : "are") not stored; store or fetch \(missing.count == 1 ? "it" : "them") first
            """
        }
    }

    /// No members, so that `dump` prints the message alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
