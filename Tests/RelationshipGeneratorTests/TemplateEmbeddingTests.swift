import Foundation
import RelationshipTemplates
import Testing

@Suite("Templates in the tool")
struct TemplateEmbeddingTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Templates")

    @Test("Each template of the folder is embedded under its file's name")
    func names() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".mustache")
        }
        #expect(files.sorted() == Templates.all.keys.map { "\($0).mustache" }.sorted())
    }

    @Test("An embedded text equals its file, byte for byte", arguments: Templates.all.keys.sorted())
    func text(name: String) throws {
        let file = try Data(contentsOf: folder.appending(path: "\(name).mustache"))
        #expect(Templates.all[name].map { Data($0.utf8) } == file)
    }
}
