extension RelationshipValidation {
    func names(for subject: Subject, _ shape: IdentifierShape) throws(Problem) -> AccessorNames {
        let property = subject.property.name
        let location = subject.annotation.location
        let stem = NameRules.stem(of: property)
        if let stem, stem.isPlural != shape.isToMany {
            // The type may be a collection, but the accessors don't support it.
            if stem.isPlural, shape.identifier.hasSuffix(">") { throw noIdentifiers(in: subject) }
            let type = subject.property.type ?? ""
            let singular = property.hasSuffix("s") ? String(property.dropLast()) : property
            throw Problem(
                location,
                stem.isPlural
                    ? "'\(property)' is named like several identifiers and has the type '\(type)' of one; "
                        + "write '\(singular): \(type)' or '\(property): [\(type)]'"
                    : "'\(property)' is named like one identifier and has the type '\(type)' of several; "
                        + "write '\(property)s: \(type)'"
            )
        }
        var accessor = subject.payload.accessorName
        if accessor == nil {
            guard let stem else {
                throw Problem(
                    location,
                    "no accessor name can be derived from '\(property)', which does not end in the word 'ID' or 'IDs'; "
                        + "write '// relationship: \(subject.payload.target), name: …'"
                )
            }
            if shape.isToMany, let objection = NameRules.objectionToPlural(of: stem.stem) {
                throw Problem(location, "\(objection); write '// relationship: \(subject.payload.target), name: …'")
            }
            accessor = shape.isToMany ? NameRules.plural(of: stem.stem) : stem.stem
        }
        let name = accessor ?? property
        if !SwiftWords.isUsable(name) {
            throw Problem(
                location,
                "'\(name)' can't be the name of an accessor; write '// relationship: \(subject.payload.target), name: …'"
            )
        }
        return AccessorNames(accessor: name)
    }
}
