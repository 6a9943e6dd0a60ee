import Foundation
import RelationshipTemplates
import Testing

@testable import RelationshipGenerator

/// Compares `Templates/README.md` with the values that templates are rendered with.
@Suite("Documentation of templates")
struct TemplateDocumentationTests {
    private let text: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = String(decoding: try Data(contentsOf: root.appending(path: "Templates/README.md")), as: UTF8.self)
    }

    @Test("The tables show the values of the sample")
    func sample() {
        #expect(text.contains("```swift\n\(TemplateSample.source)```\n"))
    }

    @Test(
        "The tables have exactly one row for each name, with its kind and its value for the sample",
        arguments: [
            ("Everywhere", []), ("`{{#imports}}` and `{{#accessorImports}}`", ["imports"]),
            ("`{{#owners}}`", ["owners"]),
            ("`{{#relationships}}`", ["owners", "relationships"]),
            ("`{{#backlinks}}`", ["owners", "backlinks"]), ("`{{#containers}}`", ["containers"]),
            ("`{{#payloadTables}}`", ["payloadTables"]), ("`{{#partialEqualities}}`", ["partialEqualities"]),
        ] as [(String, [String])]
    )
    func rows(heading: String, path: [String]) throws {
        let documented = Set(try rows(under: heading))
        let actual = Set(try members(at: path).map { Row(name: $0.key, value: $0.value) })
        let missing = actual.subtracting(documented).map(\.text).sorted().joined(separator: "\n")
        let wrong = documented.subtracting(actual).map(\.text).sorted().joined(separator: "\n")
        #expect(missing.isEmpty, "Under '\(heading)' these rows are missing:\n\(missing)")
        #expect(wrong.isEmpty, "Under '\(heading)' these rows are wrong:\n\(wrong)")
    }

    @Test("Both lists of imports have the same names")
    func imports() throws {
        #expect(try members(at: ["imports"]).keys == members(at: ["accessorImports"]).keys)
    }

    @Test("Each shipped template is listed, and uses only names of the sample")
    func shippedTemplates() throws {
        for (name, template) in Templates.all {
            #expect(text.contains("| `\(name).mustache` | `{{> \(name)}}` |"))
            try Template(template).check(TemplateSample.values)
        }
        #expect(text.matches(of: /\| `\w+\.mustache` \|/).count == Templates.all.count)
    }

    /// The members of the object at a path of lists, each of which is represented by its first element.
    private func members(at path: [String]) throws -> [String: TemplateValue] {
        var value: TemplateValue? = TemplateSample.values
        for name in path {
            guard case .object(let members)? = value, case .list(let elements)? = members[name] else { break }
            value = elements.first
        }
        guard case .object(let members)? = value else {
            Issue.record("There is no object at \(path)")
            return [:]
        }
        return members
    }

    /// The rows of the table under a heading.
    private func rows(under heading: String) throws -> [Row] {
        let begin = try #require(text.range(of: "\n## \(heading)\n")).upperBound
        let section = text[begin...].components(separatedBy: "\n## ")[0]
        return try section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.components(separatedBy: " | ")
            try #require(cells.count == 4, "A row has four cells: \(line)")
            return Row(text: cells[0...2].joined(separator: " | "))
        }
    }
}

/// A row of a table, without the description.
private struct Row: Hashable {
    var text: String

    init(text: String) {
        self.text = text
    }

    init(name: String, value: TemplateValue) {
        let (kind, example) =
            switch value {
            case .text(let text): ("text", Self.code(text))
            case .flag(let flag): ("flag", "`\(flag)`")
            case .list(let elements):
                if case .text(let text)? = elements.first {
                    ("list of texts", Self.code(text))
                } else {
                    ("list", "below")
                }
            case .object: ("object", "below")
            case .nothing: ("nothing", "")
            }
        text = "| `\(name)` | \(kind) | \(example)"
    }

    /// The text as code, which may contain backticks.
    private static func code(_ text: String) -> String {
        if text.isEmpty { return "empty" }
        return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
    }
}
