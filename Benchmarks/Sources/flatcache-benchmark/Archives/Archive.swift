import FlatCache
import Foundation

/// Messages on disk, of which a cache is made when the app starts.
protocol Archive: Sendable {
    /// The name of the subject in the figures.
    static var name: String { get }

    /// Whether no archive before it in ``allArchives`` writes the same bytes.
    static var hasOwnFormat: Bool { get }

    /// Writes messages.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - folder: An empty folder.
    init(of messages: [Message], in folder: URL) async throws

    /// Returns a new cache with the messages.
    func restoredCache() async throws -> FlatCache
}

extension Archive {
    static var hasOwnFormat: Bool { true }
    var name: String { Self.name }
}

/// All subjects that keep messages on disk, the library first.
let allArchives: [any Archive.Type] = [FileArchive.self, JSONArchive.self] + databaseArchives

#if DATABASE
private let databaseArchives: [any Archive.Type] = [RowArchive.self, RecordArchive.self]
#else
private let databaseArchives: [any Archive.Type] = []
#endif

/// A folder of its own, which is removed with the object.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "flatcache-benchmark-\(UUID().uuidString)")

    init() {
        succeed { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The bytes of all files.
    var size: Int {
        succeed {
            try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: [.fileSizeKey])
                .reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        }
    }
}
