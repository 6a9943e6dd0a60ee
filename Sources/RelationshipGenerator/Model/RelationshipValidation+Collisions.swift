extension RelationshipValidation {
    /// Finds generated members that would collide with members of the type, or with each other.
    mutating func checkCollisions() {
        for (owner, indices) in Dictionary(grouping: relationships.indices, by: { relationships[$0].owner }) {
            var written: [String: SourceLocation] = [:]
            for declaration in target.declarations(of: owner) {
                // A static member can have the name of another one, a nested type can't.
                for member in declaration.memberNames
                where !member.isStatic || target.type(named: "\(owner).\(member.name)") != nil {
                    written[member.name] = member.location
                }
            }
            for index in indices.sorted(by: { comesBefore(relationships[$0], relationships[$1]) }) {
                check(index, among: indices, written: written)
            }
        }
    }

    private mutating func check(_ index: Int, among indices: [Int], written: [String: SourceLocation]) {
        let relationship = relationships[index]
        let members = relationship.names.members(isToMany: relationship.shape.isToMany)
        // A method without parameters collides with a property.
        if let member = members.first(where: { written[$0] != nil || written["\($0)()"] != nil }) {
            report(
                Problem(
                    relationship.location,
                    "'\(relationship.owner)' already has a member '\(member)'; "
                        + "write '// relationship: \(relationship.target), name: …'"
                ),
                in: relationship.file
            )
        }
        if relationship.hasHandle, AccessorNames.handleMembers.contains(relationship.names.accessor) {
            report(
                Problem(
                    relationship.location,
                    "every handle has a member '\(relationship.names.accessor)' already; "
                        + "write '// relationship: \(relationship.target), name: …'"
                ),
                in: relationship.file
            )
        }
        for other in indices {
            let earlier = relationships[other]
            guard comesBefore(earlier, relationship) else { continue }
            let shared = Set(members).intersection(earlier.names.members(isToMany: earlier.shape.isToMany))
            guard let member = members.first(where: shared.contains) else { continue }
            if areExclusive(
                earlier.ownerConditions + earlier.property.conditions,
                relationship.ownerConditions + relationship.property.conditions
            ) {
                continue
            }
            report(
                Problem(
                    relationship.location,
                    "the relationship of '\(earlier.property.name)' generates a member '\(member)' too; "
                        + "write '// relationship: \(relationship.target), name: …'"
                ),
                in: relationship.file
            )
        }
    }

    private func comesBefore(_ first: Relationship, _ second: Relationship) -> Bool {
        (first.file, first.location) < (second.file, second.location)
    }

    /// Whether two places are in different branches of one `#if` chain, so that never both are compiled.
    private func areExclusive(_ first: [ConditionalBranch], _ second: [ConditionalBranch]) -> Bool {
        for (one, other) in zip(first, second) where one != other {
            return one.directives.starts(with: other.directives) || other.directives.starts(with: one.directives)
        }
        return false
    }
}
