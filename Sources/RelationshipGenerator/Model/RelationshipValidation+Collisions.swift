extension RelationshipValidation {
    /// Reports generated members that would collide with members of the type, or with each other.
    mutating func checkCollisions() {
        let handleExtensions = handleExtensions
        for (owner, indices) in Dictionary(grouping: relationships.indices, by: { relationships[$0].owner }) {
            let written = members(of: owner)
            let indices = indices.sorted { comesBefore(relationships[$0], relationships[$1]) }
            for index in indices {
                check(index, among: indices, written: written)
                checkHandle(relationships[index], handleExtensions)
            }
            if let first = indices.first { checkDescriptions(of: relationships[first]) }
        }
    }

    /// The members of a type whose names no accessor can have.
    private func members(of owner: String) -> Set<String> {
        let inProtocols = target.protocols(of: owner).flatMap(target.declarations).filter { $0.kind == .extension }
        // An accessor hides a member of a protocol, unless the member fits a call better, as a setter without the cache
        // does.
        let setters = inProtocols.flatMap(\.memberNames).filter { !$0.isStatic && $0.name.hasSuffix("(_:)") }
        // A static member can have the name of another member. A nested type can't.
        let own = target.declarations(of: owner).flatMap(\.memberNames).filter {
            !$0.isStatic || target.type(named: "\(owner).\($0.name)") != nil
        }
        return Set(own.map(\.name) + setters.map(\.name).filter { $0.hasPrefix("set") })
    }

    private mutating func check(_ index: Int, among indices: [Int], written: Set<String>) {
        let relationship = relationships[index]
        let members = relationship.names.members
        let setter = relationship.names.setter
        // A method without parameters collides with a property, but not with a setter.
        if let member = members.first(where: { written.contains($0) || $0 != setter && written.contains("\($0)()") }) {
            report(
                Problem(
                    relationship.location,
                    "'\(relationship.owner)' already has a member '\(member)'; "
                        + "write '// relationship: \(relationship.target), name: …'"
                ),
                in: relationship.file
            )
        }
        for other in indices {
            let earlier = relationships[other]
            guard comesBefore(earlier, relationship) else { continue }
            let shared = Set(members).intersection(earlier.names.members)
            guard let member = members.first(where: shared.contains) else { continue }
            if areExclusive(earlier, relationship) { continue }
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

    /// An extension of handles that the target declares.
    private struct HandleExtension {
        var members: Set<String>
        /// The types that the values must be: `Cached<Post>`, or `where Value == Post`.
        var types: [String] = []
        /// The protocols that the values must conform to: `where Value: P`.
        var protocols: [String] = []
        /// Whether the extension has other requirements.
        var hasOtherRequirements = false
    }

    /// The extensions of handles that the target declares.
    private var handleExtensions: [HandleExtension] {
        target.files.flatMap(\.types).filter { target.extendedType(of: $0) == "Cached" }.map { declaration in
            func meaning(of name: Substring) -> String { target.followAliases(from: String(name), in: "").name }
            let aliased = target.followAliases(from: declaration.name, in: "").name.drop { $0 != "<" }
            let arguments = declaration.genericParameters.isEmpty ? aliased : declaration.genericParameters[...]
            let members = declaration.memberNames.filter { !$0.isStatic }.map { String($0.name.prefix { $0 != "(" }) }
            var result = HandleExtension(members: Set(members))
            if !arguments.isEmpty { result.types.append(meaning(of: arguments.dropFirst().dropLast())) }
            for requirement in declaration.genericWhereClause.split(separator: ",").map({ $0.drop { $0 == " " } }) {
                if requirement.hasPrefix("Value == ") {
                    result.types.append(meaning(of: requirement.dropFirst(9)))
                } else if requirement.hasPrefix("Value: ") {
                    result.protocols += requirement.dropFirst(7).split(separator: "&").map { name in
                        meaning(of: name.drop { $0 == " " }.prefix { $0 != " " })
                    }
                } else {
                    result.hasOtherRequirements = true
                }
            }
            return result
        }
    }

    private mutating func checkHandle(_ relationship: Relationship, _ extensions: [HandleExtension]) {
        guard relationship.isEntity else { return }
        let accessor = relationship.names.accessor
        let message: String
        if AccessorNames.handleMembers.contains(accessor) {
            message = "every handle has a member '\(accessor)' already"
        } else if extensions.contains(where: { $0.members.contains(accessor) && extends(relationship.owner, $0) }) {
            message = "handles of '\(relationship.owner)' already have a member '\(accessor)'"
        } else {
            return
        }
        report(
            Problem(relationship.location, "\(message); write '// relationship: \(relationship.target), name: …'"),
            in: relationship.file
        )
    }

    /// Whether the sources show that an extension adds its members to the handles of an entity, where they hide
    /// relationships.
    private func extends(_ owner: String, _ handles: HandleExtension) -> Bool {
        // A type of another module may be written with its module, or without.
        func shortened(_ name: String) -> String {
            target.type(named: name) == nil ? QualifiedName.components(of: name).last.map(String.init) ?? name : name
        }
        let known = Set(target.inheritedNames(of: owner).map(shortened)).union(["Cachable", "Identifiable", "Sendable"])
        let isKnown = !handles.hasOtherRequirements || !handles.types.isEmpty || !handles.protocols.isEmpty
        return isKnown && handles.types.allSatisfy { $0 == owner }
            && handles.protocols.allSatisfy { known.contains(shortened($0)) }
    }

    /// Reports members that prevent adding the type that describes the relationships of an owner.
    private mutating func checkDescriptions(of relationship: Relationship) {
        guard relationship.isDescribed else { return }
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

    /// Whether a type contains a name that is written without a module or an enclosing type.
    private func isWritten(_ name: String, in type: String) -> Bool {
        type.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
            .contains { $0 == name || $0.hasPrefix(name + ".") }
    }

    private func comesBefore(_ first: Relationship, _ second: Relationship) -> Bool {
        (first.file, first.location) < (second.file, second.location)
    }

    /// Whether two relationships are in different branches of one `#if` chain, so that at most one of them is compiled.
    func areExclusive(_ first: Relationship, _ second: Relationship) -> Bool {
        let pairs = zip(
            first.ownerConditions + first.property.conditions,
            second.ownerConditions + second.property.conditions
        )
        for (one, other) in pairs where one != other {
            return one.directives.starts(with: other.directives) || other.directives.starts(with: one.directives)
        }
        return false
    }
}
