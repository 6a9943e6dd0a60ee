import Foundation
import Testing

@Suite("Source code of the library")
struct SourceCodeTests {
    @Test("The library has no assertions, because release builds leave them out")
    func noAssertions() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/FlatCache")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            #expect(source.firstRange(of: /\bassert(ionFailure)?\(/) == nil, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 20)
    }
}
