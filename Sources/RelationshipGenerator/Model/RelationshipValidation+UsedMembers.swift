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
