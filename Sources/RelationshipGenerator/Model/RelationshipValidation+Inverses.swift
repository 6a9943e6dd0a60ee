extension RelationshipValidation {
    /// The inverse that an annotation names.
    struct Inverse {
        /// The index of the relationship with the annotation.
        var relationship: Int
        /// The location of the name of the other property.
        var location: SourceLocation
    }

    /// Reports inverses that don't exist, have no relationship, or don't lead back.
    ///
    /// One of the two annotations is enough. If both name their inverse, they must agree. Two relationships can't have
    /// the same inverse.
    mutating func checkInverses() {
        var claims: [String: Int] = [:]
        let candidates = Dictionary(grouping: inverses.isEmpty ? [] : relationships) {
            "\($0.owner).\($0.property.name)"
        }
        for inverse in inverses {
            let relationship = relationships[inverse.relationship]
            guard let name = relationship.inverse else { continue }
            do throws(Diagnostic) {
                let path = relationship.relatedDeclaration.map { "\($0).\(name)" } ?? name
                let found = candidates[path] ?? []
                guard try leadsBack(relationship, to: name, among: found, at: inverse.location) else { continue }
                if let earlier = claims[path].map({ relationships[$0] }), !areExclusive(earlier, relationship) {
                    throw .inverseTaken(path, by: earlier, at: inverse.location)
                }
                claims[path] = inverse.relationship
            } catch {
                report(error)
            }
        }
    }

    /// Whether a relationship has the inverse that its annotation names; `false` when the inverse has an error of its
    /// own.
    private func leadsBack(
        _ relationship: Relationship,
        to name: String,
        among candidates: [Relationship],
        at location: SourceLocation
    ) throws(Diagnostic) -> Bool {
        guard let type = relationship.relatedDeclaration else {
            throw .inverseInOtherModule(relationship, name, at: location)
        }
        guard !candidates.isEmpty else {
            if annotatedProperties.contains("\(type).\(name)") { return false }
            throw missingInverse(name, in: type, of: relationship, at: location)
        }
        guard let other = candidates.first(where: { $0.relatedDeclaration == relationship.owner }) else {
            throw .inverseLeadsElsewhere(
                candidates[0],
                notTo: relationship.owner,
                suggestion(for: name, in: type, of: relationship),
                at: location
            )
        }
        if let back = other.inverse, back != relationship.property.name {
            throw .inversesDiffer(other, names: back, not: relationship.property.name, at: location)
        }
        return true
    }

    private func missingInverse(
        _ name: String,
        in type: String,
        of relationship: Relationship,
        at location: SourceLocation
    ) -> Diagnostic {
        for place in target.places(of: type) {
            guard let property = target[place].properties.first(where: { $0.name == name }) else { continue }
            let place = "\(target.files[place.file].name):\(property.location.line)"
            var advice = "; write '// relationship: \(relationship.owner)' above it"
            let others = names(in: type, leadingTo: relationship, otherThan: name)
            if !others.isEmpty {
                // Suggest an annotation only for a property that holds identifiers.
                advice =
                    Inflector.stem(of: name) == nil
                    ? suggestion(for: name, in: type, of: relationship)
                    : advice
                        + ", or name \(Diagnostic.choice(of: others)), which leads to '\(relationship.owner)'"
            }
            return .inverseWithoutRelationship("\(type).\(name)", in: place, advice, at: location)
        }
        return .unknownInverse(name, in: type, suggestion(for: name, in: type, of: relationship), at: location)
    }

    /// The end of a message: a property with a similar name, the property whose accessor has the name, or all
    /// candidates.
    private func suggestion(for name: String, in type: String, of relationship: Relationship) -> String {
        let owner = relationship.owner
        let names = names(in: type, leadingTo: relationship, otherThan: name)
        let namesake = relationships.first {
            $0.owner == type && names.contains($0.property.name) && $0.names.accessor == name
        }
        if let near = EditDistance.suggestion(for: name, from: names) ?? namesake?.property.name {
            return "; did you mean '\(near)'?"
        }
        if names.isEmpty { return "; write the name of a property with '// relationship: \(owner)'" }
        return "; write \(Diagnostic.choice(of: names)), which \(names.count == 1 ? "leads" : "lead") to '\(owner)'"
    }

    /// The properties of a type that can be the inverse of a relationship, except one.
    private func names(in type: String, leadingTo relationship: Relationship, otherThan name: String) -> [String] {
        let candidates = relationships.filter {
            $0.owner == type && $0.relatedDeclaration == relationship.owner && $0.property.name != name
                && ($0.inverse == nil || $0.inverse == relationship.property.name)
        }
        return Set(candidates.map(\.property.name)).sorted()
    }
}
