/// A valid relationship, with all values that rendering needs.
///
/// For a case of an enum, the property is the case with the type of its associated value.
struct Relationship: GeneratedMember {
    /// The type that has the identifier property, qualified: `Blog.Post`.
    let owner: String
    /// The access level of the owner.
    let ownerAccess: AccessLevel
    /// Whether the sources show that the owner is `Cachable`.
    let isEntity: Bool
    /// Whether a description of the relationships is generated, which key paths need; `false` for an owner that can't
    /// be copied.
    let isDescribed: Bool
    /// The `@available` attributes of the owner.
    let ownerAvailability: [String]
    /// The `#if` branches around the owner.
    let ownerConditions: [ConditionalBranch]
    let property: PropertyDeclaration
    let cardinality: Cardinality
    /// The type of the keys of a dictionary, written so that it has the same meaning in the accessors.
    let key: String?
    /// The module that declares the type of the keys, if an accessor needs a public import of it.
    let keyModule: String?
    /// The related type, qualified if the target declares it.
    let target: String
    /// The module that declares the related type, if it isn't the target.
    let relatedModule: String?
    /// The qualified name of the related type's declaration, type aliases followed; `nil` when it is declared
    /// elsewhere.
    let relatedDeclaration: String?
    /// The inverse property of the related type, if one of the two annotations names it.
    var inverse: String?
    /// Whether handles can set this property and its inverse.
    var keepsInverse = false
    /// The name of the backlink, if the annotation names one.
    var backlink: String?
    /// The property that orders the backlink, if the annotation names one.
    var sorted: String?
    /// What becomes of the owner when the related entity is removed, unless it keeps the identifier.
    var deleteRule: DeleteRule?
    /// The files that declare the type aliases used for the related type.
    let aliasFiles: [Int]
    let names: AccessorNames
    var access: AccessLevel
    /// The access level of the setter, or `nil` when the identifiers can't be set.
    var setterAccess: AccessLevel?
    /// Whether the description can set the property.
    ///
    /// A setter with a lower access level must not be reachable through a public description.
    var isDescribedSettable: Bool { !property.isCase && setterAccess.map { $0 >= access } ?? false }
    /// The name of the file with the annotation.
    let fileName: String
    /// Whether the accessors are `nil` without an identifier: if the property is `nil`, or the value is another case.
    var isOptional: Bool { cardinality.isOptional || property.isCase }
    /// The name of the property from which the accessors read: the annotated one, or the generated one of a case.
    var source: String { property.isCase ? "_\(property.name)" : property.name }
    /// The members that the accessors add to the owner.
    var members: [String] { names.members + (property.isCase ? [source] : []) }
    /// The file and line of the annotation: `Post.swift:5`.
    var origin: String { "\(fileName):\(location.line)" }
    /// The sort key of the relationships of one owner.
    var file: Int
    var location: SourceLocation
}
