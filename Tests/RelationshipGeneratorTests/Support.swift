import Foundation
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

/// The first line of a table of keys.
let payloadTableHeader = "static var payloadKeys: [_PayloadKey] {"

/// An entity that relationships in tests of tables refer to.
let authorSource = "struct Author: Cachable, Codable { let id: String }"

/// The body of the table of a type `Post` with members, the lines joined by spaces; `nil` if there is no table.
func payloadTable(
    _ members: String,
    type: String = "struct Post: Cachable, Codable",
    others: String = ""
) throws(RelationshipGenerator.Failure) -> String? {
    payloadTable(in: try generate("import FlatCache\n\(type) {\nlet id: String\n\(members)\n}\n\(others)"))
}

/// The body of the table of a type `Post` in generated code, the lines joined by spaces; `nil` if there is no table.
func payloadTable(in output: String) -> String? {
    guard let type = output.range(of: "extension Post: FlatCache.Payload"),
        let start = output.range(of: payloadTableHeader, range: type.upperBound..<output.endIndex)?.upperBound
    else { return nil }
    let lines = output[start...].split(separator: "\n").prefix { $0 != "    }" }
    return lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
}
