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
        let uses = usesByModule
        var byText: [[String]: ImportDeclaration] = [:]
        for file in Set(relationships.flatMap { [$0.file] + $0.aliasFiles }) {
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
        location: SourceLocation(offset: 0, line: 1, column: 1)
    )

    /// What is declared with names of a module: how visible it is, and in which branches.
    private struct Use {
        var access: AccessLevel
        var conditions: [ConditionalBranch]
    }

    /// What the accessors declare with names of modules.
    private var usesByModule: [String: [Use]] {
        var uses: [String: [Use]] = [:]
        for relationship in relationships {
            // A conformance is as visible as the type, but one within the package counts for no use of an import.
            if hasConformances, relationship.isDescribed, relationship.ownerAccess >= .public {
                uses[Self.library, default: []].append(
                    Use(access: relationship.ownerAccess, conditions: relationship.ownerConditions)
                )
            }
            let conditions = relationship.ownerConditions + relationship.property.conditions
            for module in [Self.library, relationship.relatedModule].compactMap({ $0 }) {
                uses[module, default: []].append(Use(access: relationship.access, conditions: conditions))
            }
        }
        return uses
    }

    /// An import with the access level that is needed, which may be another where what needs it isn't compiled.
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
            directives.append((directives.isEmpty ? "#if " : "#elseif ") + Self.condition(ofAnyOf: branches))
            result += variants(of: declaration.inBranch(directives), neededAs: access)
        }
        guard !directives.isEmpty else { return variants(of: declaration, neededAs: always) }
        return result + variants(of: declaration.inBranch(directives + ["#else"]), neededAs: always)
    }

    /// What must be so for one of several declarations to be compiled.
    private static func condition(ofAnyOf branches: [[ConditionalBranch]]) -> String {
        if branches.count == 1, branches[0].count == 1, let plain = branches[0][0].plainCondition { return plain }
        let conditions = branches.map { $0.map(\.condition).joined(separator: " && ") }
        return conditions.count == 1 ? conditions[0] : conditions.map { "(\($0))" }.joined(separator: " || ")
    }

    /// An import with an access level.
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

extension ConditionalBranch {
    /// The condition of the only directive.
    fileprivate var plainCondition: String? {
        directives.count == 1 ? String(Self.condition(in: directives[0])) : nil
    }

    /// What must be so for the branch to be compiled, as it can stand beside `&&`.
    fileprivate var condition: String {
        let conditions = directives.filter { $0 != "#else" }.map { "(\(Self.condition(in: $0)))" }
        let met = directives.last == "#else" ? 0 : 1
        return (conditions.dropLast(met).map { "!" + $0 } + conditions.suffix(met)).joined(separator: " && ")
    }

    private static func condition(in directive: String) -> Substring { directive.drop { $0 != " " }.dropFirst() }
}
