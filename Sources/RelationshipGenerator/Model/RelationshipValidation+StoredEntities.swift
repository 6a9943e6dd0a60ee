/// The check for properties that store entities instead of identifiers.
extension RelationshipValidation {
    func checkStoresIdentifiers(_ subject: Subject) throws(Problem) {
        let scope = subject.owner.qualifiedName
        guard let type = subject.property.type, let shape = IdentifierShape(type) else { return }
        let related = meaning(of: subject.payload.target, in: scope)
        guard meaning(of: Self.entity(in: shape.identifier), in: scope) == related else { return }
        // An entity can be its own identifier.
        if target.identifierType(of: related) == related { return }
        let name = identifierName(for: subject, shape)
        let property = "\(SwiftWords.declared(name.property)): \(Self.identifierType(subject.payload.target, shape))"
        let advice = name.accessor.map { ", and write '// relationship: \(subject.payload.target), name: \($0)'" } ?? ""
        throw Problem(
            subject.annotation.location,
            "'\(subject.property.name)' holds "
                + (shape.isToMany ? "entities, not their identifiers; " : "an entity, not its identifier; ")
                + "store '\(property)'\(advice)"
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
    private static func identifierType(_ entity: String, _ shape: IdentifierShape) -> String {
        let identifier = "\(entity).ID" + (shape.hasOptionalElements ? "?" : "")
        let type =
            switch shape.container {
            case .none: identifier
            case .array: "[\(identifier)]"
            case .set: "Set<\(identifier)>"
            }
        return type + (shape.isOptional ? "?" : "")
    }

    /// The name for a property with the identifiers, and the accessor's name where it can't be derived from the
    /// property's.
    private func identifierName(
        for subject: Subject,
        _ shape: IdentifierShape
    ) -> (property: String, accessor: String?) {
        let name = subject.property.name
        if NameRules.stem(of: name) != nil { return (name, nil) }
        guard shape.isToMany else { return (name + "ID", nil) }
        if let singular = NameRules.singular(of: name) { return (singular + "IDs", nil) }
        let entity = (QualifiedName.components(of: subject.payload.target).last ?? "").filter { $0 != "`" }
        return (entity.prefix(1).lowercased() + entity.dropFirst() + "IDs", name)
    }
}
