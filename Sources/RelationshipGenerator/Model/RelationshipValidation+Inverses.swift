extension RelationshipValidation {
    /// The inverse that an annotation names.
    struct Inverse {
        /// The index of the relationship with the annotation.
        let relationship: Int
        /// The location of the name of the other property.
        let location: SourceLocation
    }

    /// Reports inverses that don't exist, have no relationship, or don't lead back.
    ///
    /// One of the two annotations is enough. If both name their inverse, they must agree. Two relationships can't have
    /// the same inverse.
    ///
    /// The others are kept by setters of handles, for which both types describe them.
    @_optimize(none)
    func checkInverses() {
        var claims: [String: Int] = [:]
        var pairs: [(Int, Int)] = []
        if inverses.isEmpty { return }
        let candidates = NameIndex(relationships.map { "\($0.owner).\($0.property.name)" })
        let annotated = Set(inverses.map(\.relationship))
        for inverse in inverses {
            let index = inverse.relationship
            let relationship = relationships[index]
            guard let name = relationship.inverse else { continue }
            do throws(Diagnostic) {
                let path = relationship.relatedDeclaration.map { "\($0).\(name)" } ?? name
                let found = candidates[path]
                let others = found.map { relationships[$0] }
                guard try leadsBack(relationship, to: name, among: others, at: inverse.location) else { continue }
                if let earlier = claims[path].map({ relationships[$0] }), !areExclusive(earlier, relationship) {
                    throw .inverseTaken(path, by: earlier, at: inverse.location)
                }
                claims[path] = index
                // If both annotations name their inverse, the first one adds it.
                pairs += found.filter { $0 >= index || !annotated.contains($0) }.map { (index, $0) }
            } catch {
                report(error)
            }
        }
        for (index, other) in pairs { addInverse(other, of: index) }
    }

    /// Adds the inverse of a relationship, and the relationship as the inverse of that one.
    private func addInverse(_ other: Int, of index: Int) {
        let (relationship, inverse) = (relationships[index], relationships[other])
        guard inverse.relatedDeclaration == relationship.owner, !areExclusive(relationship, inverse) else { return }
        keptInverses.append(KeptInverse(relationship, inverse))
        if other != index { keptInverses.append(KeptInverse(inverse, relationship)) }
        inverse.inverse = relationship.property.name
        if relationship.isDescribedSettable, inverse.isDescribedSettable {
            relationship.keepsInverse = true
            inverse.keepsInverse = true
        }
    }

    /// Whether a relationship has the inverse that its annotation names; `false` when the inverse has an error of its
    /// own.
    @_optimize(none)
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

    @_optimize(none)
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
