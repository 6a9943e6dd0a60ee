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

/// The members of handles, which shadow relationships and properties of the same names.
extension RelationshipValidation {
    /// Notes the properties of entities that `handle.name` doesn't read, because handles have a member of the same name.
    ///
    /// They are no errors, because a name may be given, such as by JSON, and `handle[\.name]` reads the property.
    @_optimize(none)
    func noteShadowedProperties() {
        let owners = relationships.filter(\.isEntity).map(\.owner)
        for entity in Set(owners + relationships.compactMap(\.relatedDeclaration)) {
            for declaration in target.declarations(of: entity) {
                let inaccessible = declaration.properties.filter { $0.access.map { $0 <= .fileprivate } ?? false }
                for member in declaration.memberNames
                where !member.isStatic && AccessorNames.handleMembers.contains(member.name)
                    // Both have the same value.
                    && member.name != "id"
                    && !inaccessible.contains(where: { $0.name == member.name })
                {
                    notes.append(.shadowedByHandle(member))
                }
            }
        }
        notes = notes.ordered { $0.location < $1.location }
    }

    /// An extension of handles that the target declares.
    struct HandleExtension {
        var members: Set<String>
        /// The types that the values must be: `Cached<Post>`, or `where Value == Post`.
        var types: [String] = []
        /// The protocols that the values must conform to: `where Value: P`.
        var protocols: [String] = []
        /// Whether the extension has other requirements.
        var hasOtherRequirements = false
    }

    /// The extensions of handles that the target declares.
    var handleExtensions: [HandleExtension] {
        target.files.flatMap(\.types).filter { target.extendedType(of: $0) == "Cached" }.map(handleExtension)
    }

    @_optimize(none)
    private func handleExtension(_ declaration: TypeDeclaration) -> HandleExtension {
        func meaning(of name: Substring) -> String { target.followAliases(from: String(name), in: "").name }
        let aliased = target.followAliases(from: declaration.name, in: "").name.drop { $0 != "<" }
        let arguments = declaration.genericParameters.isEmpty ? aliased : declaration.genericParameters[...]
        var result = HandleExtension(members: [])
        for member in declaration.memberNames where !member.isStatic {
            result.members.insert(String(member.name.prefix { $0 != "(" }))
        }
        if !arguments.isEmpty { result.types.append(meaning(of: arguments.dropFirst().dropLast())) }
        for written in declaration.genericWhereClause.split(separator: ",") {
            let requirement = written.drop { $0 == " " }
            if requirement.hasPrefix("Value == ") {
                result.types.append(meaning(of: requirement.dropFirst(9)))
            } else if requirement.hasPrefix("Value: ") {
                for name in requirement.dropFirst(7).split(separator: "&") {
                    result.protocols.append(meaning(of: name.drop { $0 == " " }.prefix { $0 != " " }))
                }
            } else {
                result.hasOtherRequirements = true
            }
        }
        return result
    }

    /// Reports a relationship with the name of a member of the owner's handles.
    func checkHandle(_ relationship: Relationship, _ extensions: [HandleExtension]) {
        guard relationship.isEntity else { return }
        let accessor = relationship.names.accessor
        if AccessorNames.handleMembers.contains(accessor) {
            report(.memberOfHandles(accessor, of: relationship))
        } else if extensions.contains(where: { $0.members.contains(accessor) && extends(relationship.owner, $0) }) {
            report(.memberOfExtendedHandles(accessor, of: relationship))
        }
    }

    /// Whether the sources show that an extension adds its members to the handles of an entity, where they hide
    /// relationships.
    @_optimize(none)
    func extends(_ owner: String, _ handles: HandleExtension) -> Bool {
        // A type of another module may be written with its module, or without.
        func shortened(_ name: String) -> String {
            target.type(named: name) == nil ? QualifiedName.components(of: name).last.map(String.init) ?? name : name
        }
        let known = Set(target.inheritedNames(of: owner).map(shortened)).union(["Cachable", "Identifiable", "Sendable"])
        let isKnown = !handles.hasOtherRequirements || !handles.types.isEmpty || !handles.protocols.isEmpty
        return isKnown && handles.types.allSatisfy { $0 == owner }
            && handles.protocols.allSatisfy { known.contains(shortened($0)) }
    }
}

/// Members of the target that would be used by the accessors instead of the library's.
///
/// In extensions of ``FlatCache``, ``RelationshipOwner``, ``PayloadDecodable`` and ``PayloadOwner``, names that begin with an underscore are reserved for the
/// library. Other names that the accessors use are checked in the target's extensions of the library's types, and of
/// the types that describe relationships.
extension RelationshipValidation {
    @_optimize(none)
    func checkUsedMembers() {
        guard !relationships.isEmpty || !indexes.isEmpty else { return }
        let used = usedMembers
        for scanned in target.files {
            for declaration in scanned.types where declaration.kind == .extension && !declaration.isLocal {
                guard let type = target.extendedType(of: declaration), let members = used[type] else { continue }
                let isReserved = Self.typesWithReservedNames.contains(type)
                for member in declaration.memberNames
                where members.contains(member.name) || isReserved && member.name.hasPrefix("_") {
                    // Only a static `current` is used.
                    if member.name == "current", !member.isStatic { continue }
                    report(
                        members.contains(member.name)
                            ? .replacesMember(member, of: type) : .reservedMember(member, of: type)
                    )
                }
            }
        }
    }

    /// The members that the accessors use, by the type that a target may extend.
    private var usedMembers: [String: Set<String>] {
        var used = Self.usedMembersOfLibrary
        for relationship in relationships where relationship.isDescribed {
            used["\(relationship.owner).Relationships", default: []].insert(relationship.names.accessor)
        }
        for backlink in backlinks { used["\(backlink.owner).Relationships", default: []].insert(backlink.name) }
        return used
    }

    private static let usedMembersOfLibrary = [
        "FlatCache": Set(
            words: """
                current FetchError FetchPolicy RelationshipError RelationshipOwner PayloadDecodable PayloadOwner PayloadKey
                """
        ),
        "FetchPolicy": Set(words: "cacheFirst"),
        "FlatCache.Relationship": Set(words: "init(_:_:) init(_:_:set:)"),
        "FlatCache.Query": [],
        "FlatCache.Index": Set(words: "init(_:isUnique:) init(each:)"),
        "FlatCache.Inverse": Set(words: "init(_:_:)"),
        "FlatCache.AnyRelationship": Set(words: "init(_:) init(within:)"),
        "FlatCache.DeleteRule": Set(words: "init(_:_:index:)"),
        "RelationshipOwner": [],
        "PayloadDecodable": [],
        "PayloadOwner": [],
    ]

    private static let typesWithReservedNames = Set(
        words: """
            FlatCache FlatCache.Query FlatCache.Relationship RelationshipOwner PayloadDecodable PayloadOwner
            """
    )
}

extension TargetDeclarations {
    /// The type that an extension extends, with type aliases of the target followed and without generic arguments.
    ///
    /// A type of the library has its name without the module.
    @_optimize(none)
    func extendedType(of declaration: TypeDeclaration) -> String? {
        guard declaration.kind == .extension else { return nil }
        let name = followAliases(from: declaration.qualifiedName, in: "").name.prefix { $0 != "<" }
        guard let last = QualifiedName.components(of: String(name)).last, name.hasPrefix("FlatCache."),
            !["Relationship", "AnyRelationship", "Query", "Index", "Inverse", "DeleteRule"].contains(last)
        else {
            return String(name)
        }
        return last.first == "_" ? String(last.dropFirst()) : String(last)
    }
}
