import FlatCache
import FlatCacheStore
import Foundation

extension FlatCache {
    /// Returns a cache that a folder keeps when the program ends, with everything that is in the folder.
    ///
    /// - Parameters:
    ///   - path: The folder, which is created if there is none.
    ///   - sources: Where the statuses come from. A folder has those of the same sources only, because an identifier is unique on
    ///     one server.
    static func kept(in path: String, of sources: [Source]) async throws(LoadingError) -> FlatCache {
        let cache: FlatCache
        do {
            let store = FileStore(at: URL(filePath: path, directoryHint: .isDirectory))
            cache = try await FlatCache(
                store: store,
                for: Status.self,
                Account.self,
                Poll.self,
                MediaAttachment.self,
                Tag.self,
                KeptSources.self
            )
        } catch {
            throw .unreadable(path, reason: "\(error)")
        }
        let names = sources.map(\.name)
        let kept = cache.get(KeptSources.self, id: KeptSources.id)
        guard kept == nil || kept?.names == names else {
            throw .otherSources(path, names: kept?.names.joined(separator: ", ") ?? "")
        }
        cache.set(KeptSources(names: names))
        return cache
    }
}

/// Where the statuses in a folder come from.
private struct KeptSources: Storable, Codable, Equatable {
    static let storedName = "Sources"
    static let id = "sources"

    var id: String { Self.id }
    let names: [String]
}
