/// Names that are shadowed in the scope of the accessors.
///
/// Accessors are in extensions. There the nested types, generic parameters and associated types of the owner shadow
/// types outside of it. In expressions, members shadow types too; there the accessors only name the library.
extension RelationshipValidation {
    /// The name that refers to a type of the target inside the accessors of an owner, with the module if the plain name
    /// is shadowed.
    func nameInside(
        of scope: String,
        of resolved: String,
        at location: SourceLocation
    ) throws(Diagnostic) -> String {
        let first = firstComponent(of: resolved)
        if !shadowsType(first, in: scope), !Self.namesOfLibrary.contains(first) {
            return first == resolved ? resolved : withGenericArguments(resolved)
        }
        guard !shadowsType(target.module, in: scope), target.type(named: target.module) == nil else {
            // The name is shadowed if the owner conforms to a protocol that has it, which is rare.
            if !shadowsType(first, in: scope), Self.namesOfProtocols.contains(first) {
                return withGenericArguments(resolved)
            }
            throw .shadowedType(resolved, module: target.module, at: location)
        }
        return "\(target.module).\(withGenericArguments(resolved))"
    }

    /// The names that the library declares inside owners.
    private static let namesOfLibrary: Set = namesOfProtocols.union(["Relationships", "ID"])

    /// The associated types of the protocols of Swift, which owners may have.
    private static let namesOfProtocols = Set(
        words: """
            AllCases ArrayLiteralElement Body Bound Element Failure Index Indices Iterator Magnitude RawValue Stride \
            SubSequence
            """
    )

    /// Whether a name inside a type refers to another type than the one at the top level of the target.
    func shadowsType(_ name: String, in scope: String) -> Bool {
        if let resolved = target.resolve(name, in: scope), resolved != name { return true }
        if let place = target.place(of: scope), genericType(around: place, withParameter: name) != nil { return true }
        return target.protocols(of: scope).contains { around in
            target.type(named: "\(around).\(name)") != nil
                || target.declarations(of: around).contains { $0.associatedTypes.contains(name) }
        }
    }

    /// Checks that the accessors can name the library, the modules of the language and the module of the related type.
    @_optimize(none)
    func checkModules(of subject: Subject, _ names: AccessorNames, _ related: RelatedType) throws(Diagnostic) {
        let location = subject.annotation.location
        for module in ["FlatCache", "Swift", "_Concurrency"] + [related.module].compactMap({ $0 }) {
            if module == "FlatCache", names.accessor == module {
                throw .nameOfLibrary(module, subject.payload.target, at: location)
            }
            try checkModule(module, in: subject.owner.qualifiedName, at: location)
        }
    }

    /// Checks that the generated code can name a module inside a type.
    func checkModule(_ module: String, in scope: String, at location: SourceLocation) throws(Diagnostic) {
        let shadowing = target.resolve(module, in: scope).flatMap { target.place(of: $0) }
        if shadowing != nil || shadowsType(module, in: scope) {
            throw .shadowedModule(module, by: shadowing.map(place), at: location)
        }
        guard module == "FlatCache", writtenMembers(of: scope).contains(module) else { return }
        throw .moduleShadowedByMember(module, of: scope, at: location)
    }

    /// The names of the members of a type and of its protocols that the sources show.
    func writtenMembers(of owner: String) -> Set<String> {
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
}
