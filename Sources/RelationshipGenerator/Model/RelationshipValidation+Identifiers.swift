extension RelationshipValidation {
    func shape(of subject: Subject) throws(Problem) -> IdentifierShape {
        let name = subject.property.name
        guard let type = subject.property.type else {
            throw Problem(
                subject.annotation.location,
                "the type of '\(name)' must be written, as in '\(name): \(subject.payload.target).ID'"
            )
        }
        for name in ["Set", "Array", "Optional"] where type.contains(name + "<") && !type.contains("Swift.\(name)<") {
            guard target.resolve(name, in: subject.owner.qualifiedName) != nil else { continue }
            throw Problem(
                subject.annotation.location,
                "'\(name)' is a type of this target too; write 'Swift.\(name)<…>' in the type of '\(subject.property.name)'"
            )
        }
        guard let shape = expandedShape(of: type, in: subject.owner.qualifiedName) else {
            throw noIdentifiers(in: subject)
        }
        return shape
    }

    func noIdentifiers(in subject: Subject) -> Problem {
        Problem(
            subject.annotation.location,
            "'\(subject.property.name)' has the type '\(subject.property.type ?? "")'; "
                + "a relationship needs an identifier, or an array or set of identifiers"
        )
    }

    /// The cardinality of a type, with type aliases of the target followed.
    private func expandedShape(of type: String, in scope: String) -> IdentifierShape? {
        guard let shape = IdentifierShape(type) else { return nil }
        let unaliased = target.unaliased(shape.identifier, in: scope)
        guard unaliased != shape.identifier, let inner = IdentifierShape(unaliased) else { return shape }
        return inner.isPlain ? shape : shape.replacingIdentifier(with: inner)
    }

    /// Checks that the identifiers have the type that identifies the related type, as far as the sources show.
    func checkIdentifier(_ identifier: String, of subject: Subject, _ related: RelatedType) throws(Problem) {
        guard let declaration = related.declaration, let wanted = target.identifierType(of: declaration) else { return }
        let actual = target.identifierMeant(by: identifier, in: subject.owner.qualifiedName)
        guard actual != wanted, isCertain(actual), isCertain(wanted) else { return }
        throw Problem(
            subject.annotation.location,
            "'\(subject.property.name)' holds '\(identifier)', but '\(subject.payload.target)' is identified by "
                + "'\(wanted)'; write '\(subject.payload.target).ID'"
        )
    }

    /// Whether a name refers to a known type: a type of the standard library or Foundation, or a type of the target.
    private func isCertain(_ name: String) -> Bool {
        if let declared = target.type(named: name) { return declared.kind != .typealias }
        return Self.standardTypes.contains(name)
    }

    private static let standardTypes: Set<String> = [
        "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
        "UInt32",
        "UInt64", "Int128", "UInt128", "Double", "Float", "Bool", "UUID", "URL", "Date", "Data", "Decimal",
        "ObjectIdentifier",
    ]
}
