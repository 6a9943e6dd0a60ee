/// The check for properties that store entities instead of identifiers.
extension RelationshipValidation {
    @_optimize(none)
    func checkStoresIdentifiers(_ subject: Subject) throws(Diagnostic) {
        let scope = subject.owner.qualifiedName
        guard let type = subject.property.type, let cardinality = Cardinality(type) else { return }
        let related = meaning(of: subject.payload.target, in: scope)
        guard meaning(of: Self.entity(in: cardinality.identifier), in: scope) == related else { return }
        // An entity can be its own identifier.
        if target.identifierType(of: related) == related { return }
        let name = identifierName(for: subject, cardinality)
        let property = subject.property.declaration(
            SwiftWords.declared(name.property),
            Self.identifierType(subject.payload.target, cardinality)
        )
        throw .storedEntities(
            in: subject.property.name,
            areSeveral: cardinality.isToMany,
            declare: property,
            subject.payload.target,
            name: name.accessor,
            at: subject.annotation.location
        )
    }

    /// The name of a type after all type aliases are followed.
    private func meaning(of name: String, in scope: String) -> String {
        name == "Self" ? scope : target.unaliased(name, in: scope)
    }

    /// The entity of a handle's type, without generic arguments.
    private static func entity(in type: String) -> String {
        for handle in ["Cached<", "FlatCache.Cached<"] where type.hasPrefix(handle) && type.hasSuffix(">") {
            return String(type.dropFirst(handle.count).dropLast())
        }
        return String(type.prefix { $0 != "<" })
    }

    /// The type with identifiers in place of entities: `[Comment.ID]?` for `[Comment]?`.
    private static func identifierType(_ entity: String, _ cardinality: Cardinality) -> String {
        let identifier = "\(entity).ID" + (cardinality.hasOptionalElements ? "?" : "")
        let type =
            switch cardinality.container {
            case .none: identifier
            case .array: "[\(identifier)]"
            case .set: "Set<\(identifier)>"
            case .nested: "[[\(identifier)]]"
            case .dictionary(let key): "[\(key): \(identifier)]"
            }
        return type + (cardinality.isOptional ? "?" : "")
    }

    /// The name for a property with the identifiers, and the accessor's name where it can't be derived from the
    /// property's.
    private func identifierName(
        for subject: Subject,
        _ cardinality: Cardinality
    ) -> (property: String, accessor: String?) {
        let name = subject.property.name
        if subject.property.isCase || Inflector.stem(of: name) != nil { return (name, nil) }
        guard cardinality.isToMany else { return (name + "ID", nil) }
        if let singular = Inflector.singular(of: name) { return (singular + "IDs", nil) }
        let entity = (QualifiedName.components(of: subject.payload.target).last ?? "").filter { $0 != "`" }
        return (entity.prefix(1).lowercased() + entity.dropFirst() + "IDs", name)
    }
}
