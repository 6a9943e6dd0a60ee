extension RelationshipGraph {
    /// The graph as an entity relationship diagram for Mermaid.
    ///
    /// All names are quoted, because Mermaid reserves some words and characters.
    package var mermaid: String {
        let loops = Dictionary(grouping: edges.filter(\.isLoop), by: \.from)
        var drawn: Set<String> = []
        let lines = edges.compactMap { edge -> String? in
            // Mermaid only draws the last of several loops of an entity, so they are merged into one.
            guard edge.isLoop, let loops = loops[edge.from] else { return line(edge) }
            return drawn.insert(edge.from).inserted ? line(Self.merged(loops)) : nil
        }
        let entities = indexes.sorted { $0.key < $1.key }.flatMap { type, indexes in
            ["    \(quoted(type)) {"] + indexes.map(attribute) + ["    }"]
        }
        return (["erDiagram"] + entities + lines).joined(separator: "\n") + "\n"
    }

    /// An index as an attribute, whose name can only have letters, digits and underscores.
    private func attribute(_ index: Index) -> String {
        let name = String(index.property.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return "        index \(name.first?.isLetter == true ? name : "p\(name)")\(index.isUnique ? " UK" : "")"
    }

    private func line(_ edge: Edge) -> String {
        "    \(quoted(edge.from)) \((edge.beginning ?? .many).left)--\(edge.end.right) \(quoted(edge.to)) : "
            + quoted(edge.label)
    }

    /// A single edge for all loops of a type.
    ///
    /// Its label has their multiplicities if they differ.
    private static func merged(_ loops: [Edge]) -> Edge {
        var edge = loops[0]
        let isUniform = loops.allSatisfy { $0.end == edge.end && $0.beginning == edge.beginning }
        edge.label = loops.map { isUniform ? $0.label : "\($0.label) (\($0.range))" }.joined(separator: ", ")
        edge.end = loops.map(\.end).max() ?? edge.end
        edge.beginning = isUniform ? edge.beginning : nil
        return edge
    }

    private func quoted(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"", "%", "\\", "#", ";", "<", ">", "&", "`": text += "#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }
}

extension RelationshipGraph.Edge {
    fileprivate var isLoop: Bool { from == to }

    /// The numbers that are possible, of both properties that the label names.
    fileprivate var range: String { ([end] + [beginning].compactMap(\.self)).map(\.range).joined(separator: " / ") }
}

extension RelationshipGraph.Multiplicity {
    /// How the beginning of an edge is drawn.
    fileprivate var left: String {
        switch self {
        case .one: "||"
        case .optional: "|o"
        case .many: "}o"
        }
    }

    /// How the end of an edge is drawn.
    fileprivate var right: String {
        switch self {
        case .one: "||"
        case .optional: "o|"
        case .many: "o{"
        }
    }
}
