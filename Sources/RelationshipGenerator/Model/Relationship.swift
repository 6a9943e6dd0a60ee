/// A valid relationship, with all values that rendering needs.
///
/// Its owner is the type with the property. For a case of an enum, the property is the case with the type of its associated
/// value.
final class Relationship: GeneratedMember {
    /// Whether the sources show that the owner is `Cachable`.
    let isEntity: Bool
    /// Whether a description of the relationships is generated, which key paths need; `false` for an owner that can't
    /// be copied.
    let isDescribed: Bool
    let property: PropertyDeclaration
    let cardinality: Cardinality
    /// The type of the keys of a dictionary, written so that it has the same meaning in the accessors.
    let key: String?
    /// The module that declares the type of the keys, if an accessor needs a public import of it.
    var keyModule: String?
    /// The related type, qualified if the target declares it.
    let target: String
    /// The module that declares the related type, if it isn't the target.
    var relatedModule: String?
    /// The qualified name of the related type's declaration, type aliases followed; `nil` when it is declared
    /// elsewhere.
    let relatedDeclaration: String?
    /// The inverse property of the related type, if one of the two annotations names it.
    var inverse: String?
    /// Whether handles can set this property and its inverse.
    var keepsInverse = false
    /// The name of the backlink, if the annotation names one.
    let backlink: String?
    /// The property that orders the backlink, if the annotation names one.
    let sorted: String?
    /// What becomes of the owner when the related entity is removed, unless it keeps the identifier.
    let deleteRule: DeleteRule?
    /// The files that declare the type aliases used for the related type.
    let aliasFiles: [Int]
    let names: AccessorNames
    let access: AccessLevel
    /// The access level of the setter, or `nil` when the identifiers can't be set.
    let setterAccess: AccessLevel?
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
    let file: Int
    let location: SourceLocation

    /// Creates the relationship of an annotated property.
    ///
    /// - Parameters:
    ///   - access: The access level of the accessors.
    ///   - key: The type of the keys of a dictionary.
    @_optimize(none)
    init(
        of subject: RelationshipValidation.Subject,
        in target: TargetDeclarations,
        _ cardinality: Cardinality,
        _ names: AccessorNames,
        _ related: RelationshipValidation.RelatedType,
        key: String?,
        access: AccessLevel
    ) {
        let property = subject.property
        let setter = min(access, property.setterAccess ?? access)
        file = subject.place.file
        location = subject.annotation.location
        fileName = target.files[file].name
        isEntity = target.isCachable(subject.owner.qualifiedName)
        isDescribed = target.isCopyable(subject.owner.qualifiedName)
        self.property = property
        self.cardinality = cardinality
        self.key = key
        self.target = related.name
        relatedDeclaration = related.declaration
        aliasFiles = related.aliasFiles
        inverse = subject.payload.inverse
        backlink = subject.payload.backlink
        sorted = subject.payload.sorted
        deleteRule = subject.payload.deleteRule.flatMap { $0 == .keep ? nil : $0 }
        self.names = names
        self.access = access
        setterAccess = property.isVariable && setter > .fileprivate ? setter : nil
        super.init(of: subject.place, in: target)
    }
}
