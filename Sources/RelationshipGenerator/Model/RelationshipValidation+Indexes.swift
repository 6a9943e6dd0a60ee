/// The indexes that annotations declare, and those that backlinks need.
extension RelationshipValidation {
    /// Adds an index, or declares the one that the property has.
    func add(_ index: IndexedProperty) {
        let isSame = { (other: IndexedProperty) in
            other.file == index.file && other.property.location == index.property.location
        }
        guard let known = indexes.first(where: isSame) else { return indexes.append(index) }
        if index.isUnique { known.isUnique = true }
        if index.isDeclared {
            known.isDeclared = true
            known.location = index.location
        }
    }

    /// The index that an annotation declares.
    @_optimize(none)
    func index(of subject: Subject) throws(Diagnostic) -> IndexedProperty {
        let location = subject.annotation.location
        let owner = subject.owner
        guard owner.kind == .struct else { throw .indexOutsideOfStruct(owner, at: location) }
        try checkOwner(of: subject)
        try checkConformance(of: owner.qualifiedName, at: location)
        for module in ["FlatCache", "Swift"] { try checkModule(module, in: owner.qualifiedName, at: location) }
        try checkList("indexes", of: owner.qualifiedName, at: location)
        let isEach = try isCollection(subject)
        if isEach, subject.payload.isUnique { throw .uniqueElements(of: subject.property.name, at: location) }
        return IndexedProperty(of: subject, isEach: isEach, in: target)
    }

    /// Checks that a type doesn't declare a list itself: `indexes` or `deleteRules`.
    func checkList(_ name: String, of owner: String, at location: SourceLocation) throws(Diagnostic) {
        for declaration in target.declarations(of: owner) {
            guard declaration.memberNames.contains(where: { $0.isStatic && $0.name == name }) else { continue }
            throw .listDeclared(name, by: owner, at: location)
        }
    }

    /// Whether a property holds several values, each of which is in the index.
    private func isCollection(_ subject: Subject) throws(Diagnostic) -> Bool {
        let property = subject.property
        let location = subject.annotation.location
        guard let type = property.type else { throw .untypedIndex(of: property.name, at: location) }
        var shape = expanded(TypeShape(type), in: subject.owner.qualifiedName)
        _ = shape.removeOptional()
        let words = shape.description
        var isEach = false
        switch shape {
        case .array(let element), .set(let element):
            shape = element
            isEach = true
        default: break
        }
        while shape.removeOptional() {}
        if shape.isCollection { throw .indexOfCollections(words, in: property, at: location) }
        if !shape.isNamedType { throw .notHashable(property, at: location) }
        return isEach
    }
}

extension TypeShape {
    /// Whether the type is one that a declaration gives a name, such as `Int` or `Wrapped<[Int]>`, and not a tuple, a
    /// function, a fixed array or an existential.
    var isNamedType: Bool {
        switch self {
        case .name(let text), .other(let text):
            !text.hasPrefix("any ") && !text.hasPrefix("(") && !text.hasPrefix("[") && !text.contains("->")
        default: false
        }
    }
}

/// The delete rules of relationships.
extension RelationshipValidation {
    /// Checks that the owner is an entity, and that it can lose the identifier if the rule says so.
    func checkDeleteRule(of subject: Subject, _ relationship: Relationship) throws(Diagnostic) {
        guard let rule = relationship.deleteRule, let location = subject.payload.deleteRuleLocation else { return }
        try checkConformance(of: relationship.owner, at: location)
        try checkList("deleteRules", of: relationship.owner, at: location)
        if rule == .nullify { try checkIsRemovable(relationship, at: location) }
    }

    /// Checks that the generated code can remove an identifier from the property.
    private func checkIsRemovable(_ relationship: Relationship, at location: SourceLocation) throws(Diagnostic) {
        let property = relationship.property
        if property.isCase { throw .identifierOfCase(property.name, at: location) }
        if !relationship.cardinality.isToMany, !relationship.cardinality.isOptional {
            throw .requiredIdentifier(of: property.name, at: location)
        }
        if !property.isVariable { throw .constantIdentifier(of: property.name, at: location) }
        if !relationship.isDescribedSettable {
            throw .unsettableIdentifier(of: property.name, property.setterAccess ?? .private, at: location)
        }
    }
}
