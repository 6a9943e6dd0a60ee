/// A file of a rendered target.
struct RenderedFile {
    var name: String
    var text: String
}

extension Sketch {
    /// Stands in the line of the mistake until that is known.
    static let mark = "¤"

    /// The files of the target, without that which uses the accessors.
    func rendered() -> [RenderedFile] {
        files.indices.map { file in
            let style = files[file]
            var lines = importLines(of: file)
            for index in namespaces.indices where namespaces[index].parent == nil && isDeclared(index, in: file) {
                lines += self.lines(ofNamespace: index)
            }
            for index in models.indices { lines += linesAtTopLevel(ofModel: index, in: file) }
            if file == 0 { lines += support + holder }
            if let mistake, mistake.model == nil, mistake.file == file { lines += mistake.lines }
            var text = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
                .joined(separator: style.lineEnd)
            if !style.endsInLine { text += style.lineEnd }
            return RenderedFile(name: "File\(file).swift", text: (style.hasByteOrderMark ? "\u{FEFF}" : "") + text)
        }
    }

    private var support: [String] {
        [
            "public typealias Text = String",
            "public typealias Number = Int",
            "public nonisolated struct Tagged<Value: Hashable & Sendable>: Hashable, Sendable {",
            "    let value: Value",
            "}",
            "nonisolated extension Tagged: Swift.Encodable, Swift.Decodable where Value: Codable {}",
            "@propertyWrapper nonisolated struct Wrapped: Codable, Sendable { var wrappedValue: Int }",
            "public nonisolated protocol Entity: Cachable {}",
            "struct Anchor: Entity {",
            "    let id: Int",
            "    // relationship: Anchor, name: previous",
            "    let previousID: Int?",
            "}",
        ]
    }

    /// An enum with annotated cases.
    private var holder: [String] {
        guard !cases.isEmpty else { return [] }
        return ["enum Holder: Sendable {"] + cases.flatMap(lines) + ["case nobody, other(Text, Int)", "}"]
    }

    private func lines(of link: CaseLink) -> [String] {
        let related = qualifiedName(of: link.target)
        let id = "\(related).ID"
        let type = [id, "[\(id)]", "Swift.Set<\(id)>", "[[\(id)]]", "[Text: \(id)]"][link.containerIndex]
        let annotation = "// relationship: \(related)\(link.isNamed ? ", name: \(link.accessor)" : "")"
        let declaration = "case \(link.name)(\(type))"
        return (link.condition?.opening ?? [])
            + (link.isBehind ? ["\(declaration) \(annotation)"] : [annotation, declaration])
            + (link.condition?.closing ?? [])
    }

    private func isDeclared(_ namespace: Int, in file: Int) -> Bool {
        guard let parent = namespaces[namespace].parent else { return namespaces[namespace].file == file }
        return isDeclared(parent, in: file)
    }

    /// The import with the access level that the conformances in a file need.
    private func importLines(of file: Int) -> [String] {
        if !mode.importsAreInternal, files[file].indentation.isEmpty { return ["import FlatCache"] }
        var needed: Access = file == 0 ? .public : .internal
        for index in models.indices where models[index].isEntity && !models[index].isLeftOut {
            let model = models[index]
            // What isn't compiled would leave the import unused.
            guard model.condition?.isMet(in: mode) ?? true, conformanceFile(of: index) == file,
                model.conformance != .byProtocol
            else {
                continue
            }
            // The compiler doesn't count conformances within the package.
            if effectiveAccess(of: model) == .public { needed = .public }
        }
        return ["\(needed.prefix)import FlatCache"]
    }

    private func conformanceFile(of index: Int) -> Int {
        models[index].conformance == .byExtension ? models[index].extensionFile : declarationFile(of: index)
    }

    private func declarationFile(of index: Int) -> Int {
        let model = models[index]
        guard var namespace = model.namespace, !model.isInExtension else { return model.file }
        while let parent = namespaces[namespace].parent { namespace = parent }
        return namespaces[namespace].file
    }

    private func lines(ofNamespace index: Int) -> [String] {
        let namespace = namespaces[index]
        var lines = ["\(namespace.access.prefix)\(namespace.keyword) \(namespace.name) {"]
        for inner in namespaces.indices where namespaces[inner].parent == index {
            lines += self.lines(ofNamespace: inner)
        }
        for model in models.indices where models[model].namespace == index && !models[model].isInExtension {
            lines += self.lines(ofModel: model)
        }
        return lines + ["}"]
    }

    private func linesAtTopLevel(ofModel index: Int, in file: Int) -> [String] {
        let model = models[index]
        if model.isLeftOut { return [] }
        var lines: [String] = []
        if model.namespace == nil, model.file == file { lines += self.lines(ofModel: index) }
        if let namespace = model.namespace, model.isInExtension, model.file == file {
            lines +=
                ["extension \(path(ofNamespace: namespace).joined(separator: ".")) {"] + self.lines(ofModel: index) + [
                    "}"
                ]
        }
        if model.file == file, !model.before.isEmpty { lines.append(model.before) }
        if let decoding = model.decoding, decoding.isByExtension, declarationFile(of: index) == file {
            lines += model.condition?.opening ?? []
            lines += model.isAvailableLater ? ["@available(macOS 99, *)"] : []
            lines += [
                "\(mode.isMainActor ? "nonisolated " : "")extension \(qualifiedName(of: index)): \(decoding.conformance) {}"
            ]
            lines += model.condition?.closing ?? []
        }
        if model.conformance == .byExtension, models[index].extensionFile == file {
            let isolation = mode.isMainActor ? "nonisolated " : ""
            lines += model.condition?.opening ?? []
            lines += model.isAvailableLater ? ["@available(macOS 99, *)"] : []
            lines += ["extension \(qualifiedName(of: index)): \(isolation)Cachable {}"]
            lines += model.condition?.closing ?? []
        }
        return lines
    }

    private func lines(ofModel index: Int) -> [String] {
        let model = models[index]
        if model.isLeftOut { return [] }
        let indentation = files[declarationFile(of: index)].indentation
        var lines = model.condition?.opening ?? []
        lines += model.isAvailableLater ? ["@available(macOS 99, *)"] : []
        // What an extension makes conform would be isolated where the main actor is the default.
        let isolation = model.conformance == .byExtension ? "nonisolated " : ""
        lines += [
            "\(model.access.prefix)\(isolation)struct \(model.name)\(model.generics?.parameters ?? "")\(model.inheritance)\(model.decodingInheritance) {"
        ]
        var members = ["\(model.access.prefix)let id: \(model.identifierType)"]
        for number in 0..<max(model.links.count, model.noise.count) {
            if number < model.noise.count { members.append(model.noise[number]) }
            if number < model.links.count { members += model.links[number].lines }
        }
        members += model.decodingLines
        if let mistake, mistake.model == index { members += mistake.lines }
        // What is in a literal of several lines is left as it is.
        lines += members.map { $0.contains("\n") ? $0 : indentation + $0 }
        return lines + ["}"] + (model.condition?.closing ?? [])
    }
}

extension Model {
    var identifierType: String {
        switch identifier {
        case .string: "String"
        case .int: "Int"
        case .tagged: "Tagged<Int>"
        }
    }

    /// The protocol by which it is decoded, behind those that it conforms to.
    fileprivate var decodingInheritance: String {
        decoding.map { $0.isByExtension ? "" : ", \($0.conformance)" } ?? ""
    }

    /// The properties that nothing refers to, and the coding keys.
    fileprivate var decodingLines: [String] {
        guard let decoding else { return [] }
        var cases = ["case id"]
        for (link, key) in zip(links, decoding.keys) {
            cases += link.condition?.opening ?? []
            cases.append("case \(Words.declared(link.property))\(key.map { " = \($0)" } ?? "")")
            cases += link.condition?.closing ?? []
        }
        for property in decoding.properties {
            cases.append("case \(property.name)\(property.line.contains("other") ? ", other = \"\"" : "")")
        }
        return decoding.properties.map(\.line) + ["\(decoding.modifier)enum CodingKeys: String, CodingKey {"] + cases
            + ["}"]
    }

    fileprivate var inheritance: String {
        switch conformance {
        case .direct: ": Sendable, Cachable"
        case .composed: ": Sendable & Cachable"
        case .byProtocol: ": Entity"
        case .byExtension: ": Sendable"
        case .none: ""
        }
    }
}
