/// Why a generated setter, or an accessor that throws, could not do what it was asked to.
@frozen  // So that a switch over all cases is one with library evolution, too.
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

    /// Entities that a property names are not stored, and an accessor was asked that must have them.
    ///
    /// - Parameters:
    ///   - property: The property, with its type: `Post.authorID`.
    ///   - owner: The entity that has the property; `nil` when what has it is no entity.
    ///   - missing: The entities that are not stored, in the order of the property.
    case relatedMissing(property: String, owner: FlatCacheKey?, missing: [FlatCacheKey])
}

extension RelationshipError {
    /// The error of a generated setter whose identifier property is a constant.
    ///
    /// - Parameters:
    ///   - property: The property, with its type.
    ///   - identifier: What the property holds.
    ///   - other: What it would have to hold.
    public static func _constantIdentifier<Identifier>(
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

    /// The error of a generated accessor that must have what is not stored.
    ///
    /// - Parameters:
    ///   - property: The property, with its type.
    ///   - owner: The entity that has the property; `nil` when what has it is no entity.
    ///   - type: The type of the missing entities.
    ///   - ids: The identifiers of the missing entities.
    public static func _relatedMissing<Related: Cachable>(
        _ property: String,
        of owner: FlatCacheKey?,
        _ type: Related.Type,
        ids: [Related.ID]
    ) -> RelationshipError {
        .relatedMissing(property: property, owner: owner, missing: ids.map { FlatCacheKey(type, id: $0) })
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
            "\(key) is not in the cache of the handle, or that cache is gone; store it first"
        case .relatedMissing(let property, let owner, let missing):
            """
            '\(property)'\(owner.map { " of \($0)" } ?? "") names \(Self.listed(missing)), which \
            \(missing.count == 1 ? "is" : "are") not stored; store or fetch \(missing.count == 1 ? "it" : "them") first
            """
        }
    }

    private static func listed(_ keys: [FlatCacheKey]) -> String {
        keys.map(\.description).joined(separator: ", ")
    }
}
