extension RelationshipGraph {
    /// The graph in the DOT language of Graphviz.
    package var dot: String {
        let nodes = types.map { type in
            guard let indexes = indexes[type] else { return "    \(quoted(type));" }
            let label = ([type] + indexes.map { "\($0.isUnique ? "unique index" : "index") \($0.property)" }).map(
                quoted
            )
            // The parts are joined by line breaks of the language.
            let lines = label.map { $0.dropFirst().dropLast() }.joined(separator: "\\n")
            return "    \(quoted(type)) [label=\"\(lines)\"];"
        }
        let edges = edges.map { edge in
            var attributes = ["label=\(quoted(edge.label))", "headlabel=\(quoted(edge.end.range))"]
            if let beginning = edge.beginning { attributes += ["taillabel=\(quoted(beginning.range))", "dir=both"] }
            return "    \(quoted(edge.from)) -> \(quoted(edge.to)) [\(attributes.joined(separator: ", "))];"
        }
        return (["digraph relationships {", "    node [shape=box];"] + nodes + edges + ["}"])
            .joined(separator: "\n") + "\n"
    }

    private func quoted(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return "\"\(text)\""
    }
}
