/// A relationship that was found valid: all that rendering needs to know.
struct Relationship {
    /// The type that has the identifier property, qualified: `Blog.Post`.
    var owner: String
    /// The name of the owner inside of itself, where a nested type may hide it.
    var ownerInside: String
    /// The access level of the owner.
    var ownerAccess: AccessLevel
    /// Whether the sources show that the owner is `Cachable`.
    var isEntity: Bool
    /// Whether the owner's relationships are described, so that key paths can name them: not of what can't be copied.
    var isDescribed: Bool
    /// The `@available` attributes of the owner.
    var ownerAvailability: [String]
    /// The `#if` branches around the owner.
    var ownerConditions: [ConditionalBranch]
    var property: PropertyDeclaration
    var shape: IdentifierShape
    /// The related type, qualified where it is declared in the target.
    var target: String
    /// The module that declares the related type, if that is another one than that of the target.
    var relatedModule: String?
    /// The qualified name of the declaration of the related type, type aliases followed; `nil` when it is declared elsewhere.
    var relatedDeclaration: String?
    /// The property of the related type that leads back, where the annotation names one.
    var inverse: String?
    /// The files that declare the type aliases by which the related type is named.
    var aliasFiles: [Int]
    var names: AccessorNames
    var access: AccessLevel
    /// The access level of the setter, or `nil` when the identifiers can't be set.
    var setterAccess: AccessLevel?
    /// The name of the file with the annotation.
    var fileName: String
    /// The file and line of the annotation: `Post.swift:5`.
    var origin: String { "\(fileName):\(location.line)" }
    /// What orders the relationships of one owner.
    var file: Int
    var location: SourceLocation
}
