/// A member of the generated code, which belongs to an extension of a type.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
class GeneratedMember {
    /// The type, qualified: `Blog.Post`.
    final let owner: String
    /// The access level of the type, at most `public`.
    final let ownerAccess: AccessLevel
    /// The `@available` attributes of the type.
    final let ownerAvailability: [String]
    /// The `#if` branches around the type.
    final let ownerConditions: [ConditionalBranch]

    /// Creates a member of a declaration.
    init(of place: TargetDeclarations.Place, in target: TargetDeclarations) {
        let declaration = target[place]
        owner = declaration.qualifiedName
        ownerAccess = min(target.access(of: declaration, in: place.file), .public)
        ownerAvailability = target.chain(from: place).reversed().flatMap(\.availability)
        ownerConditions = declaration.conditions
    }

    /// Creates a member of the declaration that has another member.
    init(beside other: GeneratedMember) {
        owner = other.owner
        ownerAccess = other.ownerAccess
        ownerAvailability = other.ownerAvailability
        ownerConditions = other.ownerConditions
    }
}

/// A valid backlink: the accessor of a related type for the entities that refer to it.
///
/// Its owner is the related type.
final class Backlink: GeneratedMember {
    /// The name of the accessor.
    let name: String
    /// The relationship that it leads back from.
    let relationship: Relationship
    /// The type with the property, written so that it has the same meaning inside the related type.
    let referrer: String
    /// The location of the name.
    let location: SourceLocation

    init(
        _ name: String,
        of relationship: Relationship,
        referrer: String,
        to place: TargetDeclarations.Place,
        in target: TargetDeclarations,
        at location: SourceLocation
    ) {
        self.name = name
        self.relationship = relationship
        self.referrer = referrer
        self.location = location
        super.init(of: place, in: target)
    }

    /// The property of the referrer which orders the entities, or `nil` for the order of insertion.
    var sorted: String? { relationship.sorted }
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

/// A relationship and its inverse, both valid, as the owner of the relationship describes them.
final class KeptInverse: GeneratedMember {
    let relationship: Relationship
    let inverse: Relationship

    init(_ relationship: Relationship, _ inverse: Relationship) {
        self.relationship = relationship
        self.inverse = inverse
        super.init(beside: relationship)
    }

    /// The `#if` branches around the two properties, without those around the owner.
    var conditions: [ConditionalBranch] {
        let own = relationship.property.conditions
        let others = (inverse.ownerConditions + inverse.property.conditions).filter {
            !ownerConditions.contains($0) && !own.contains($0)
        }
        return own + others
    }
}

/// A property with an index: one with an annotation, or with a backlink.
final class IndexedProperty: GeneratedMember {
    let property: PropertyDeclaration
    /// Whether each element of the property is in the index.
    let isEach: Bool
    /// Whether each value is expected in at most one entity.
    var isUnique: Bool
    /// Whether an annotation declares the index.
    var isDeclared: Bool
    /// The file with the property.
    let file: Int
    /// The location of the annotation.
    var location: SourceLocation

    /// The index that an annotation declares.
    init(of subject: RelationshipValidation.Subject, isEach: Bool, in target: TargetDeclarations) {
        property = subject.property
        self.isEach = isEach
        isUnique = subject.payload.isUnique
        isDeclared = true
        file = subject.place.file
        location = subject.annotation.location
        super.init(of: subject.place, in: target)
    }

    /// The index that the backlink of a relationship needs.
    init(of relationship: Relationship) {
        property = relationship.property
        isEach = relationship.cardinality.isToMany
        isUnique = false
        isDeclared = false
        file = relationship.file
        location = relationship.location
        super.init(beside: relationship)
    }
}

/// A stored property, or an associated value of a case, whose values have relationships: `var poll: Poll?`.
final class Part: GeneratedMember {
    /// The declaration of the owner.
    let place: TargetDeclarations.Place
    /// The property, or the case.
    let property: PropertyDeclaration
    /// The pattern that binds an associated value to `held`, as written after `case`; `nil` for a property.
    let pattern: String?
    /// The optionals and collections around the type of the values.
    let shape: TypeShape
    /// The type of the values, qualified.
    let type: String
    /// The file with the imports that the owner's name needs, if another module declares its first component.
    let importingFile: Int?

    init(
        _ property: PropertyDeclaration,
        _ pattern: String?,
        _ shape: TypeShape,
        of type: String,
        in place: TargetDeclarations.Place,
        importingFile: Int?,
        _ target: TargetDeclarations
    ) {
        self.property = property
        self.pattern = pattern
        self.shape = shape
        self.type = type
        self.importingFile = importingFile
        self.place = place
        super.init(of: place, in: target)
    }
}

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
