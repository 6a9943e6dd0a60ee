extension RelationshipValidation {
    func cardinality(of subject: Subject) throws(Diagnostic) -> Cardinality {
        let name = subject.property.name
        let location = subject.annotation.location
        guard let type = subject.property.type else {
            throw .missingType(of: name, subject.payload.target, at: location)
        }
        for name in ["Set", "Array", "Optional"] where type.contains(name + "<") && !type.contains("Swift.\(name)<") {
            guard target.resolve(name, in: subject.owner.qualifiedName) != nil else { continue }
            throw .ambiguousCollection(name, of: subject.property.name, at: location)
        }
        guard let cardinality = expandedCardinality(of: type, in: subject.owner.qualifiedName) else {
            throw .noIdentifiers(in: subject.property, at: location)
        }
        return cardinality
    }

    /// The cardinality of a type, with type aliases of the target followed.
    private func expandedCardinality(of type: String, in scope: String) -> Cardinality? {
        guard let cardinality = Cardinality(type) else { return nil }
        let unaliased = target.unaliased(cardinality.identifier, in: scope)
        guard unaliased != cardinality.identifier, let inner = Cardinality(unaliased) else { return cardinality }
        return inner.isPlain ? cardinality : cardinality.replacingIdentifier(with: inner)
    }

    /// Checks that the identifiers have the type that identifies the related type, as far as the sources show.
    func checkIdentifier(_ identifier: String, of subject: Subject, _ related: RelatedType) throws(Diagnostic) {
        guard let declaration = related.declaration, let wanted = target.identifierType(of: declaration) else { return }
        let actual = target.identifierMeant(by: identifier, in: subject.owner.qualifiedName)
        guard actual != wanted, isCertain(actual), isCertain(wanted) else { return }
        throw .otherIdentifier(
            identifier,
            of: subject.property.name,
            subject.payload.target,
            identifiedBy: wanted,
            at: subject.annotation.location
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
