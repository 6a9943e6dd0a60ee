/// The imports of the generated file: those of the sources that it is made from, and that of the library.
///
/// Each has the access level that the accessors need, not the one that the source has: a public import that nothing public
/// uses is a warning, and a public accessor of a type that is not imported publicly is an error.
struct GeneratedImports {
    let files: [ScannedFile]
    let relationships: [Relationship]
    /// Whether owners are made to conform to `RelationshipOwner`.
    var hasConformances = true

    /// The imports, sorted, each once.
    var declarations: [ImportDeclaration] {
        guard !relationships.isEmpty else { return [] }
        let needed = neededAccess
        var byText: [[String]: ImportDeclaration] = [:]
        for file in Set(relationships.flatMap { [$0.file] + $0.aliasFiles }) {
            for declaration in files[file].imports { byText[declaration.identity] = declaration }
        }
        if !byText.values.contains(where: { $0.module == Self.library && $0.conditions.isEmpty }) {
            byText[[Self.libraryImport.text]] = Self.libraryImport
        }
        return byText.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { _, declaration in
            variants(of: declaration, neededAs: needed[declaration.module])
        }
    }

    private static let library = "FlatCache"

    private static let libraryImport = ImportDeclaration(
        text: "import \(library)",
        module: library,
        access: nil,
        conditions: [],
        location: SourceLocation(offset: 0, line: 1, column: 1)
    )

    /// The highest access levels of the accessors whose declarations name something of a module.
    private var neededAccess: [String: AccessLevel] {
        var needed: [String: AccessLevel] = [:]
        for relationship in relationships {
            // A conformance is as visible as the type, but one within the package counts for no use of an import.
            if hasConformances, relationship.isEntity, relationship.ownerAccess == .public {
                needed[Self.library] = max(needed[Self.library] ?? .internal, relationship.ownerAccess)
            }
            for module in [Self.library, relationship.relatedModule].compactMap({ $0 }) {
                needed[module] = max(needed[module] ?? .internal, relationship.access)
            }
        }
        return needed
    }

    /// An import with the access level that is needed.
    private func variants(of declaration: ImportDeclaration, neededAs needed: AccessLevel?) -> [ImportDeclaration] {
        let written = files.flatMap(\.imports).filter { $0.module == declaration.module }.compactMap(\.access)
        guard needed == .package, !written.contains(where: { $0 < .public }) else {
            return [declaration.withAccess(access(where: written, neededAs: needed))]
        }
        // Where imports are public unless they say otherwise, the others would have to say so beside one that does.
        let isInternal = "#if hasFeature(InternalImportsByDefault)"
        return [
            declaration.withAccess(.package).inBranch([isInternal]),
            declaration.withAccess(nil).inBranch([isInternal, "#else"]),
        ]
    }

    /// The access level to write, or `nil` to write none.
    private func access(where written: [AccessLevel], neededAs needed: AccessLevel?) -> AccessLevel? {
        if let needed, needed > .internal { return needed }
        // Where one file says that an import is internal, the others must say what theirs is.
        let written = written.filter { $0 < .package }
        return needed == nil ? written.max() : written.max().map { _ in .internal }
    }
}

extension ImportDeclaration {
    /// What makes two imports the same: text and conditions, but not the access level.
    fileprivate var identity: [String] { [withAccess(nil).text] + conditions.flatMap(\.directives) }

    /// The declaration in a branch of a condition of its own.
    fileprivate func inBranch(_ directives: [String]) -> ImportDeclaration {
        var declaration = self
        declaration.conditions.append(ConditionalBranch(directives: directives))
        return declaration
    }

    /// The declaration with another access level.
    fileprivate func withAccess(_ access: AccessLevel?) -> ImportDeclaration {
        var words = text.split(separator: " ").map(String.init)
        words.removeAll { $0 == self.access?.rawValue }
        if let access, let keyword = words.firstIndex(of: "import") { words.insert(access.rawValue, at: keyword) }
        var declaration = self
        declaration.text = words.joined(separator: " ")
        declaration.access = access
        return declaration
    }
}
