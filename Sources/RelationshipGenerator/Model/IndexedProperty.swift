/// A property with an index: one with an annotation, or with a backlink.
struct IndexedProperty: GeneratedMember {
    var owner: String
    var ownerAccess: AccessLevel
    var ownerAvailability: [String]
    var ownerConditions: [ConditionalBranch]
    var property: PropertyDeclaration
    /// Whether each element of the property is in the index.
    var isEach: Bool
    /// Whether each value is expected in at most one entity.
    var isUnique: Bool
    /// Whether an annotation declares the index.
    var isDeclared: Bool
    /// The file with the property.
    var file: Int
    /// The location of the annotation.
    var location: SourceLocation
}
