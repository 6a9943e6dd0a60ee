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
