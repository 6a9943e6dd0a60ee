/// A property with an index: one with an annotation, or with a backlink.
struct IndexedProperty: GeneratedMember {
    let owner: String
    let ownerAccess: AccessLevel
    let ownerAvailability: [String]
    let ownerConditions: [ConditionalBranch]
    let property: PropertyDeclaration
    /// Whether each element of the property is in the index.
    let isEach: Bool
    /// Whether each value is expected in at most one entity.
    var isUnique: Bool
    /// Whether an annotation declares the index.
    var isDeclared: Bool
    /// The file with the property.
    var file: Int
    /// The location of the annotation.
    var location: SourceLocation
}
