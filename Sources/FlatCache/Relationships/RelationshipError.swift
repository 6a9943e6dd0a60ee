/// Why a generated setter could not do what it was asked to.
public enum RelationshipError: Error, Hashable, Sendable {
    /// The identifier property can't be set, and the entities to relate have other identifiers.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - holding: What the property holds, described.
    ///   - insteadOf: What it would have to hold, described.
    case constantIdentifier(property: String, holding: String, insteadOf: String)

    /// The entity of a handle is not stored, so that there is nothing to relate; or the cache of the handle is gone.
    case ownerMissing(FlatCacheKey)
}

extension RelationshipError {
    /// The error of a generated setter whose identifier property is a constant.
    ///
    /// - Parameters:
    ///   - property: The property, with its type.
    ///   - identifier: What the property holds.
    ///   - other: What it would have to hold.
    public static func constantIdentifier<Identifier>(
        _ property: String,
        holding identifier: Identifier,
        insteadOf other: Identifier
    ) -> RelationshipError {
        .constantIdentifier(
            property: property,
            holding: String(reflecting: identifier),
            insteadOf: String(reflecting: other)
        )
    }
}

extension RelationshipError: CustomStringConvertible {
    /// What went wrong, and what to do about it.
    public var description: String {
        switch self {
        case .constantIdentifier(let property, let identifier, let other):
            """
            '\(property)' can't be set: it holds \(identifier), and would have to hold \(other). Make it a variable, or relate \
            what it names
            """
        case .ownerMissing(let key):
            "\(key) is not in the cache of the handle, or that cache is gone; store it before relating it to others"
        }
    }
}
