/// Why a generated setter could not do what it was asked to.
public enum RelationshipError: Error, Hashable, Sendable {
    /// The identifier property is a constant, and the entity to relate to has another identifier.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - identifier: What the property holds, described.
    ///   - other: What it would have to hold, described.
    case constantIdentifier(property: String, holding: String, insteadOf: String)

    /// The entity of a handle is not stored, so that there is nothing to relate; or the cache of the handle is gone.
    case ownerMissing(FlatCacheKey)
}

extension RelationshipError: CustomStringConvertible {
    /// What went wrong, and what to do about it.
    public var description: String {
        switch self {
        case .constantIdentifier(let property, let identifier, let other):
            """
            '\(property)' is a constant that holds \(identifier) and can't be set to \(other); \
            declare it with 'var', or store the related entity with 'FlatCache.set'
            """
        case .ownerMissing(let key):
            "\(key) is not in the cache of the handle; store it before relating it to others"
        }
    }
}
