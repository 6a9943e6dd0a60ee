import SeededRandom

/// Decides everything about a random target, so that it is valid.
struct SketchMaker {
    private var numbers: SeededGenerator
    private var sketch: Sketch

    static func sketch(_ numbers: inout SeededGenerator) -> Sketch {
        var maker = SketchMaker(numbers: numbers, mode: CompilerMode.random(&numbers))
        maker.make()
        numbers = maker.numbers
        return maker.sketch
    }

    private init(numbers: SeededGenerator, mode: CompilerMode) {
        self.numbers = numbers
        sketch = Sketch(mode: mode, ceiling: .public, namespaces: [], models: [], files: [], mistake: nil)
        _ = self.numbers.next()
    }

    private mutating func make() {
        sketch.ceiling = makeAccess()
        for _ in 0..<numbers.pick(1, 2, 4) { sketch.files.append(makeFileStyle()) }
        for index in 0..<numbers.pick(0, 1, 3) {
            var namespace = Namespace(
                name: Words.namespaces[index],
                keyword: numbers.pick("enum", "struct", "final class", "actor"),
                access: makeAccess(),
                parent: nil,
                file: makeFile()
            )
            if index > 0, numbers.once(in: 2) { namespace.parent = index - 1 }
            sketch.namespaces.append(namespace)
        }
        for index in 0..<numbers.pick(3, 6, 12) { addModel(index) }
        for owner in sketch.models.indices { addLinks(to: owner) }
        for index in sketch.models.indices where sketch.models[index].isEntity && numbers.once(in: 2) {
            sketch.models[index].decoding = makeDecoding(of: sketch.models[index])
        }
        sketch.addInverses(&numbers)
        sketch.addBacklinks(&numbers)
        sketch.addDeleteRules(&numbers)
        for index in 0..<numbers.pick(0, 1, 3) { addCase(index) }
    }

    /// Adds a case to the enum of the target.
    private mutating func addCase(_ index: Int) {
        let candidates = sketch.models.indices.filter {
            let model = sketch.models[$0]
            return model.isEntity && model.generics == nil && model.condition == nil && !model.isAvailableLater
                // The name of the type means it at the top level.
                && !["ID", "Holder"].contains(model.name)
        }
        guard !candidates.isEmpty else { return }
        sketch.cases.append(
            CaseLink(
                name: ["first", "second", "third"][index],
                isNamed: numbers.once(in: 3),
                target: numbers.pick(from: candidates),
                container: numbers.pick(from: Link.Container.allCases),
                isBehind: numbers.once(in: 3),
                condition: numbers.once(in: 4) ? numbers.pick(from: Condition.allCases) : nil
            )
        )
    }

    private mutating func makeFile() -> Int { numbers.below(sketch.files.count) }

    private mutating func makeAccess() -> Access {
        min(sketch.ceiling, numbers.pick(.internal, .public, .public, .package))
    }

    private mutating func makeFileStyle() -> FileStyle {
        FileStyle(
            lineEnd: numbers.pick("\n", "\n", "\n", "\r\n"),
            hasByteOrderMark: numbers.once(in: 8),
            indentation: numbers.pick("    ", "\t", "", "  "),
            endsInLine: numbers.once(in: 4)
        )
    }

    private mutating func addModel(_ index: Int) {
        let namespace = sketch.namespaces.isEmpty || numbers.once(in: 2) ? nil : numbers.below(sketch.namespaces.count)
        var name = numbers.pick(from: Words.models)
        // The same name elsewhere is another type.
        if sketch.models.contains(where: { $0.name == name && ($0.namespace == namespace || numbers.once(in: 2)) }) {
            name = "\(Words.bare(name))\(index)"
        }
        let isGeneric = numbers.once(in: 6)
        var model =
            Model(
                name: name,
                namespace: namespace,
                isInExtension: numbers.once(in: 2),
                file: makeFile(),
                access: makeAccess(),
                generics: isGeneric ? makeGenerics() : nil,
                conformance: numbers.once(in: 2) ? .direct : numbers.pick(from: Model.Conformance.allCases),
                extensionFile: makeFile(),
                identifier: numbers.pick(from: IdentifierKind.allCases),
                condition: numbers.once(in: 6) ? numbers.pick(from: Condition.allCases) : nil,
                isAvailableLater: numbers.once(in: 8),
                links: [],
                noise: (0..<numbers.pick(0, 1, 3)).map { Noise.member($0, &numbers) },
                before: Noise.betweenDeclarations(&numbers)
            )
        // A type in an extension of what is less visible is refused.
        if model.isInExtension { model.access = effectiveAccess(of: model) }
        sketch.models.append(model)
    }

    private mutating func makeGenerics() -> Generics {
        numbers.pick(
            Generics(parameters: "<Item: Sendable>", arguments: "<Item>"),
            Generics(parameters: "<Key, Content: Hashable & Sendable>", arguments: "<Key, Content>"),
            Generics(parameters: "<Some: Swift.Collection<Int> & Sendable>", arguments: "<Some>")
        )
    }

    private mutating func makeDecoding(of model: Model) -> Decoding {
        let isShadowed = sketch.models.contains { $0.name == "Decodable" }
        var lines = [
            "private var hidden: [String: Int]?", "fileprivate let hidden: Text",
            "private var hidden: Tagged<Int>? = nil",
            "private(set) var hidden: Int", "var hidden, other: Number?", "let hidden: [Tagged<String>]",
        ]
        // A type that is nonisolated, by its protocol or otherwise, can't have a wrapped variable.
        // The storage of one is `_hidden`, which no accessor can be called then.
        let hasStorageName = model.links.contains { $0.accessor == "_hidden" }
        if model.conformance == .direct, !sketch.mode.isMainActor, !hasStorageName {
            lines += ["@Wrapped var hidden: Int", "@Wrapped private(set) var hidden: Int"]
        }
        return Decoding(
            conformance: isShadowed ? "Swift.Decodable" : numbers.pick("Decodable", "Swift.Decodable", "Codable"),
            isByExtension: numbers.once(in: 4),
            modifier: numbers.pick("", "private ", "fileprivate "),
            // Raw values must differ.
            keys: model.links.indices.map { index in
                numbers.pick(
                    nil,
                    nil,
                    "\"some_id\(index)\"",
                    "#\"a \"quoted\" key\(index)\"#",
                    "\"tab\\t\\\\\(index)\"",
                    "\"\\u{e9}\\u{0}\(index)\""
                )
            },
            properties: numbers.once(in: 2) ? [("hidden", numbers.pick(from: lines))] : []
        )
    }

    private mutating func addLinks(to owner: Int) {
        var taken: Set<String> = []
        for _ in 0..<numbers.pick(1, 2, 5) {
            guard let link = makeLink(of: owner) else { continue }
            // `set` and the like are made of the capitalised name.
            let key = Words.capitalized(link.accessor)
            guard taken.insert(key).inserted, taken.insert(Words.capitalized(link.property)).inserted else { continue }
            sketch.models[owner].links.append(link)
        }
    }

    private mutating func makeLink(of owner: Int) -> Link? {
        guard let target = makeTarget(of: owner), let spelling = makeSpelling(of: target, in: owner) else { return nil }
        let container = numbers.pick(from: Link.Container.allCases)
        let (property, accessor, isNamed) = makeNames(isToMany: container != .none)
        let model = sketch.models[owner]
        let keyword = numbers.pick(
            Link.Keyword.constant,
            .variable,
            .variable,
            .privateSetter,
            .internalSetter,
            .observed
        )
        let access = makeAccess()
        return Link(
            property: property,
            accessor: accessor,
            isNamed: isNamed,
            target: target,
            spelling: spelling,
            container: container,
            isOptional: numbers.once(in: 2),
            hasOptionalElements: [.array, .set].contains(container) && numbers.once(in: 3),
            identifier: makeIdentifier(of: target, spelling, visibleTo: min(access, effectiveAccess(of: model))),
            typeStyle: numbers.below(hasHomonyms ? 2 : 4),
            keyword: keyword,
            access: access,
            condition: numbers.once(in: 6) ? numbers.pick(from: Condition.allCases) : nil,
            layout: numbers.pick(from: Layout.allCases),
            payload: PayloadStyle(
                beginning: numbers.pick(
                    "// relationship: ",
                    "// relationship: ",
                    "//relationship:",
                    "//   relationship: \t"
                ),
                comma: numbers.pick(", ", ", ", ",", " ,  "),
                prose: numbers.pick("", "", " - prose, name: x", " — // and more", "   ", " - "),
                firstKey: numbers.below(2)
            ),
            isDeprecated: numbers.once(in: 12)
        )
    }

    private var hasHomonyms: Bool {
        sketch.models.contains { ["Set", "Optional", "Array"].contains($0.name) }
    }

    private mutating func makeTarget(of owner: Int) -> Int? {
        let candidates = sketch.models.indices.filter { index in
            let model = sketch.models[index]
            guard model.isEntity else { return false }
            if index == owner { return true }
            return model.generics == nil && model.condition == nil && !model.isAvailableLater
        }
        return candidates.isEmpty ? nil : numbers.pick(from: candidates)
    }

    /// A name by which the annotation can name the type: any that means it where the property is declared.
    private mutating func makeSpelling(of target: Int, in owner: Int) -> String? {
        if target == owner, numbers.once(in: 3) { return "Self" }
        let path = sketch.path(of: target)
        var candidates = path.indices.map { path[$0...].joined(separator: ".") }
        candidates.append("\(Sketch.module)." + path.joined(separator: "."))
        let fitting = candidates.filter { sketch.meaning(of: $0, in: owner) == path }
        return fitting.isEmpty ? nil : numbers.pick(from: fitting)
    }

    private mutating func makeIdentifier(of target: Int, _ spelling: String, visibleTo access: Access) -> String {
        let model = sketch.models[target]
        // Beside a qualified name the generic arguments must be written.
        let isWhole = model.generics == nil || !spelling.contains(".")
        if numbers.once(in: 2), isWhole, effectiveAccess(of: model) >= access || spelling == "Self" {
            return spelling + ".ID"
        }
        switch model.identifier {
        case .string: return numbers.pick("String", "Text")
        case .int: return numbers.pick("Int", "Swift.Int", "Number")
        case .tagged: return "Tagged<Int>"
        }
    }

    private func effectiveAccess(of model: Model) -> Access { sketch.effectiveAccess(of: model) }

    private mutating func makeNames(isToMany: Bool) -> (property: String, accessor: String, isNamed: Bool) {
        let noun = numbers.pick(from: Words.nouns)
        let ending =
            isToMany ? numbers.pick("IDs", "Ids", "_ids", "Identifiers") : numbers.pick("ID", "Id", "_id", "Identifier")
        // After a capital, `ID` is no word.
        let needsUnderscore = noun.one.last?.isUppercase == true && !ending.hasPrefix("_")
        let property = noun.one + (needsUnderscore ? "_" : "") + ending
        if numbers.once(in: 4) || (isToMany && noun.several.isEmpty) {
            let others =
                isToMany ? ["`in`", "`default`", "those", "`one by one`"] : ["`in`", "`default`", "that", "`1 of 2`"]
            return (
                numbers.once(in: 2) ? numbers.pick(from: others) : property, numbers.pick(from: Words.given), true
            )
        }
        return (property, isToMany ? noun.several : noun.one, false)
    }
}
