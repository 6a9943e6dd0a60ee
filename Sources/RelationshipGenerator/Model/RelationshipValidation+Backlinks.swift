/// The backlinks of relationships, which are accessors of the related types.
extension RelationshipValidation {
    /// Adds the backlink that an annotation names, and the index that it needs.
    @_optimize(none)
    func addBacklink(of subject: Subject, _ relationship: Relationship) throws(Diagnostic) {
        guard let name = subject.payload.backlink, let location = subject.payload.backlinkLocation else {
            if let location = subject.payload.sortedLocation { throw .sortedWithoutBacklink(at: location) }
            return
        }
        if subject.payload.inverse != nil { throw .backlinkWithInverse(at: location) }
        try checkKind(of: relationship, name, at: location)
        guard let declaration = relationship.relatedDeclaration else {
            throw .backlinkInOtherModule(name, relationship.target, at: location)
        }
        guard SwiftWords.isUsable(name) else { throw .unusableBacklink(name, at: location) }
        if name == "FlatCache" { throw .backlinkNamedLikeLibrary(name, at: location) }
        if isGeneric(subject.place) { throw .genericBacklink(name, relationship.owner, at: location) }
        try checkConformance(of: relationship.owner, at: location)
        try checkSortKey(of: subject)
        try checkList("indexes", of: relationship.owner, at: location)
        for place in target.places(of: declaration) where target[place].kind != .extension {
            backlinks.append(try backlink(name, to: place, relationship, at: location))
        }
        add(IndexedProperty(of: relationship))
    }

    @_optimize(none)
    private func backlink(
        _ name: String,
        to place: TargetDeclarations.Place,
        _ relationship: Relationship,
        at location: SourceLocation
    ) throws(Diagnostic) -> Backlink {
        let related = target[place]
        let owner = related.qualifiedName
        guard related.kind == .struct || related.kind == .enum else { throw .notStruct(related, at: location) }
        if isGeneric(place) { throw .genericBacklink(name, owner, at: location) }
        let access = target.access(of: related, in: place.file)
        let written = target.writtenAccess(of: related, in: place.file)
        if written > access { throw .tooAccessible(related.name, written, in: access, at: location) }
        for module in ["FlatCache", "Swift"] { try checkModule(module, in: owner, at: location) }
        if writtenMembers(of: owner).contains("_found") {
            throw .moduleShadowedByMember("_found", of: owner, at: location)
        }
        let referrer = try nameInside(of: owner, of: relationship.owner, at: location)
        return Backlink(name, of: relationship, referrer: referrer, to: place, in: target, at: location)
    }

    /// Checks that the property holds an identifier, or an array or set of identifiers.
    private func checkKind(
        of relationship: Relationship,
        _ name: String,
        at location: SourceLocation
    ) throws(Diagnostic) {
        let words: String
        switch relationship.cardinality.container {
        case _ where relationship.property.isCase: words = "a case of an enum"
        case .nested: words = "an array of arrays"
        case .dictionary: words = "a dictionary"
        case .none, .array, .set: return
        }
        throw .unsupportedBacklink(name, words, of: relationship.property.name, at: location)
    }

    @_optimize(none)
    private func checkSortKey(of subject: Subject) throws(Diagnostic) {
        guard let name = subject.payload.sorted, let location = subject.payload.sortedLocation else { return }
        let owner = subject.owner.qualifiedName
        let properties = target.declarations(of: owner).flatMap { $0.properties + $0.jointProperties }
        guard let property = properties.first(where: { $0.name == name }) else {
            let near = EditDistance.suggestion(for: name, from: properties.map(\.name))
            throw .unknownSortKey(name, in: owner, near: near, at: location)
        }
        // Declarations in several branches may be complete.
        if properties.count(where: { $0.name == name }) == 1,
            let condition = property.conditions.first(where: { !subject.property.conditions.contains($0) })
        {
            throw .conditionalSortKey(name, condition, at: location)
        }
        if let access = property.access, access <= .fileprivate { throw .inaccessible(name, access, at: location) }
        if property.isLazy { throw .lazyProperty(name, at: location) }
        guard let type = property.type else { return }
        var shape = expanded(TypeShape(type), in: owner)
        _ = shape.removeOptional()
        if shape.isNamedType, shape.name != "Bool" { return }
        throw .unorderedSortKey(property, at: location)
    }

    /// Reports backlinks that would collide with members of the related type, or with each other.
    @_optimize(none)
    func checkBacklinks() {
        let handleExtensions = handleExtensions
        let byOwner = NameIndex(backlinks.map(\.owner))
        for owner in byOwner.names {
            let backlinks = byOwner[owner].map { self.backlinks[$0] }
            let written = members(of: owner)
            let generated = relationships.filter { $0.owner == owner }
            var reported: Set<SourceLocation> = []
            for (index, backlink) in backlinks.enumerated() where !reported.contains(backlink.location) {
                guard let error = collision(of: backlink, written, generated, backlinks[..<index], handleExtensions)
                else { continue }
                reported.insert(backlink.location)
                report(error)
            }
            if generated.isEmpty, let first = backlinks.first { checkDescriptions(of: owner, at: first.location) }
        }
    }

    @_optimize(none)
    private func collision(
        of backlink: Backlink,
        _ written: Set<String>,
        _ generated: [Relationship],
        _ earlier: ArraySlice<Backlink>,
        _ handleExtensions: [HandleExtension]
    ) -> Diagnostic? {
        if let member = (backlink.members + ["\(backlink.name)()"]).first(where: written.contains) {
            return .existingMember(member, of: backlink)
        }
        for relationship in generated {
            guard let member = backlink.members.first(where: relationship.members.contains) else { continue }
            return .generatedMember(member, by: relationship, of: backlink)
        }
        for other in earlier where other.name == backlink.name {
            let isSame = other.location == backlink.location
            if isSame || areExclusive(other.relationship, backlink.relationship) { continue }
            return .generatedMember(backlink.name, by: other, of: backlink)
        }
        if AccessorNames.handleMembers.contains(backlink.name) { return .memberOfHandles(backlink) }
        if handleExtensions.contains(where: { $0.members.contains(backlink.name) && extends(backlink.owner, $0) }) {
            return .memberOfExtendedHandles(backlink)
        }
        return nil
    }
}

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
