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
