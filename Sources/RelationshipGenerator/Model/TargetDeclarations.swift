/// The declarations of all files of a target, with name lookup among them.
final class TargetDeclarations {
    private(set) var files: [ScannedFile]
    /// The name of the target, which can qualify the names of its types.
    let module: String
    /// The declarations of a type and its extensions, by qualified name.
    private var declarations: [String: [Place]] = [:]
    /// The names of the protocols that make a type an entity: `Cachable`, and `Storable`, which refines it.
    ///
    /// Another module can have a protocol of that name, too, so it counts only where the module of stores is imported.
    let cachableProtocols: Set<String>
    /// The names of all types and protocols; empty where no comment needs them.
    private(set) var typeNames = TypeNames([])

    /// The place of a declaration.
    struct Place: Hashable {
        let file: Int
        let type: Int
    }

    @_optimize(none)
    init(_ files: [ScannedFile], module: String) {
        self.module = module
        self.files = files
        let isStoring = files.contains { $0.imports.contains { $0.module == "FlatCacheStore" } }
        cachableProtocols = Self.spellings(of: "Cachable", in: "FlatCache")
            .union(isStoring ? Self.spellings(of: "Storable", in: "FlatCacheStore") : [])
        collectDeclarations()
        var renamed = false
        for file in files.indices { renamed = renameAliasedExtensions(in: file) || renamed }
        if renamed { collectDeclarations() }
        guard files.contains(where: { !$0.annotations.isEmpty || !$0.possibleAnnotations.isEmpty }) else { return }
        typeNames = TypeNames(declarations.keys.filter { type(named: $0) != nil })
        for file in self.files.indices { findMeantAnnotations(in: file) }
    }

    /// Adds mistaken annotations to the annotations.
    private func findMeantAnnotations(in file: Int) {
        let meant = files[file].possibleAnnotations.filter { isMeant($0, in: files[file]) }
        guard !meant.isEmpty else { return }
        let all = files[file].annotations + meant.map(\.annotation)
        files[file].annotations = all.ordered { $0.location < $1.location }
    }

    private func collectDeclarations() {
        declarations = [:]
        for (file, scanned) in files.enumerated() {
            for type in scanned.types.indices where !scanned.types[type].isLocal {
                declarations[scanned.types[type].qualifiedName, default: []].append(Place(file: file, type: type))
            }
        }
    }

    /// Gives extensions that name a type by an alias or with its module, and their nested types, the name of the type
    /// itself.
    @_optimize(none)
    private func renameAliasedExtensions(in file: Int) -> Bool {
        var renamed: [Int: String] = [:]
        for (index, type) in files[file].types.enumerated() where !type.isLocal {
            if let parent = type.parent {
                renamed[index] = renamed[parent].map { $0 + "." + type.name }
            } else if type.kind == .extension, self.type(named: type.name).map({ $0.kind == .typealias }) ?? true {
                let name = followAliases(from: type.name, in: "").name
                if name != type.name, self.type(named: name) != nil { renamed[index] = name }
            }
        }
        for (index, name) in renamed { files[file].types[index].qualifiedName = name }
        return !renamed.isEmpty
    }

    subscript(place: Place) -> TypeDeclaration { files[place.file].types[place.type] }

    /// The declarations of a type and its extensions.
    func declarations(of name: String) -> [TypeDeclaration] {
        (declarations[name] ?? []).map { self[$0] }
    }

    /// The places of the declarations of a type and its extensions.
    func places(of name: String) -> [Place] { declarations[name] ?? [] }

    /// The declaration of a type, extensions excluded.
    func type(named name: String) -> TypeDeclaration? {
        place(of: name).map { self[$0] }
    }

    /// The place of the declaration of a type, extensions excluded.
    func place(of name: String) -> Place? {
        declarations[name]?.first { self[$0].kind != .extension }
    }

    /// The type of the target that a name refers to inside a type, searched from the inside out.
    ///
    /// - Parameters:
    ///   - name: A name as written: `Author`, `Blog.Author`.
    ///   - scope: The qualified name of the type in which it is written.
    /// - Returns: The qualified name, or `nil` when the target declares no such type.
    func resolve(_ name: String, in scope: String) -> String? {
        if QualifiedName.hasModuleSelector(name) { return resolve(selected: name, in: scope) }
        for around in scopes(around: scope) where type(named: "\(around).\(name)") != nil { return "\(around).\(name)" }
        if type(named: name) != nil { return name }
        guard name.hasPrefix(module + ".") else { return nil }
        let rest = String(name.dropFirst(module.count + 1))
        return type(named: rest) == nil ? nil : rest
    }

    /// The type that a name with module selectors refers to.
    ///
    /// A selector at the beginning skips the enclosing types.
    private func resolve(selected name: String, in scope: String) -> String? {
        let path = name.replacing(".\(module)::", with: ".")
        let rest = path.trimmingPrefix("\(module)::")
        guard !QualifiedName.hasModuleSelector(String(rest)) else { return nil }
        return rest.count == path.count ? resolve(path, in: scope) : type(named: String(rest)).map { _ in String(rest) }
    }

    /// A type and the enclosing types whose members are visible in its declaration, from the inside out.
    ///
    /// In an extension of a nested type, the enclosing types of the nested type are not visible.
    private func scopes(around type: String) -> [String] {
        if let place = place(of: type) { return chain(from: place).map(\.qualifiedName) }
        let path = QualifiedName.components(of: type)
        return path.indices.reversed().map { path[...$0].joined(separator: ".") }
    }

    /// The name of the type after all type aliases of the target are followed.
    ///
    /// - Returns: The name of a type, which may belong to another module.
    func unaliased(_ name: String, in scope: String) -> String {
        followAliases(from: name, in: scope).name
    }

    /// The name of the type after all type aliases of the target are followed, and the files that declare the aliases.
    func followAliases(from name: String, in scope: String) -> (name: String, files: [Int]) {
        var name = name
        var scope = scope
        var files: [Int] = []
        // The compiler reports circular aliases.
        for _ in 0..<20 {
            guard let resolved = resolve(name, in: scope), let place = place(of: resolved) else { break }
            guard let aliased = self[place].aliasedType else { return (resolved, files) }
            files.append(place.file)
            (name, scope) = (aliased, resolved)
        }
        return (name, files)
    }

    /// The name of a file that imports a module.
    func fileImporting(_ module: String) -> String? {
        files.first { $0.imports.contains { $0.module == module } }?.name
    }

    /// The names of all types, for suggestions.
    var entityNames: [String] {
        declarations.keys.filter { type(named: $0).map { $0.kind != .protocol } ?? false }
    }

    /// The effective access level of a type, limited by its enclosing types.
    func access(of declaration: TypeDeclaration, in file: Int) -> AccessLevel {
        var level = declaration.access ?? defaultAccess(in: declaration, file)
        if declaration.kind == .extension, let extended = resolve(declaration.name, in: ""),
            let place = place(of: extended)
        {
            level = min(access(of: self[place], in: place.file), declaration.access ?? .open)
        }
        guard let parent = declaration.parent else { return level }
        return min(level, access(of: files[file].types[parent], in: file))
    }

    /// The access level of a declaration, limited by its enclosing declarations but not by the extended type.
    func writtenAccess(of declaration: TypeDeclaration, in file: Int) -> AccessLevel {
        let level = declaration.access ?? defaultAccess(in: declaration, file)
        guard let parent = declaration.parent, files[file].types[parent].kind != .extension else { return level }
        return min(level, writtenAccess(of: files[file].types[parent], in: file))
    }

    private func defaultAccess(in declaration: TypeDeclaration, _ file: Int) -> AccessLevel {
        guard let parent = declaration.parent, files[file].types[parent].kind == .extension else { return .internal }
        return files[file].types[parent].access ?? .internal
    }

    /// A declaration followed by its enclosing declarations.
    func chain(from place: Place) -> [TypeDeclaration] {
        var chain = [self[place]]
        while let parent = chain[chain.count - 1].parent { chain.append(files[place.file].types[parent]) }
        return chain
    }
}

/// The names of the types of a target, without their enclosing types.
struct TypeNames {
    private var names: Set<String> = []
    private var lowercased: Set<String> = []

    /// - Parameter qualified: The qualified names of the types.
    init(_ qualified: some Sequence<String>) {
        for name in qualified {
            let last = QualifiedName.components(of: name).last.map(String.init) ?? name
            names.insert(last)
            lowercased.insert(last.lowercased())
        }
    }

    /// Whether a name is the name of a type, alone or with enclosing types.
    func contains(_ name: String, anyCase: Bool) -> Bool {
        QualifiedName.components(of: name).suffix(2).allSatisfy {
            anyCase ? lowercased.contains($0.lowercased()) : names.contains(String($0))
        }
    }
}

extension TargetDeclarations {
    /// Whether a comment is meant as an annotation.
    func isMeant(_ possible: PossibleAnnotation, in file: ScannedFile) -> Bool {
        let attachment = possible.annotation.attachment
        if possible.evidence == .variable { return attachment.isVariable }
        if isType(possible.name, in: file) { return possible.evidence != .nameOnVariable || attachment.isVariable }
        guard identifies(attachment, in: file) else { return false }
        if isType(possible.name, in: file, anyCase: true) { return true }
        return possible.evidence == .nameOrProperty && possible.name.first?.isLowercase != true
    }

    /// Whether a name is a type of the target at any depth, or is qualified by a module that the file imports.
    func isType(_ name: String, in file: ScannedFile, anyCase: Bool = false) -> Bool {
        if name.isEmpty { return false }
        let module = QualifiedName.components(of: name).first.map(String.init) ?? name
        if module != name, file.imports.contains(where: { $0.module == module }) { return true }
        return typeNames.contains(
            module == self.module ? String(name.dropFirst(module.count)) : name,
            anyCase: anyCase
        )
    }

    /// Whether a comment is attached to a property with the name of an identifier.
    private func identifies(_ attachment: Annotation.Attachment, in file: ScannedFile) -> Bool {
        guard case .property(let type, let property) = attachment else { return false }
        return Inflector.stem(of: file.types[type].properties[property].name) != nil
    }
}

extension Annotation.Attachment {
    /// Whether the declaration is a variable or constant of any kind.
    fileprivate var isVariable: Bool {
        switch self {
        case .property, .enumCase: true
        case .unsuitable(.computedProperty, _), .unsuitable(.staticProperty, _), .unsuitable(.localVariable, _),
            .unsuitable(.protocolRequirement, _), .unsuitable(.globalVariable, _), .unsuitable(.severalBindings, _),
            .unsuitable(.tuplePattern, _):
            true
        case .unsuitable, .nothing: false
        }
    }
}
