/// A stored property, or an associated value of a case, whose values have relationships: `var poll: Poll?`.
struct Part: GeneratedMember {
    /// The type with the property, qualified: `Blog.Post`.
    let owner: String
    let ownerAccess: AccessLevel
    let ownerAvailability: [String]
    let ownerConditions: [ConditionalBranch]
    /// The property, or the case.
    let property: PropertyDeclaration
    /// The pattern that binds an associated value to `held`, as written after `case`; `nil` for a property.
    let pattern: String?
    /// The optionals and collections around the type of the values.
    let shape: TypeShape
    /// The type of the values, qualified.
    var type: String
    /// The file with the imports that the owner's name needs, if another module declares its first component.
    let importingFile: Int?
}
