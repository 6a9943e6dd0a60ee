import Foundation
import RelationshipTemplates
import Testing

/// Compares the templates with those that are in the tool.
///
/// After a wanted change, `RECORD_REFERENCES=1 swift test --filter ReferenceComparison` writes them anew.
@Suite("Templates in the tool")
struct TemplateReferenceComparison {
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_REFERENCES"] != nil

    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Templates")

    @Test("Templates.swift has the texts of all templates beside it")
    func texts() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".mustache")
        }
        .map { String($0.dropLast(".mustache".count)) }
        let source = recording(
            of: names.sorted(),
            try names.reduce(into: [:]) { $0[$1] = try text(of: "\($1).mustache") }
        )
        if Self.isRecording {
            try Data(source.utf8).write(to: folder.appending(path: "Templates.swift"))
        }
        #expect(try text(of: "Templates.swift") == source)
    }

    // While recording, the tests have what was recorded before.
    @Test(
        "A text in the tool is that of its file, byte for byte",
        .disabled(if: isRecording),
        arguments: Templates.all.keys.sorted()
    )
    func text(name: String) throws {
        #expect(Templates.all[name] == (try text(of: "\(name).mustache")))
    }

    private func text(of file: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
    }

    private func recording(of names: [String], _ texts: [String: String]) -> String {
        let constants = names.map { name in
            """
                /// The text of `\(name).mustache`.
                package static let \(Self.constant(name)) = #\"""
            \(texts[name] ?? "")
            \"""#


            """
        }
        return """
            // Recorded from the templates beside this file: RECORD_REFERENCES=1 swift test --filter ReferenceComparison
            // swift-format-ignore-file

            /// The templates that the generator renders, as a part of the tool.
            package enum Templates {
            \(constants.joined())    /// The texts by the names with which templates can include them.
                package static let all = [\(names.map { "\"\($0)\": \(Self.constant($0))" }.joined(separator: ", "))]
            }

            """
    }

    private static func constant(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
