extension TargetReport {
    /// Creates a report from the results of a validation, with errors assigned to their annotations.
    @_optimize(none)
    init(target: String, validation: RelationshipValidation) {
        self.target = target
        annotations = []
        otherErrors = []
        notes = validation.notes
        payloads = validation.payloadTables.map(PayloadReport.init)
        let relationships = Dictionary(grouping: validation.relationships, by: \.file)
        let indexes = Dictionary(grouping: validation.indexes.filter(\.isDeclared), by: \.file)
        let diagnostics = Dictionary(grouping: validation.diagnostics, by: \.path)
        for (index, file) in validation.target.files.enumerated() {
            var errors = (diagnostics[file.path] ?? []).ordered { $0.location < $1.location }[...]
            let relationships = Dictionary(grouping: relationships[index] ?? [], by: \.location)
            let indexes = Dictionary(grouping: indexes[index] ?? [], by: \.location)
            for annotation in file.annotations {
                let end = annotation.location.offset + annotation.text.utf8.count
                while let error = errors.first, error.location < annotation.location {
                    otherErrors.append(error)
                    errors.removeFirst()
                }
                let own = errors.prefix { $0.location.offset < max(end, annotation.location.offset + 1) }
                errors = errors.dropFirst(own.count)
                annotations.append(
                    AnnotationReport(
                        path: file.path,
                        location: annotation.location,
                        comment: annotation.firstLine,
                        subject: AnnotatedProperty(annotation.attachment, in: file),
                        relationship: relationships[annotation.location]?.first.map {
                            RelationshipReport($0, in: validation.target)
                        },
                        index: indexes[annotation.location]?.first.map { IndexReport($0, in: validation.target) },
                        errors: Array(own)
                    )
                )
            }
            otherErrors += errors
        }
    }
}

extension Annotation {
    /// The first line of the text.
    fileprivate var firstLine: String { String(text.prefix { !$0.isNewline }) }
}

extension AnnotatedProperty {
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

extension RelationshipReport {
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
        let names = relationship.names
        self.names = [("accessor", names.accessor), ("setter", names.setter), ("fetch", names.fetch)]
        calls =
            [SwiftWords.declared(names.accessor)]
            + [names.setter, names.fetch].map { "\(SwiftWords.declared($0))(_:in:)" }
    }
}

extension IndexReport {
    fileprivate init(_ index: IndexedProperty, in target: TargetDeclarations) {
        owner = GraphType(module: target.module, name: index.owner)
        property = index.property.name
        isEach = index.isEach
        isUnique = index.isUnique
    }
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
