extension Link {
    /// The type of the property.
    var type: String {
        let element = wrapped(identifier, hasOptionalElements, typeStyle)
        let collection =
            switch container {
            case .none: element
            case .array: ["[\(element)]", "[ \(element) ]", "Swift.Array<\(element)>", "Array<\(element)>"][typeStyle]
            case .set:
                ["Swift.Set<\(element)>", "Swift.Set< \(element) >", "Set< \(element)>", "Set<\(element)>"][typeStyle]
            case .nested:
                [
                    "[[\(element)]]", "Swift.Array<[ \(element) ]>", "[ [\(element)] ]", "Array<Array<\(element)>>",
                ][typeStyle]
            case .keyed:
                [
                    "[\(key):\(element)]", "Swift.Dictionary<\(key), \(element)>", "[ \(key) : \(element) ]",
                    "Dictionary<\(key),\(element)>",
                ][typeStyle]
            }
        return wrapped(collection, isOptional, typeStyle < 2 ? 1 - typeStyle : 5 - typeStyle)
    }

    private func wrapped(_ type: String, _ isOptional: Bool, _ style: Int) -> String {
        guard isOptional else { return type }
        return ["\(type)?", "Swift.Optional<\(type)>", "\(type)?", "Optional<\(type)>"][style]
    }

    /// The type of the keys.
    var key: String { ["Text", "Number", "Swift.Int", "Text"][typeStyle] }

    /// The type of the accessor.
    func accessorType(_ related: String) -> String {
        container == .none ? "\(related)?" : parameterType(related)
    }

    /// The type of what is fetched.
    func parameterType(_ related: String) -> String {
        let optional = isOptional ? "?" : ""
        return switch container {
        case .none: related + optional
        case .array, .set, .nested: "[\(related)]\(optional)"
        case .keyed: "[\(key): \(related)]\(optional)"
        }
    }

    /// What is fetched, as setters take it.
    func assigned(_ fetched: String) -> String {
        container == .nested ? (isOptional ? "\(fetched).map { [$0] }" : "[\(fetched)]") : fetched
    }

    /// The type of identifiers that are missing.
    func missingType(_ related: String) -> String {
        container == .keyed ? "[\(key): \(related).ID]" : "[\(related).ID]"
    }

    /// The kind of the relationship.
    func kind(_ related: String) -> String {
        let optional = isOptional ? "Optional" : ""
        return switch container {
        case .none: "FlatCache.To\(isOptional ? "Optional" : "One")<\(related)>"
        case .array, .set: "FlatCache.To\(optional)Many<\(related)>"
        case .nested: "FlatCache.To\(optional)Nested<\(related)>"
        case .keyed: "FlatCache.To\(optional)Keyed<\(key), \(related)>"
        }
    }

    /// The type of handles.
    func handleType(_ related: String) -> String { parameterType("FlatCache.Cached<\(related)>") }

    private var annotation: String {
        let colon = payload.comma == "," ? ":" : ": "
        let keys =
            [isNamed ? "name" + colon + accessor : nil, inverse.map { "inverse" + colon + $0 }]
            + [backlink.map { "backlink" + colon + $0 }, isSorted ? "sorted" + colon + "id" : nil]
            + [deleteRule.map { "delete" + colon + $0 }]
        let ordered = (keys[payload.firstKey...] + keys[..<payload.firstKey]).compactMap { $0 }
        return payload.beginning + spelling + ordered.map { payload.comma + $0 }.joined() + payload.prose
    }

    private var modifiers: String {
        let setter =
            switch keyword {
            case .privateSetter: "private(set) "
            // Less than the property itself, or the compiler warns.
            case .internalSetter where access > .internal: "internal(set) "
            default: ""
            }
        return access.prefix + setter + (keyword == .constant ? "let" : "var")
    }

    private var isObserved: Bool { keyword == .observed }

    /// The lines of the property with its annotation.
    var lines: [String] {
        let name = Words.declared(property)
        let observer = isObserved ? " { didSet { if true { return } } }" : ""
        let declaration = "\(modifiers) \(name): \(type)\(observer)"
        let body =
            switch layout {
            case .above: [annotation, declaration]
            case .behind: [declaration + "  " + annotation]
            case .aboveDocumentation: [annotation, "/// What is named here.", "///", "/// relationships", declaration]
            case .belowDocumentation: ["/** What is named here. */", annotation, declaration]
            case .aboveAttribute:
                [annotation, "@available(macOS 10, *)", "@available(tvOS 9, *) " + declaration]
            case .scattered:
                [annotation] + modifiers.split(separator: " ").map(String.init) + [name, ":", type + observer]
            case .behindSemicolon:
                [
                    "static var before\(Words.capitalized(Words.bare(name).filter { $0.isLetter })): Int { 1 }; \(declaration) "
                        + annotation
                ]
            case .aboveProse: [annotation, "// More about it: see the relationship.", "/* and more */ " + declaration]
            }
        let deprecation = isDeprecated ? ["@available(*, deprecated, message: \"old, \\\"very\\\" old\")"] : []
        // An attribute may stand above the annotation too.
        let annotated = layout == .above ? deprecation + body : insert(deprecation, before: declaration, in: body)
        let whole = [index].compactMap(\.self) + annotated
        return (condition?.opening ?? []) + whole + (condition?.closing ?? [])
    }

    private func insert(_ lines: [String], before declaration: String, in body: [String]) -> [String] {
        guard !lines.isEmpty else { return body }
        let index =
            body.firstIndex { $0.contains(declaration) } ?? body.firstIndex { $0.hasPrefix("//") }.map { $0 + 1 } ?? 0
        return Array(body[..<index]) + lines + Array(body[index...])
    }
}
