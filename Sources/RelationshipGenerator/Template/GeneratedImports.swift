/// The imports of the generated file: the imports of the sources that declare the types in it, and the import of the
/// library.
///
/// Each has the access level that the accessors need, not the level in the source. A public import without a public use
/// is a warning. A public accessor of a type without a public import is an error.
struct GeneratedImports {
    private let files: [ScannedFile]
    /// The numbers of the files whose imports the generated code needs.
    private var origins: [Int]
    private var uses: [Use] = []

    /// A declaration of the generated code that uses a module.
    private struct Use {
        let module: String
        let access: AccessLevel
        /// The `#if` branches around it.
        let conditions: [ConditionalBranch]
    }

    /// Creates the imports of the generated code.
    ///
    /// - Parameter isWhole: Whether the code has more than accessors: the conformances of owners to `RelationshipOwner`,
    ///   and what the sources declare without annotations.
    @_optimize(none)
    init(_ view: RelationshipView, isWhole: Bool) {
        let validation = view.validation
        files = validation.target.files
        origins = validation.relationships.flatMap { [$0.file] + $0.aliasFiles } + validation.indexes.map(\.file)
        guard view.isAnnotated || isWhole && view.hasTablesOrEqualities else { return }
        origins += validation.parts.compactMap(\.importingFile)
        if isWhole {
            origins += view.tables.filter(\.needsImportsOfFile).map(\.file)
            for table in view.tables { use(table.access, table.conditions) }
            for equality in view.partialEqualities { use(equality.access, equality.conditions) }
        }
        for relationship in validation.relationships {
            // The list of all relationships has the access level of the owner.
            if isWhole, relationship.isDescribed { use(relationship.ownerAccess, relationship.ownerConditions) }
            let conditions = relationship.ownerConditions + relationship.property.conditions
            for module in [Self.library, relationship.relatedModule, relationship.keyModule].compactMap({ $0 }) {
                use(relationship.access, conditions, of: module)
            }
        }
        for backlink in validation.backlinks {
            if isWhole { use(backlink.ownerAccess, backlink.ownerConditions) }
            use(backlink.relationship.access, backlink.ownerConditions + backlink.conditions)
        }
        for part in validation.parts where isWhole { use(part.ownerAccess, part.ownerConditions) }
        for index in validation.indexes { use(index.ownerAccess, index.ownerConditions) }
    }

    private mutating func use(_ access: AccessLevel, _ conditions: [ConditionalBranch], of module: String = library) {
        uses.append(Use(module: module, access: access, conditions: conditions))
    }

    /// The imports, sorted and without duplicates.
    @_optimize(none)
    var declarations: [ImportDeclaration] {
        guard !uses.isEmpty else { return [] }
        var byText: [String: ImportDeclaration] = [:]
        for file in Set(origins) {
            for declaration in files[file].imports { byText[declaration.identity] = declaration }
        }
        if !byText.values.contains(where: { $0.module == Self.library && $0.conditions.isEmpty }) {
            byText[Self.libraryImport.text] = Self.libraryImport
        }
        return byText.keys.sorted().compactMap { byText[$0] }.flatMap { declaration in
            variants(of: declaration, for: uses.filter { $0.module == declaration.module })
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
    @_optimize(none)
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
    fileprivate var identity: String {
        ([withAccess(nil).text] + conditions.flatMap(\.directives)).joined(separator: "\0")
    }

    /// The declaration inside an additional conditional branch.
    fileprivate func inBranch(_ directives: [String]) -> ImportDeclaration {
        var declaration = self
        declaration.conditions.append(ConditionalBranch(directives: directives))
        return declaration
    }

    /// The declaration with another access level.
    @_optimize(none)
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
