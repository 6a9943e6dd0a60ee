/// A valid backlink: the accessor of a related type for the entities that refer to it.
struct Backlink: GeneratedMember {
    /// The name of the accessor.
    let name: String
    /// The relationship that it leads back from.
    let relationship: Relationship
    /// The type with the property, written so that it has the same meaning inside the related type.
    let referrer: String
    /// The property of that type which orders the entities, or `nil` for the order of insertion.
    var sorted: String?
    /// The related type, qualified, which has the accessor.
    let owner: String
    let ownerAccess: AccessLevel
    let ownerAvailability: [String]
    let ownerConditions: [ConditionalBranch]
    /// The location of the name.
    var location: SourceLocation

    /// The members that the backlink adds to the related type.
    var members: [String] { [name, "\(name)(in:)"] }
    /// The `@available` attributes of the accessor: those of the referring type and of the property.
    var availability: [String] {
        (relationship.ownerAvailability + relationship.property.availability).filter { !ownerAvailability.contains($0) }
    }
    /// The `#if` branches around the accessor: those around the referring type and the property.
    var conditions: [ConditionalBranch] {
        (relationship.ownerConditions + relationship.property.conditions).filter { !ownerConditions.contains($0) }
    }
}

/// A member of the generated code, which belongs to an extension of a type.
protocol GeneratedMember {
    /// The type, qualified: `Blog.Post`.
    var owner: String { get }
    /// The access level of the type.
    var ownerAccess: AccessLevel { get }
    /// The `@available` attributes of the type.
    var ownerAvailability: [String] { get }
    /// The `#if` branches around the type.
    var ownerConditions: [ConditionalBranch] { get }
}
