extension RelationshipGraph {
    /// The graph as an entity relationship diagram of Mermaid.
    ///
    /// All names are quoted, because Mermaid takes some words and characters for its own.
    package var mermaid: String {
        let lines = edges.map { edge in
            "    \(quoted(edge.from)) \((edge.beginning ?? .many).left)--\(edge.end.right) \(quoted(edge.to)) : "
                + quoted(edge.label)
        }
        return (["erDiagram"] + lines).joined(separator: "\n") + "\n"
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
