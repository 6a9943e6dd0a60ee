extension RelationshipValidation {
    /// Reports generated members that would collide with members of the type, or with each other.
    @_optimize(none)
    func checkCollisions() {
        let handleExtensions = handleExtensions
        let byOwner = NameIndex(relationships.map(\.owner))
        for owner in byOwner.names {
            let written = members(of: owner)
            let all = byOwner[owner].map { relationships[$0] }.ordered(by: comesBefore)
            for relationship in all {
                check(relationship, among: all, written: written)
                checkHandle(relationship, handleExtensions)
            }
            if let first = all.first, first.isDescribed {
                checkDescriptions(of: owner, at: first.location)
            }
        }
    }

    /// The members of a type whose names no accessor can have.
    @_optimize(none)
    func members(of owner: String) -> Set<String> {
        let inProtocols = target.protocols(of: owner).flatMap(target.declarations).filter { $0.kind == .extension }
        // An accessor hides a member of a protocol, unless the member fits a call better, as a setter without the cache
        // does.
        let setters = inProtocols.flatMap(\.memberNames).filter { !$0.isStatic && $0.name.hasSuffix("(_:)") }
        // A static member can have the name of another member. A nested type can't.
        let own = target.declarations(of: owner).flatMap(\.memberNames).filter {
            !$0.isStatic || target.type(named: "\(owner).\($0.name)") != nil
        }
        // The storage of a property with a wrapper.
        let wrapped = target.declarations(of: owner).flatMap { $0.properties + $0.jointProperties }
            .filter { target.isWrapped($0, in: owner) }
        return Set(own.map(\.name) + wrapped.map { "_\($0.name)" } + setters.map(\.name).filter { $0.hasPrefix("set") })
    }

    @_optimize(none)
    private func check(_ relationship: Relationship, among all: [Relationship], written: Set<String>) {
        let members = relationship.members
        let setter = relationship.names.setter
        // A method without parameters collides with a property, but not with a setter.
        if let member = members.first(where: { written.contains($0) || $0 != setter && written.contains("\($0)()") }) {
            report(.existingMember(member, of: relationship))
        }
        for earlier in all where comesBefore(earlier, relationship) {
            let shared = Set(members).intersection(earlier.members)
            guard let member = members.first(where: shared.contains) else { continue }
            if areExclusive(earlier, relationship) { continue }
            report(.generatedMember(member, by: earlier, of: relationship))
        }
    }

    /// Reports members that prevent adding the type that describes the relationships of an owner.
    func checkDescriptions(of owner: String, at location: SourceLocation) {
        switch obstacle(toDescribing: owner) {
        case .member(let name): report(.memberNamedRelationships(name, of: owner, at: location))
        case .type(let property): report(.typeNamedRelationships(of: property, of: owner, at: location))
        case nil: break
        }
    }

    /// What prevents adding the type that describes the relationships of an owner.
    enum DescriptionObstacle {
        /// A static member or nested type of this name.
        case member(String)
        /// A property whose type has the name of that type.
        case type(PropertyDeclaration)
    }

    /// The member that prevents adding the type that describes the relationships of an owner, if there is one.
    @_optimize(none)
    func obstacle(toDescribing owner: String) -> DescriptionObstacle? {
        var reserved: Set = ["Relationships", "relationships", "relationships()"]
        if keptInverses.contains(where: { $0.owner == owner }) { reserved.insert("inverses") }
        for declaration in target.declarations(of: owner) {
            if let member = declaration.memberNames.first(where: { $0.isStatic && reserved.contains($0.name) }) {
                return .member(member.name)
            }
            if let property = declaration.properties.first(where: { isWritten("Relationships", in: $0.type ?? "") }) {
                return .type(property)
            }
        }
        return nil
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
        ConditionalBranch.areExclusive(
            first.ownerConditions + first.property.conditions,
            second.ownerConditions + second.property.conditions
        )
    }
}
