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
            let indices = indices.sorted { comesBefore(relationships[$0], relationships[$1]) }
            for index in indices { check(index, among: indices, written: written) }
            if let first = indices.first { checkDescriptions(of: relationships[first]) }
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

    /// Whether the type that describes the relationships of an owner can be added to it.
    private mutating func checkDescriptions(of relationship: Relationship) {
        guard relationship.hasDescriptions else { return }
        let owner = relationship.owner
        let reserved: Set = ["Relationships", "relationships", "relationships()"]
        for declaration in target.declarations(of: owner) {
            if let member = declaration.memberNames.first(where: { $0.isStatic && reserved.contains($0.name) }) {
                report(
                    Problem(
                        relationship.location,
                        "'\(owner)' already has a member '\(member.name)', which is the name of the generated description "
                            + "of its relationships; rename that member"
                    ),
                    in: relationship.file
                )
                return
            }
            if let property = declaration.properties.first(where: { isWritten("Relationships", in: $0.type ?? "") }) {
                report(
                    Problem(
                        relationship.location,
                        "'\(property.name)' has the type '\(property.type ?? "")', but in '\(owner)' that name will be "
                            + "the generated description of its relationships; write 'Module.Relationships'"
                    ),
                    in: relationship.file
                )
            }
        }
    }

    /// Whether a type that is written without a module or an enclosing type is among those in a type.
    private func isWritten(_ name: String, in type: String) -> Bool {
        type.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
            .contains { $0 == name || $0.hasPrefix(name + ".") }
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
