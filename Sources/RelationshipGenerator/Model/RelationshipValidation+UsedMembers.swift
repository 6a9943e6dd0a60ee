/// Members of the target that the accessors would use in place of those of the library.
///
/// All that they call is spelt out, and most of it has names that nothing else has. What is left is looked for in the
/// extensions that the target makes of the types of the library, and of those that describe relationships.
extension RelationshipValidation {
    mutating func checkUsedMembers() {
        guard !relationships.isEmpty else { return }
        let used = usedMembers
        for (file, scanned) in target.files.enumerated() {
            for declaration in scanned.types where declaration.kind == .extension && !declaration.isLocal {
                guard let type = target.extendedType(of: declaration), let members = used[type] else { continue }
                for member in declaration.memberNames where members.contains(member.name) {
                    // That of a value is another one.
                    if member.name == "current", !member.isStatic { continue }
                    report(
                        Problem(
                            member.location,
                            "the accessors would use this '\(member.name)' in place of that of '\(type)'; "
                                + "give it another name"
                        ),
                        in: file
                    )
                }
            }
        }
    }

    /// What the accessors use of types that a target may extend.
    private var usedMembers: [String: Set<String>] {
        var used = Self.usedMembersOfLibrary
        for relationship in relationships where relationship.isDescribed {
            used["\(relationship.owner).Relationships", default: []].insert(relationship.names.accessor)
        }
        return used
    }

    private static let usedMembersOfLibrary: [String: Set<String>] = [
        "FlatCache": [
            "current", "FetchError", "FetchPolicy", "RelationshipError", "RelationshipOwner",
            "_fetch(_:_:in:isolation:)",
            "_relate(_:to:)", "_relate(_:to:in:)", "_relate(_:_:to:in:)", "_related(_:)", "_related(_:in:)",
        ],
        "FetchPolicy": ["cacheFirst"],
        "FlatCache.Relationship": ["init(_:_:)", "init(_:_:set:)"],
        "RelationshipOwner": ["_ToMany", "_ToOne", "_ToOptional", "_ToOptionalMany"],
    ]
}

extension TargetDeclarations {
    /// The type that an extension extends, type aliases of the target followed, without generic arguments; by its shorter name
    /// if it is one of the library.
    func extendedType(of declaration: TypeDeclaration) -> String? {
        guard declaration.kind == .extension else { return nil }
        let name = followAliases(from: declaration.qualifiedName, in: "").name.prefix { $0 != "<" }
        guard let last = QualifiedName.components(of: String(name)).last, name.hasPrefix("FlatCache."),
            last != "Relationship"
        else {
            return String(name)
        }
        return last.first == "_" ? String(last.dropFirst()) : String(last)
    }
}
