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
            do throws(Problem) {
                let path = relationship.relatedDeclaration.map { "\($0).\(name)" } ?? name
                let found = candidates[path] ?? []
                guard try leadsBack(relationship, to: name, among: found, at: inverse.location) else { continue }
                if let earlier = claims[path].map({ relationships[$0] }), !areExclusive(earlier, relationship) {
                    throw Problem(
                        inverse.location,
                        "'\(path)' is the inverse of '\(earlier.owner).\(earlier.property.name)' (\(earlier.origin)) "
                            + "already; a relationship can have one"
                    )
                }
                claims[path] = inverse.relationship
            } catch {
                report(error, in: relationship.file)
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
    ) throws(Problem) -> Bool {
        guard let type = relationship.relatedDeclaration else {
            throw Problem(
                location,
                "'\(relationship.target)' belongs to another module, whose entities can't refer to those of this one; "
                    + "remove 'inverse: \(name)'"
            )
        }
        guard !candidates.isEmpty else {
            if annotatedProperties.contains("\(type).\(name)") { return false }
            throw missingInverse(name, in: type, of: relationship, at: location)
        }
        guard let other = candidates.first(where: { $0.relatedDeclaration == relationship.owner }) else {
            throw Problem(
                location,
                "'\(type).\(name)' (\(candidates[0].origin)) leads to '\(candidates[0].target)', "
                    + "not back to '\(relationship.owner)'"
                    + suggestion(for: name, in: type, of: relationship)
            )
        }
        if let back = other.inverse, back != relationship.property.name {
            throw Problem(
                location,
                "'\(type).\(name)' (\(other.origin)) says that its inverse is '\(back)', "
                    + "not '\(relationship.property.name)'; make the two agree"
            )
        }
        return true
    }

    private func missingInverse(
        _ name: String,
        in type: String,
        of relationship: Relationship,
        at location: SourceLocation
    ) -> Problem {
        for place in target.places(of: type) {
            guard let property = target[place].properties.first(where: { $0.name == name }) else { continue }
            let place = "\(target.files[place.file].name):\(property.location.line)"
            var advice = "; write '// relationship: \(relationship.owner)' above it"
            let others = names(in: type, leadingTo: relationship, otherThan: name)
            if !others.isEmpty {
                // Suggest an annotation only for a property that holds identifiers.
                advice =
                    NameRules.stem(of: name) == nil
                    ? suggestion(for: name, in: type, of: relationship)
                    : advice
                        + ", or name \(Self.joined(others.map { "'\($0)'" })), which leads to '\(relationship.owner)'"
            }
            return Problem(location, "'\(type).\(name)' (\(place)) has no relationship" + advice)
        }
        return Problem(
            location,
            "'\(type)' has no property '\(name)'" + suggestion(for: name, in: type, of: relationship)
        )
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
        if names.count == 1 { return "; the one that leads to '\(owner)' is '\(names[0])'" }
        return "; those that lead to '\(owner)' are \(Self.joined(names.map { "'\($0)'" }))"
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
