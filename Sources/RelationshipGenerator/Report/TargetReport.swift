/// The annotations of a target with their properties, derived relationships and errors, and its decodable entities.
package struct TargetReport: Sendable {
    /// The name of the target.
    package let target: String
    /// The annotations, ordered by file and line.
    package private(set) var annotations: [AnnotationReport] = []
    /// The errors that belong to no annotation, such as an unterminated comment.
    package private(set) var otherErrors: [Diagnostic] = []
    /// The notes, ordered by file and line.
    package let notes: [Diagnostic]
    /// The decodable entities, ordered by file and line.
    package let payloads: [PayloadReport]

    /// Creates a report from the results of a validation, with errors assigned to their annotations.
    @_optimize(none)
    init(_ validation: RelationshipValidation) {
        target = validation.target.module
        notes = validation.notes
        payloads = validation.payloadTables.map(PayloadReport.init)
        let relationships = NameIndex(validation.relationships.map { Self.key($0.file, $0.location) })
        let declared = validation.indexes.filter(\.isDeclared)
        let indexes = NameIndex(declared.map { Self.key($0.file, $0.location) })
        let diagnostics = NameIndex(validation.diagnostics.map(\.path))
        for (number, file) in validation.target.files.enumerated() {
            var errors = diagnostics[file.path].map { validation.diagnostics[$0] }.ordered {
                $0.location < $1.location
            }[...]
            for annotation in file.annotations {
                let end = annotation.location.offset + annotation.text.utf8.count
                while let error = errors.first, error.location < annotation.location {
                    otherErrors.append(error)
                    errors.removeFirst()
                }
                let own = errors.prefix { $0.location.offset < max(end, annotation.location.offset + 1) }
                errors = errors.dropFirst(own.count)
                let key = Self.key(number, annotation.location)
                annotations.append(
                    AnnotationReport(
                        annotation,
                        in: file,
                        relationships[key].first.map {
                            RelationshipReport(validation.relationships[$0], in: validation.target)
                        },
                        indexes[key].first.map { IndexReport(declared[$0], in: validation.target) },
                        errors: Array(own)
                    )
                )
            }
            otherErrors += errors
        }
    }

    private static func key(_ file: Int, _ location: SourceLocation) -> String { "\(file):\(location.offset)" }

    /// All errors, ordered by file and line.
    package var errors: [Diagnostic] {
        (annotations.flatMap(\.errors) + otherErrors).ordered { $0.location < $1.location }
    }
}

/// One annotation of a target.
package final class AnnotationReport: Sendable {
    /// The path of the file as it was passed in.
    package let path: String
    /// The location of the comment.
    package let location: SourceLocation
    /// The first line of the comment as written.
    package let comment: String
    /// The stored property or case that the annotation is attached to, or `nil` when it isn't attached to one.
    package let subject: AnnotatedProperty?
    /// The relationship that the annotation declares, or `nil` when it declares none or is invalid.
    package let relationship: RelationshipReport?
    /// The index that the annotation declares, or `nil` when it declares none or is invalid.
    package let index: IndexReport?
    /// The errors of the annotation.
    package let errors: [Diagnostic]

    fileprivate init(
        _ annotation: Annotation,
        in file: ScannedFile,
        _ relationship: RelationshipReport?,
        _ index: IndexReport?,
        errors: [Diagnostic]
    ) {
        path = file.path
        location = annotation.location
        comment = String(annotation.text.prefix { !$0.isNewline })
        subject = AnnotatedProperty(annotation.attachment, in: file)
        self.relationship = relationship
        self.index = index
        self.errors = errors
    }
}

/// The stored property or case that an annotation is attached to.
package final class AnnotatedProperty: Sendable {
    /// The type that has the property, qualified: `Blog.Post`.
    package let owner: String
    /// The name of the property.
    package let name: String
    /// The type of the property as written, or `nil` when no type is written; the associated values of a case.
    package let type: String?
    /// Whether it is a case of an enum.
    package let isCase: Bool
    /// The location of the name of the property.
    package let location: SourceLocation

    /// The property or case that an annotation is attached to, or `nil` when it isn't attached to one.
    fileprivate init?(_ attachment: Annotation.Attachment, in file: ScannedFile) {
        switch attachment {
        case .property(let type, let property):
            let declaration = file.types[type].properties[property]
            owner = file.types[type].qualifiedName
            name = declaration.name
            self.type = declaration.type
            isCase = false
            location = declaration.location
        case .enumCase(let type, let index):
            let declaration = file.types[type].cases[index]
            owner = file.types[type].qualifiedName
            name = declaration.name
            self.type = declaration.associatedValues
            isCase = true
            location = declaration.location
        case .unsuitable, .nothing: return nil
        }
    }
}

/// A relationship with all names derived from its annotation.
package final class RelationshipReport: Sendable {
    /// The type with the property.
    package let owner: GraphType
    /// The related type, with type aliases of the target followed.
    package let related: GraphType
    /// The identifier property.
    package let property: String
    /// Whether the property holds several identifiers.
    package let isToMany: Bool
    /// Whether the property can be `nil`, or another case can be in its place.
    package let isOptional: Bool
    /// The inverse property of the related type, if one of the two annotations names it.
    package let inverse: String?
    /// Whether setters of handles change the inverse, too.
    package let keepsInverse: Bool
    /// The accessor of the related type that leads back, if the annotation names one.
    package let backlink: String?
    /// The property that orders the backlink, if the annotation names one.
    package let sorted: String?
    /// What becomes of the owner when the related entity is removed, or `nil` if it keeps the identifier.
    package let deleteRule: DeleteRule?
    /// How the cache replaces an identifier of the property by another one.
    package let replacement: Replacement
    /// The related entity or entities as a noun phrase: `the author`.
    package let noun: String
    /// The type of the accessor: `Author?`, `[Comment]`, `[Language: Author]`.
    package let type: String
    /// The access level of the accessors.
    package let access: AccessLevel
    /// The names of the accessors by their roles: `accessor`, `setter`, `fetch`, in this order.
    package let names: [(role: String, name: String)]
    /// The names with their argument labels.
    package let calls: [String]

    @_optimize(none)
    fileprivate init(_ relationship: Relationship, in target: TargetDeclarations) {
        owner = GraphType(module: target.module, name: relationship.owner)
        related = GraphType(relatedBy: relationship, in: target)
        property = relationship.property.name
        isToMany = relationship.cardinality.isToMany
        isOptional = relationship.isOptional
        type = RelationshipCode(relationship).type
        noun = RelationshipCode(relationship).noun
        inverse = relationship.inverse
        keepsInverse = relationship.keepsInverse
        backlink = relationship.backlink
        sorted = relationship.sorted
        deleteRule = relationship.deleteRule
        let isCodable = [TargetDeclarations.decodableProtocols, TargetDeclarations.encodableProtocols].allSatisfy {
            !target.inheritedNames(of: relationship.owner).isDisjoint(with: $0)
        }
        replacement = relationship.isDescribedSettable ? .set : isCodable ? .coded : .none
        access = relationship.access
        let roles = relationship.names.roles
        names = roles.map { ($0.role, $0.name) }
        calls = roles.map { SwiftWords.declared($0.name) + $0.labels }
    }
}

extension RelationshipReport {
    /// How the cache replaces an identifier of a property by another one.
    package enum Replacement: String, Sendable {
        /// The property is set.
        case set
        /// The property can't be set, but the owner can be encoded and decoded.
        case coded
        /// The property keeps the identifier.
        case none
    }
}

/// An index of a property.
package final class IndexReport: Sendable {
    /// The type with the property.
    package let owner: GraphType
    package let property: String
    /// Whether each element of the property is in the index.
    package let isEach: Bool
    /// Whether each value is expected in at most one entity.
    package let isUnique: Bool

    fileprivate init(_ index: IndexedProperty, in target: TargetDeclarations) {
        owner = GraphType(module: target.module, name: index.owner)
        property = index.property.name
        isEach = index.isEach
        isUnique = index.isUnique
    }
}

/// A type of a relationship, in any module.
package struct GraphType: Hashable, Sendable {
    /// The module that declares the type.
    package let module: String
    /// The name, qualified by the enclosing types: `Blog.Post`.
    package let name: String
}

extension GraphType {
    /// The related type of a relationship.
    ///
    /// Its name may be an alias, or qualified by its module.
    fileprivate init(relatedBy relationship: Relationship, in target: TargetDeclarations) {
        if let declaration = relationship.relatedDeclaration {
            self.init(module: target.module, name: declaration)
            return
        }
        let name = target.unaliased(relationship.target, in: relationship.owner)
        let components = name.split(separator: ".", maxSplits: 1).map(String.init)
        self.init(module: components.count == 2 ? components[0] : target.module, name: components.last ?? name)
    }
}

/// The keys from which an entity is decoded.
package struct PayloadReport: Sendable {
    /// A decoded property.
    package struct Key: Sendable {
        package let property: String
        /// The coding key.
        package let name: String
        /// The other keys at which an identifier or a related entity can be, in the order of precedence.
        package let alternatives: [String]
        /// The related type of a relationship, whose entities can stand in the place of identifiers.
        package let related: String?
        /// The condition under which the key is compiled.
        package let condition: String?

        /// The key that a decoder with `.convertFromSnakeCase` has in place of the coding key, or `nil` if it has the same
        /// or another key of the property.
        package var convertedName: String? {
            let converted = KeyStrategy.keys(ofConverted: name)
            return alternatives.isEmpty && !converted.contains(name) ? converted.first : nil
        }
    }

    /// The type, qualified: `Blog.Post`.
    package let type: String
    /// The location of the type's name.
    package let location: SourceLocation
    package let keys: [Key]
    /// Whether the keys are learnt from the first complete entity of each case in a process.
    package let isLearnt: Bool
    /// The properties that a payload can't keep, and keys that can't be read.
    package let notes: [Diagnostic]
}

extension PayloadReport {
    init(_ table: PayloadTable) {
        type = table.owner
        location = table.location
        notes = table.notes
        isLearnt = table.isLearnt
        keys = table.keys.filter(\.isDecoded).map { key in
            Key(
                property: key.property.name,
                name: key.name,
                alternatives: key.alternatives,
                related: key.isRelated ? key.related : nil,
                condition: key.condition
            )
        }
    }
}
