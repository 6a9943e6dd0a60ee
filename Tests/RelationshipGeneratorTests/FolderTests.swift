import Foundation
import Testing

@testable import RelationshipGenerator

/// The folders of the library, read with the scanner of the generator, which is why the test stands here.
@Suite("Folders of the library")
struct FolderTests {
    /// The folders, each of which may name types of those before it.
    ///
    /// The files beside them are the public interface, `FlatCache`, `Cached` and their extensions. Folders from the commits on may
    /// name these two; all may name `Cachable` and `FlatCacheKey`.
    private static let order = [
        "Platform", "Collections", "Tracking", "Storage", "Commits", "Observation", "Lists", "Indexes", "Queries",
        "Fetching", "Recording", "Relationships", "Limits", "Payloads", "Mutations", "LoadedLists",
    ]

    private struct File {
        let name: String
        let folder: String
        let types: [TypeDeclaration]
        let identifiers: Set<String>
    }

    private static func files() throws -> [File] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/FlatCache")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try paths.filter { $0.hasSuffix(".swift") && $0.contains("/") }.map { path in
            let text = [UInt8](try Data(contentsOf: root.appending(path: path)))
            return File(
                name: path,
                folder: String(path.prefix { $0 != "/" }),
                types: Scanner.scan(text, path: path).types.filter { $0.parent == nil && $0.kind != .extension },
                identifiers: identifiers(in: text)
            )
        }
    }

    private static func identifiers(in text: [UInt8]) -> Set<String> {
        SourceText.with(text) { source in
            var lexer = Lexer(source) { _, _ in false }
            var token = Token()
            var names: Set<String> = []
            lexer.next(&token)
            while token.kind != .endOfFile {
                if token.kind == .identifier { names.insert(String(decoding: text[token.range], as: UTF8.self)) }
                lexer.next(&token)
            }
            return names
        }
    }

    @Test("A folder names no type of a folder above it")
    func oneWay() throws {
        let files = try Self.files()
        let folders = Set(files.map(\.folder))
        #expect(folders == Set(Self.order), "the order of the folders is not complete")
        var homes: [String: Int] = [:]
        for file in files {
            guard let place = Self.order.firstIndex(of: file.folder) else { continue }
            for type in file.types where type.access != .private && type.access != .fileprivate {
                homes[type.name] = place
            }
        }
        #expect(homes.count > 80)
        for file in files {
            guard let place = Self.order.firstIndex(of: file.folder) else { continue }
            var above = file.identifiers.filter { homes[$0, default: 0] > place }
            // Storage knows nothing of the interface.
            if place <= 3 { above.formUnion(file.identifiers.intersection(["FlatCache", "Cached"])) }
            #expect(above.isEmpty, "\(file.name) names \(above.sorted().joined(separator: ", ")) of a folder above")
        }
    }
}
