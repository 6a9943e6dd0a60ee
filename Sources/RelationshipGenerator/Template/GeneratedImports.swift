/// The imports of the generated file: the imports of the sources that declare the types in it, and the import of the
/// library.
///
/// Each has the access level that the accessors need, not the level in the source. A public import without a public use
/// is a warning. A public accessor of a type without a public import is an error.
struct GeneratedImports {
    let files: [ScannedFile]
    let relationships: [Relationship]
    var backlinks: [Backlink] = []
    var indexes: [IndexedProperty] = []
    /// The properties whose values have relationships.
    var parts: [Part] = []
    /// The tables of keys, without those that have no key.
    var tables: [PayloadTable] = []
    var partialEqualities: [PartialEquality] = []
    /// Whether the generated code makes owners conform to `RelationshipOwner`.
    var hasConformances = true

    /// The imports, sorted and without duplicates.
    @_optimize(none)
    var declarations: [ImportDeclaration] {
        guard !relationships.isEmpty || !indexes.isEmpty || !tables.isEmpty || !partialEqualities.isEmpty
        else { return [] }
        let uses = usesByModule
        var byText: [[String]: ImportDeclaration] = [:]
        let filesOfTables = tables.filter(\.needsImportsOfFile).map(\.file)
        let filesOfRelationships = relationships.flatMap { [$0.file] + $0.aliasFiles }
        let filesOfParts = parts.compactMap(\.importingFile)
        for file in Set(filesOfRelationships + indexes.map(\.file) + filesOfTables + filesOfParts) {
            for declaration in files[file].imports { byText[declaration.identity] = declaration }
        }
        if !byText.values.contains(where: { $0.module == Self.library && $0.conditions.isEmpty }) {
            byText[[Self.libraryImport.text]] = Self.libraryImport
        }
        return byText.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { _, declaration in
            variants(of: declaration, for: uses[declaration.module] ?? [])
        }
    }

    private static let library = "FlatCache"

    private static let libraryImport = ImportDeclaration(
        text: "import \(library)",
        module: library,
        access: nil,
        conditions: [],
        location: SourceLocation(path: "", offset: 0, line: 1, column: 1)
    )

    /// The access level of a declaration that uses a module, and the `#if` branches around it.
    private struct Use {
        var access: AccessLevel
        var conditions: [ConditionalBranch]
    }

    /// The declarations of the accessors that use a module, by module.
    @_optimize(none)
    private var usesByModule: [String: [Use]] {
        var uses: [String: [Use]] = [:]
        uses[Self.library] =
            tables.map { Use(access: $0.access, conditions: $0.conditions) }
            + partialEqualities.map { Use(access: $0.access, conditions: $0.conditions) }
        for relationship in relationships {
            // The list of all relationships has the access level of the owner.
            if hasConformances, relationship.isDescribed {
                uses[Self.library, default: []].append(
                    Use(access: relationship.ownerAccess, conditions: relationship.ownerConditions)
                )
            }
            let conditions = relationship.ownerConditions + relationship.property.conditions
            for module in [Self.library, relationship.relatedModule, relationship.keyModule].compactMap({ $0 }) {
                uses[module, default: []].append(Use(access: relationship.access, conditions: conditions))
            }
        }
        for backlink in backlinks {
            if hasConformances {
                uses[Self.library, default: []].append(
                    Use(access: backlink.ownerAccess, conditions: backlink.ownerConditions)
                )
            }
            let conditions = backlink.ownerConditions + backlink.conditions
            uses[Self.library, default: []].append(Use(access: backlink.relationship.access, conditions: conditions))
        }
        for part in parts where hasConformances {
            uses[Self.library, default: []].append(Use(access: part.ownerAccess, conditions: part.ownerConditions))
        }
        for index in indexes {
            uses[Self.library, default: []].append(Use(access: index.ownerAccess, conditions: index.ownerConditions))
        }
        return uses
    }

    /// The import with the access level that its uses need.
    ///
    /// The level may differ between `#if` branches.
    @_optimize(none)
    private func variants(of declaration: ImportDeclaration, for uses: [Use]) -> [ImportDeclaration] {
        var always: AccessLevel? = uses.isEmpty ? nil : .internal
        var conditional: [AccessLevel: [[ConditionalBranch]]] = [:]
        for use in uses where use.access > .internal {
            let conditions = use.conditions.filter { !declaration.conditions.contains($0) }
            if conditions.isEmpty {
                always = max(always ?? .internal, use.access)
            } else if conditional[use.access]?.contains(conditions) != true {
                conditional[use.access, default: []].append(conditions)
            }
        }
        var directives: [String] = []
        var result: [ImportDeclaration] = []
        for (access, branches) in conditional.sorted(by: { $0.key > $1.key }) where access > always ?? .internal {
            directives.append(
                (directives.isEmpty ? "#if " : "#elseif ") + ConditionalBranch.condition(ofAnyOf: branches)
            )
            result += variants(of: declaration.inBranch(directives), neededAs: access)
        }
        guard !directives.isEmpty else { return variants(of: declaration, neededAs: always) }
        return result + variants(of: declaration.inBranch(directives + ["#else"]), neededAs: always)
    }

    /// The import with an access level.
    private func variants(of declaration: ImportDeclaration, neededAs needed: AccessLevel?) -> [ImportDeclaration] {
        let written = files.flatMap(\.imports).filter { $0.module == declaration.module }.compactMap(\.access)
        guard needed == .package, !written.contains(where: { $0 < .public }) else {
            return [declaration.withAccess(access(where: written, neededAs: needed))]
        }
        // Without the feature, imports are public by default, and all imports of the module would need an access level
        // beside one that has it.
        let isInternal = "#if hasFeature(InternalImportsByDefault)"
        return [
            declaration.withAccess(.package).inBranch([isInternal]),
            declaration.withAccess(nil).inBranch([isInternal, "#else"]),
        ]
    }

    /// The access level to write, or `nil` to write none.
    private func access(where written: [AccessLevel], neededAs needed: AccessLevel?) -> AccessLevel? {
        if let needed, needed > .internal { return needed }
        // If one file writes that an import is internal, the others must write their access level, too.
        let written = written.filter { $0 < .package }
        return needed == nil ? written.max() : written.max().map { _ in .internal }
    }
}

extension ImportDeclaration {
    /// The key that identifies equal imports: text and conditions without the access level.
    fileprivate var identity: [String] { [withAccess(nil).text] + conditions.flatMap(\.directives) }

    /// The declaration inside an additional conditional branch.
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
