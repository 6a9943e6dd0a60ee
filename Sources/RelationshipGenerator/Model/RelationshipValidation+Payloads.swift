/// The tables of keys from which payloads read entities.
extension RelationshipValidation {
    /// The tables of all decodable entities, of the structures in them, and of other decodable structures with
    /// relationships, in the order of the sources.
    ///
    /// - Complexity: O(*n*) for *n* declarations.
    @_optimize(none)
    var payloadTables: [PayloadTable] {
        // With unmatched braces, the declarations can't be trusted.
        guard !target.files.contains(where: { $0.mismatch != nil }) else { return [] }
        guard target.mentionsEntities || !relationships.isEmpty else { return [] }
        let byOwner = NameIndex(relationships.map(\.owner))
        let structures = structuresInEntities
        var tables: [PayloadTable] = []
        for (file, scanned) in target.files.enumerated() {
            for (type, declaration) in scanned.types.enumerated() {
                guard !declaration.isLocal else { continue }
                let place = TargetDeclarations.Place(file: file, type: type)
                if declaration.kind == .enum, let table = tableWithoutKeys(of: place) { tables.append(table) }
                guard declaration.kind == .struct else { continue }
                let related = byOwner[declaration.qualifiedName].map { relationships[$0] }
                if let table = payloadTable(of: place, related, structures) {
                    tables.append(table)
                }
            }
        }
        return tables
    }

    /// The table of a type, or `nil` if the sources don't show that the type is decodable, and an entity, a structure in
    /// one, or an owner of relationships.
    @_optimize(none)
    private func payloadTable(
        of place: TargetDeclarations.Place,
        _ relationships: [Relationship],
        _ structures: Set<String>
    ) -> PayloadTable? {
        let type = target[place]
        let name = type.qualifiedName
        let isEntity = isEntity(name)
        let isMerged = isEntity || structures.contains(name)
        guard isMerged || !relationships.isEmpty else { return nil }
        let conformance = target.conformance(of: name, to: TargetDeclarations.decodableProtocols)
        guard conformance != .missing, conformance != .unknown, !hasOwnTable(name) else { return nil }
        let conforming = self.conforming(place, to: [target.cachableProtocols, TargetDeclarations.decodableProtocols])
        let table = PayloadTable(of: type, in: place.file, isEntity: isEntity, isMerged: isMerged)
        table.access = min(target.access(of: type, in: place.file), .public)
        table.availability = conforming.availability
        table.conditions = type.conditions + conforming.conditions
        if case .conditional(let condition) = conformance {
            table.notes = [.conditionallyDecodable(type, where: condition)]
        } else if let reason = objection(toTableOf: place) {
            table.notes = [.noTable(of: name, reason, at: type.location)]
        } else {
            addKeys(to: table, place, relationships, structures)
        }
        return table
    }

    /// The table of an entity type that is an enumeration, which has no keys, or `nil` if a type is none.
    private func tableWithoutKeys(of place: TargetDeclarations.Place) -> PayloadTable? {
        let type = target[place]
        guard isEntity(type.qualifiedName), isDecodable(type.qualifiedName) else { return nil }
        return PayloadTable(of: type, in: place.file, isEntity: true, isMerged: true, isLearnt: true)
    }

    /// Whether the target declares the table of a type.
    private func hasOwnTable(_ name: String) -> Bool {
        let protocols = TargetDeclarations.spellings(of: "PayloadDecodable", "PayloadOwner", in: "FlatCache")
        return !protocols.isDisjoint(with: target.inheritedNames(of: name))
            || target.declarations(of: name).contains { declaration in
                declaration.memberNames.contains { $0.isStatic && $0.name == "payloadKeys" }
            }
    }

    /// The branches of conditional compilation in which a type conforms to protocols, given by their spellings, and the
    /// availability of these conformances.
    @_optimize(none)
    func conforming(
        _ place: TargetDeclarations.Place,
        to protocols: [Set<String>]
    ) -> (conditions: [ConditionalBranch], availability: [String]) {
        let type = target[place]
        var conditions: [ConditionalBranch] = []
        var availability = target.chain(from: place).reversed().flatMap(\.availability)
        for protocols in protocols {
            let places = target.declarations(of: type.qualifiedName, conformingTo: protocols)
            if places.contains(place) { continue }
            let extensions = places.filter { target[$0].kind == .extension }
            let branches = extensions.map { target[$0].conditions.filter { !type.conditions.contains($0) } }
            if !branches.isEmpty, branches.allSatisfy({ !$0.isEmpty }) {
                conditions.append(.branch(aroundAnyOf: branches))
            }
            for attribute in extensions.prefix(1).flatMap({ target[$0].availability })
            where !availability.contains(attribute) {
                availability.append(attribute)
            }
        }
        return (conditions, availability)
    }

    /// The reason why the generated code can't declare the table of a type.
    private func objection(toTableOf place: TargetDeclarations.Place) -> String? {
        if let objection = objection(toConformanceOf: place) { return objection }
        let type = target[place]
        if target.type(named: "\(type.qualifiedName)._PayloadKey") != nil {
            return "it contains a type '_PayloadKey'; rename that type"
        }
        return type.attributes.contains("@MainActor") ? "it belongs to the main actor; make it nonisolated" : nil
    }

    /// The reason why the generated code can't make a type conform to a protocol of the library.
    @_optimize(none)
    func objection(toConformanceOf place: TargetDeclarations.Place) -> String? {
        let type = target[place]
        if let hidden = target.chain(from: place).first(where: { $0.access.map { $0 <= .fileprivate } ?? false }) {
            return "'\(hidden.name)' is \(hidden.access?.rawValue ?? ""); make it at least internal"
        }
        let access = target.access(of: type, in: place.file)
        if target.writtenAccess(of: type, in: place.file) > access {
            return "the extended type is \(access.rawValue); make '\(type.name)' \(access.rawValue), too"
        }
        if target.type(named: "FlatCache") != nil {
            return "another type has the name 'FlatCache'; rename that type"
        }
        return nil
    }
}

extension TargetDeclarations {
    /// Whether a declaration may conform to `Cachable`.
    fileprivate var mentionsEntities: Bool {
        files.contains { file in
            file.types.contains { type in
                (type.inheritedTypes + (type.aliasedType.map { [$0] } ?? [])).contains { name in
                    name.utf8.count >= 8 && (name.contains("Cachable") || name.contains("Storable"))
                }
            }
        }
    }
}

/// The structures that entities hold as values, of which payloads can leave out members.
extension RelationshipValidation {
    /// The structures in entities, and in such structures, that have tables of their own.
    ///
    /// - Complexity: O(*n*) for *n* properties.
    @_optimize(none)
    var structuresInEntities: Set<String> {
        var open = target.files.flatMap(\.types).filter { type in
            type.kind == .struct && !type.isLocal && isEntity(type.qualifiedName) && isDecodable(type.qualifiedName)
        }
        var found: Set<String> = []
        while let owner = open.popLast() {
            for property in owner.decodableProperties {
                guard let structure = valueType(of: property, in: owner), hasReadableKeys(structure),
                    found.insert(structure.qualifiedName).inserted
                else { continue }
                open.append(structure)
            }
        }
        return found
    }

    /// The note on a property whose value payloads replace as a whole, or `nil` if its type isn't known to be such one.
    func noteOnReplacedValue(
        of property: PropertyDeclaration,
        in owner: TypeDeclaration,
        _ structures: Set<String>
    ) -> Diagnostic? {
        guard let type = valueType(of: property, in: owner), hasKeys(type) else { return nil }
        let name = type.qualifiedName
        guard !structures.contains(name), !isEntity(name), isDecodable(name),
            target.conformance(of: name, to: TargetDeclarations.encodableProtocols) == .missing
        else { return nil }
        return .replacedValue(of: property, type: name)
    }

    /// The type of the target that a property has, or whose optional it is.
    private func valueType(of property: PropertyDeclaration, in owner: TypeDeclaration) -> TypeDeclaration? {
        guard let written = property.type ?? property.inferredType else { return nil }
        var shape = TypeShape(written)
        while case .optional(let wrapped) = shape { shape = wrapped }
        guard case .name(let name) = shape else { return nil }
        return target.type(named: target.unaliased(name, in: owner.qualifiedName))
    }

    /// Whether the sources show that a type conforms to `Cachable` without conditions.
    func isEntity(_ name: String) -> Bool {
        target.conformance(of: name, to: target.cachableProtocols) == .shown
    }

    /// Whether the sources show that a type conforms to `Decodable` without conditions.
    func isDecodable(_ name: String) -> Bool {
        target.conformance(of: name, to: TargetDeclarations.decodableProtocols) == .shown
    }

    /// Whether the sources show the keys of a structure: those that a synthesized `init(from:)` reads.
    private func hasReadableKeys(_ type: TypeDeclaration) -> Bool {
        guard type.kind == .struct, !type.isLocal, isDecodable(type.qualifiedName), !isEntity(type.qualifiedName),
            let place = target.place(of: type.qualifiedName), isNonisolated(place),
            target.chain(from: place).allSatisfy(\.genericParameters.isEmpty)
        else { return false }
        return !target.hasOwnDecodingInitializer(type.qualifiedName)
    }

    /// Whether a type isn't isolated, also if the main actor is the default isolation.
    ///
    /// Generated code can't refer to the properties of an isolated type. A conformance to `Cachable` makes the declaration
    /// of a type nonisolated, with the types in it.
    private func isNonisolated(_ place: TargetDeclarations.Place) -> Bool {
        for declaration in target.chain(from: place) {
            if declaration.attributes.contains("@MainActor") { return false }
            if declaration.isNonisolated { return true }
            let entities = target.declarations(of: declaration.qualifiedName, conformingTo: target.cachableProtocols)
            if declaration.kind != .extension, entities.contains(where: { target[$0].location == declaration.location })
            {
                return true
            }
        }
        return false
    }

    /// Whether values of a type are decoded from members with keys, as far as the sources show.
    private func hasKeys(_ type: TypeDeclaration) -> Bool {
        if target.type(named: "\(type.qualifiedName).CodingKeys") != nil { return true }
        if target.hasOwnDecodingInitializer(type.qualifiedName) { return false }
        return type.kind == .struct ? !type.decodableProperties.isEmpty : !type.cases.isEmpty
    }
}

/// What is needed to merge an entity without required properties with the stored one.
extension RelationshipValidation {
    /// The name of the stored property that has the identifier of a type, or `nil` if the sources show none.
    func identifier(of type: TypeDeclaration) -> String? {
        if type.decodableProperties.contains(where: { $0.name == "id" }) { return "id" }
        let declarations = computedIdentifiers(of: type.qualifiedName)
        let sources = Set(declarations.flatMap { $0.genericWhereClause.isEmpty ? $0.identifierSources : [nil] })
        return sources.count == 1 ? sources.first ?? nil : nil
    }

    /// The declarations of a type that compute its identifier, or else those of its protocols.
    private func computedIdentifiers(of type: String) -> [TypeDeclaration] {
        let own = target.declarations(of: type).filter { !$0.identifierSources.isEmpty }
        if !own.isEmpty { return own }
        return target.protocols(of: type).flatMap(target.declarations).filter { !$0.identifierSources.isEmpty }
    }

    /// Adds the notes on what prevents that an entity without required properties is merged with the stored one.
    @_optimize(none)
    func addNotesOnIncompleteEntities(
        to table: PayloadTable,
        _ type: TypeDeclaration,
        identifier: String?
    ) {
        let required = table.keys.filter { $0.isRequired && $0.property.name != identifier }
        if required.isEmpty { return }
        if !table.keys.contains(where: { $0.property.name == identifier }),
            let member = computedIdentifiers(of: type.qualifiedName).first?.memberNames.first(where: {
                $0.name == "id" && !$0.isStatic
            })
        {
            table.notes.append(.computedIdentifier(of: table.owner, at: member.location))
        }
        for key in table.keys {
            guard case .wrapped(type: nil, _) = key.form else { continue }
            guard required.contains(where: { $0.property.name != key.property.name }) else { continue }
            table.notes.append(.unknownWrapper(of: key.property))
        }
    }
}

extension PayloadTable.Key {
    /// Whether decoding needs the key, as far as the sources show.
    fileprivate var isRequired: Bool {
        switch form {
        case .local, .omittable: return false
        case .wrapped: return true
        default:
            guard let type = property.type else { return true }
            return !(type.hasSuffix("?") || type.hasSuffix("!") || type.hasPrefix("Optional<"))
        }
    }
}

extension TypeDeclaration {
    /// The stored properties that decoding can set, in the order of their declarations.
    var decodableProperties: [PropertyDeclaration] {
        var all = properties
        if !jointProperties.isEmpty {
            all = (properties + jointProperties).ordered { $0.location < $1.location }
        }
        return all.filter { !$0.isLazy && ($0.isVariable || !$0.hasInitialValue) }
    }
}

/// An entity whose `==` is written in the sources, so that it may leave out properties.
struct PartialEquality {
    let owner: String
    let access: AccessLevel
    let availability: [String]
    let conditions: [ConditionalBranch]
}

extension RelationshipValidation {
    /// Collects the entities whose `==` is written in the sources, with a note on each.
    ///
    /// - Complexity: O(*n*) for *n* declarations.
    @_optimize(none)
    func findPartialEqualities() {
        // With unmatched braces, the declarations can't be trusted.
        guard !target.files.contains(where: { $0.mismatch != nil }) else { return }
        let conformance = TargetDeclarations.spellings(of: "PartialEquality", in: "FlatCache")
        for (file, scanned) in target.files.enumerated() {
            for (number, type) in scanned.types.enumerated() {
                let name = type.qualifiedName
                guard type.kind == .struct || type.kind == .enum, !type.isLocal, isEntity(name),
                    let equality = target.equality(of: name),
                    conformance.isDisjoint(with: target.inheritedNames(of: name))
                else { continue }
                let place = TargetDeclarations.Place(file: file, type: number)
                let objection = objection(toConformanceOf: place)
                notes.append(.partialEquality(of: name, objection, at: equality.location))
                if objection != nil { continue }
                let conforming = conforming(place, to: [target.cachableProtocols])
                partialEqualities.append(
                    PartialEquality(
                        owner: name,
                        access: min(target.access(of: type, in: file), .public),
                        availability: conforming.availability,
                        conditions: type.conditions + conforming.conditions
                    )
                )
            }
        }
        notes = notes.ordered { $0.location < $1.location }
    }
}

extension TargetDeclarations {
    /// The `==` that a type or a protocol that it conforms to declares.
    fileprivate func equality(of type: String) -> MemberName? {
        ([type] + protocols(of: type)).flatMap(declarations).lazy.filter { $0.kind != .protocol }
            .flatMap(\.memberNames).first { $0.isStatic && $0.name.hasPrefix("==(") }
    }
}
