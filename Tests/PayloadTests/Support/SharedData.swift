import Foundation

/// The recorded responses beside the repository, which are not a part of it.
enum SharedData {
    /// The folder of a kind of response, or `nil` where it isn't available.
    static func folder(_ name: String) -> URL? {
        // The package of the thorough tests reaches this file by a link.
        let here = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["FLATCACHE_SHARED"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared")
        let folder = shared.appending(path: "data/\(name)")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// The contents of a recorded response.
    static func data(_ folder: String, _ file: String) throws -> Data {
        guard let folder = Self.folder(folder) else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: folder.appending(path: file))
    }
}
