extension RelationshipValidation {
    /// The type that an annotation names.
    struct RelatedType {
        /// The name that the accessors use for the type.
        let name: String
        /// The qualified name of its declaration in the target, type aliases followed, or `nil` when it is declared elsewhere.
        var declaration: String?
        /// The module that declares the type, or `nil` when it is the target or isn't known.
        let module: String?
        /// The files that declare the type aliases used for the type.
        var aliasFiles: [Int] = []
        /// The highest access level that accessors can have.
        var access = AccessLevel.public
    }

    @_optimize(none)
    func relatedType(of subject: Subject) throws(Diagnostic) -> RelatedType {
        let name = subject.payload.target
        let location = subject.payload.targetLocation
        let scope = subject.owner.qualifiedName
        if let generic = genericType(around: subject.place, withParameter: firstComponent(of: name)) {
            throw .genericParameter(name, of: generic, at: location)
        }
        guard let resolved = name == "Self" ? scope : target.resolve(name, in: scope),
            let place = target.place(of: resolved)
        else { return try importedType(of: subject) }
        if target[place].kind == .protocol {
            throw .protocolType(name, at: location)
        }
        // Inside a generic type, its name means the type with the current parameters.
        let isInside = scope == resolved || scope.hasPrefix(outermostGeneric(around: place) + ".")
        if isGeneric(place), !isInside {
            throw .genericType(name, at: location)
        }
        try checkReach(of: place, at: location)
        let (unaliased, aliasFiles) = target.followAliases(from: resolved, in: "")
        let declaration = target.type(named: unaliased)?.qualifiedName
        if let declaration { try checkConformance(of: declaration, at: location) }
        return RelatedType(
            name: try nameInside(of: scope, of: resolved, at: location),
            declaration: declaration,
            module: declaration == nil ? module(in: unaliased) : nil,
            aliasFiles: aliasFiles,
            access: target.access(of: target[place], in: place.file)
        )
    }

    /// Checks that a cache can store a type, as far as the sources show.
    func checkConformance(of declaration: String, at location: SourceLocation) throws(Diagnostic) {
        guard let place = target.place(of: declaration) else { return }
        let type = target[place]
        switch target.conformance(of: declaration) {
        case .shown, .unknown: return
        case .missing:
            throw .notCachable(type, in: self.place(of: place), at: location)
        case .conditional(let condition):
            throw .conditionallyCachable(type, where: condition, at: location)
        }
    }

    /// The name of a type, with its generic parameters as arguments where it is more than a single name.
    func withGenericArguments(_ resolved: String) -> String {
        var path = ""
        return QualifiedName.components(of: resolved).map { component in
            path += path.isEmpty ? String(component) : ".\(component)"
            let parameters = genericParameters(of: target.type(named: path))
            return parameters.isEmpty ? String(component) : "\(component)<\(parameters.joined(separator: ", "))>"
        }.joined(separator: ".")
    }

    /// The names of the generic parameters of a type.
    @_optimize(none)
    private func genericParameters(of type: TypeDeclaration?) -> [String] {
        let parameters = type?.genericParameters.dropFirst().dropLast() ?? ""
        var depth = 0
        let written = parameters.split { character in
            depth += character == "<" || character == "(" ? 1 : character == ">" || character == ")" ? -1 : 0
            return character == "," && depth == 0
        }
        return written.compactMap { $0.prefix { $0 != ":" }.split(separator: " ").last.map(String.init) }
    }

    /// The module written in the name of a type, or `nil` when the name has one component.
    private func module(in name: String) -> String? {
        let first = firstComponent(of: name)
        return first == name ? nil : first
    }

    /// The name before the first period or module selector.
    func firstComponent(of name: String) -> String {
        QualifiedName.components(of: name).first.map(String.init) ?? name
    }

    private func outermostGeneric(around place: TargetDeclarations.Place) -> String {
        target.chain(from: place).last { !$0.genericParameters.isEmpty }?.qualifiedName ?? ""
    }

    /// The innermost enclosing type, itself included, with a generic parameter of the given name.
    func genericType(around place: TargetDeclarations.Place, withParameter name: String) -> String? {
        for declaration in target.chain(from: place) {
            let type = declaration.kind == .extension ? target.type(named: declaration.qualifiedName) : declaration
            if genericParameters(of: type).contains(name) { return declaration.qualifiedName }
        }
        return nil
    }
}
