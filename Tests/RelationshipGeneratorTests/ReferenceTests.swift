import Foundation
import RelationshipGenerator
import RelationshipTemplates
import Testing

/// Compares what is generated with a file that is compiled, run and reviewed.
///
/// After a wanted change, `RECORD_REFERENCES=1 swift test --filter ReferenceComparison` writes the file anew.
@Suite("References")
struct ReferenceComparison {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ReferenceTests")

    @Test("The output for the models of ReferenceTests is their reference, byte for byte")
    func blog() throws {
        let source = try Data(contentsOf: folder.appending(path: "Blog.swift"))
        let reference = folder.appending(path: "ReferenceTests+Relationships.swift")
        let generator = RelationshipGenerator(target: "ReferenceTests", template: Templates.relationships)
        let output = try generator.generate(from: [.init(path: "Blog.swift", text: Array(source))])
        if ProcessInfo.processInfo.environment["RECORD_REFERENCES"] != nil {
            try Data(output.utf8).write(to: reference)
        }
        #expect(output == String(decoding: try Data(contentsOf: reference), as: UTF8.self))
    }
}
