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
