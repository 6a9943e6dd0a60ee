/// Members of the target that the accessors would use in place of those of the library.
///
/// Names with an underscore belong to the library in extensions of ``FlatCache`` and ``RelationshipOwner``. What else the
/// accessors name is looked for in the extensions that the target makes of the types of the library, and of those that
/// describe relationships.
extension RelationshipValidation {
    mutating func checkUsedMembers() {
        guard !relationships.isEmpty else { return }
        let used = usedMembers
        for (file, scanned) in target.files.enumerated() {
            for declaration in scanned.types where declaration.kind == .extension && !declaration.isLocal {
                guard let type = target.extendedType(of: declaration), let members = used[type] else { continue }
                let isReserved = Self.typesWithReservedNames.contains(type)
                for member in declaration.memberNames
                where members.contains(member.name) || isReserved && member.name.hasPrefix("_") {
                    // That of a value is another one.
                    if member.name == "current", !member.isStatic { continue }
                    let reason =
                        members.contains(member.name)
                        ? "the accessors would use this '\(member.name)' in place of that of '\(type)'"
                        : "'\(member.name)' begins with '_', as names in '\(type)' do that the accessors use"
                    report(Problem(member.location, reason + "; give it another name"), in: file)
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
        "FlatCache": ["current", "FetchError", "FetchPolicy", "RelationshipError", "RelationshipOwner"],
        "FetchPolicy": ["cacheFirst"],
        "FlatCache.Relationship": ["init(_:_:)", "init(_:_:set:)"],
        "RelationshipOwner": [],
    ]

    private static let typesWithReservedNames: Set = ["FlatCache", "RelationshipOwner"]
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
