extension RelationshipValidation {
    @_optimize(none)
    func names(for subject: Subject, _ cardinality: Cardinality) throws(Diagnostic) -> AccessorNames {
        let property = subject.property.name
        let location = subject.annotation.location
        let related = subject.payload.target
        let stem = Inflector.stem(of: property)
        if let stem, stem.isPlural != cardinality.isToMany {
            // The type may be a collection, but the accessors don't support it.
            if stem.isPlural, cardinality.identifier.hasSuffix(">") {
                throw .noIdentifiers(in: subject.property, at: location)
            }
            let type = subject.property.type ?? ""
            throw stem.isPlural
                ? .pluralOfOne(subject.property, type, at: location)
                : .singularOfSeveral(subject.property, type, at: location)
        }
        var accessor = subject.payload.accessorName
        if accessor == nil {
            guard let stem = stem ?? (subject.property.isCase ? (property, false) : nil) else {
                throw .noSuffix(property, related, at: location)
            }
            let isPlural = cardinality.isToMany && stem.stem != property
            if isPlural, let objection = Inflector.objectionToPlural(of: stem.stem) {
                throw .noPlural(objection, related, at: location)
            }
            accessor = isPlural ? Inflector.plural(of: stem.stem) : stem.stem
        }
        let name = accessor ?? property
        guard SwiftWords.isUsable(name) else { throw .unusableName(name, related, at: location) }
        return AccessorNames(accessor: name)
    }
}
