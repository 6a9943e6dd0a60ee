import Foundation
import RelationshipGenerator
import RelationshipTemplates
import Testing

/// Compares generated code with files that are compiled, run and reviewed.
///
/// After a wanted change, `RECORD_REFERENCES=1 swift test --filter ReferenceComparison` writes the files anew.
@Suite("References")
struct ReferenceComparison {
    private let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "The output of each template for the models of ReferenceTests equals its reference, byte for byte",
        arguments: [
            (
                "ReferenceTests", "Relationships",
                ["Blog.swift", "Drafts.swift", "Letters.swift", "Library.swift", "Shapes.swift"]
            ),
            ("GetterTests", "Getters", ["Blog.swift", "Library.swift", "Shapes.swift"]),
        ]
    )
    func models(target: String, template: String, files: [String]) throws {
        let template = try #require(Templates.all[template])
        let sources = try files.map { name in
            let text = try Data(contentsOf: tests.appending(path: "ReferenceTests/\(name)"))
            return RelationshipGenerator.Source(path: name, text: Array(text))
        }
        let reference = tests.appending(path: "\(target)/\(target)+Relationships.swift")
        let generator = RelationshipGenerator(target: target, template: template)
        let output = try generator.generate(from: sources)
        if ProcessInfo.processInfo.environment["RECORD_REFERENCES"] != nil {
            try Data(output.utf8).write(to: reference)
        }
        let isSame = output == String(decoding: try Data(contentsOf: reference), as: UTF8.self)
        #expect(
            isSame,
            """
            \(reference.lastPathComponent) isn't what is generated. After a wanted change, run \
            'RECORD_REFERENCES=1 swift test --filter ReferenceComparison'
            """
        )
    }
}
