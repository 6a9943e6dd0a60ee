import FlatCache
import Foundation

/// What an app does without a store: one file of JSON, which is written whole each time.
struct JSONArchive: Archive {
    static let name = "JSON"
    private let file: URL

    init(of messages: [Message], in folder: URL) throws {
        file = folder.appending(path: "messages.json")
        try JSONEncoder().encode(messages).write(to: file, options: .atomic)
    }

    func restoredCache() throws -> FlatCache {
        let cache = FlatCache()
        cache.set(contentsOf: try JSONDecoder().decode([Message].self, from: Data(contentsOf: file)))
        return cache
    }
}
