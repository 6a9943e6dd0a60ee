/// Names that mean something else where the accessors stand.
///
/// They stand in extensions, where the nested types, generic parameters and associated types of the owner hide the types
/// around it, and where the members and local names hide them from expressions.
extension RelationshipValidation {
    /// The name of a type of the target where the accessors of a type stand: with the module where another type hides it.
    func nameInside(
        of scope: String,
        of resolved: String,
        at location: SourceLocation
    ) throws(Problem) -> String {
        let first = firstComponent(of: resolved)
        if !hidesType(first, in: scope), !Self.namesOfLibrary.contains(first) {
            return first == resolved ? resolved : withGenericArguments(resolved)
        }
        guard !hidesType(target.module, in: scope), target.type(named: target.module) == nil else {
            // Such a name is hidden where the owner conforms to the protocol that has it, which is rare.
            if !hidesType(first, in: scope), Self.namesOfProtocols.contains(first) {
                return withGenericArguments(resolved)
            }
            throw Problem(
                location,
                "'\(resolved)' can't be named in the accessors, where it needs the name of the module, "
                    + "'\(target.module)', which is that of a type too; rename one of the types"
            )
        }
        return "\(target.module).\(withGenericArguments(resolved))"
    }

    /// What the library and its handles call types inside of the types that get accessors.
    private static let namesOfLibrary: Set = namesOfProtocols.union(["Relationships", "Value", "ID"])

    /// The associated types of the protocols of Swift, which owners may have.
    private static let namesOfProtocols: Set = [
        "AllCases", "ArrayLiteralElement", "Body", "Bound", "Element", "Failure", "Index", "Indices", "Iterator",
        "Magnitude", "RawValue", "Stride", "SubSequence",
    ]

    /// Whether another type than the one at the top level of the target has a name inside of a type.
    private func hidesType(_ name: String, in scope: String) -> Bool {
        if let resolved = target.resolve(name, in: scope), resolved != name { return true }
        if let place = target.place(of: scope), genericType(around: place, withParameter: name) != nil { return true }
        return (target.protocols(of: scope) + ["Cached", "FlatCache.Cached"]).contains { around in
            target.type(named: "\(around).\(name)") != nil
                || target.declarations(of: around).contains { $0.associatedTypes.contains(name) }
        }
    }

    /// Whether the accessors can name the library, the modules of the language, and the one of the related type.
    func checkModules(of subject: Subject, _ names: AccessorNames, _ related: RelatedType) throws(Problem) {
        let scope = subject.owner.qualifiedName
        for module in ["FlatCache", "Swift", "_Concurrency"] + [related.module].compactMap({ $0 }) {
            if names.accessor == module {
                throw Problem(
                    subject.annotation.location,
                    "the accessors need '\(module)', and none can have that name; "
                        + "write '// relationship: \(subject.payload.target), name: …'"
                )
            }
            let hiding = target.resolve(module, in: scope).flatMap { target.place(of: $0) }
            if hiding != nil || hidesType(module, in: scope) {
                throw Problem(
                    subject.annotation.location,
                    "the accessors need '\(module)', which is the name of another type here"
                        + (hiding.map { " (\(place(of: $0)))" } ?? "") + "; rename that type"
                )
            }
            guard writtenMembers(of: scope).contains(module) else { continue }
            throw Problem(
                subject.annotation.location,
                "the accessors need '\(module)', which is the name of a member of '\(scope)'; rename that member"
            )
        }
    }

    /// Names related types with the module where a member, or a local name of the accessors, hides them.
    ///
    /// Where they are declared, types are looked for alone, but in expressions whatever has the name.
    mutating func qualifyHiddenTypes() {
        for (owner, indices) in Dictionary(grouping: relationships.indices, by: { relationships[$0].owner }) {
            var members = writtenMembers(of: owner)
            for index in indices { members.formUnion(relationships[index].members.map(Self.baseName)) }
            let isModuleHidden =
                members.contains(target.module) || target.type(named: target.module) != nil
                || hidesType(target.module, in: owner)
            for index in indices {
                let name = relationships[index].target
                let first = String(firstComponent(of: name).prefix { $0 != "<" })
                let isOwn = target.type(named: first) != nil && first != target.module
                guard isOwn || members.contains(first) else { continue }
                // Local names begin with small letters, as those of inherited members do.
                let bare = first.filter { $0 != "`" }
                guard members.contains(bare) || bare.first?.isLowercase == true else { continue }
                if isOwn, !isModuleHidden {
                    let qualified = name.contains("<") ? name : withGenericArguments(name)
                    relationships[index].target = "\(target.module).\(qualified)"
                } else if members.contains(bare) || Self.localNames.contains(bare) {
                    reportHidden(bare, relationships[index])
                }
            }
        }
    }

    private mutating func reportHidden(_ name: String, _ relationship: Relationship) {
        let advice =
            relationship.names.accessor == name
            ? "write '// relationship: \(relationship.target), name: …'" : "rename one of them"
        report(
            Problem(
                relationship.location,
                "'\(relationship.target)' can't be named in the accessors of '\(relationship.owner)', because '\(name)' and "
                    + "'\(target.module)' mean something else there; \(advice)"
            ),
            in: relationship.file
        )
    }

    /// The names of the members of a type that the sources show, with those of its protocols.
    private func writtenMembers(of owner: String) -> Set<String> {
        var names: Set<String> = []
        for type in [owner] + target.protocols(of: owner) {
            for declaration in target.declarations(of: type) {
                names.formUnion(declaration.memberNames.map { Self.baseName($0.name) })
            }
        }
        return names
    }

    /// The name of a member without its argument labels.
    private static func baseName(_ name: String) -> String { String(name.prefix { $0 != "(" }) }

    /// What the shipped template calls parameters and variables.
    private static let localNames: Set = [
        "cache", "identifier", "identifiers", "isolation", "missing", "owner", "policy", "related",
    ]
}
