import RelationshipGenerator
import RelationshipTemplates

/// Generates from sources that are given as texts, each in a file `File1.swift`, `File2.swift` and so on.
func generate(_ sources: String..., target: String = "Blog") throws(RelationshipGenerator.Failure) -> String {
    try RelationshipGenerator(target: target, template: Templates.relationships).generate(
        from: sources.enumerated().map { .init(path: "File\($0 + 1).swift", text: Array($1.utf8)) }
    )
}

/// The printed errors of sources; empty when there are none.
func errors(in sources: [String]) -> [String] {
    do throws(RelationshipGenerator.Failure) {
        _ = try RelationshipGenerator(target: "Blog", template: Templates.relationships).generate(
            from: sources.enumerated().map { .init(path: "File\($0 + 1).swift", text: Array($1.utf8)) }
        )
        return []
    } catch {
        return error.diagnostics.map(\.description)
    }
}
