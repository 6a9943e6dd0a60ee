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
