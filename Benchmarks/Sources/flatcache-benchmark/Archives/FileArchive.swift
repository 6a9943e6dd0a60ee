import FlatCache
import FlatCacheStore
import Foundation

/// The library.
struct FileArchive: Archive {
    static let name = FlatCacheStore.name
    private let folder: URL

    init(of messages: [Message], in folder: URL) async throws {
        self.folder = folder
        let cache = try await restoredCache()
        cache.set(contentsOf: messages)
        try await cache.store?.close()
    }

    func restoredCache() async throws -> FlatCache {
        try await FlatCache(store: FileStore(at: folder), for: Message.self)
    }
}
