import FlatCache
import Foundation

@testable import GitHubIssues

/// The recorded responses, and the script that nests one of them.
enum Fixtures {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the recorded responses beside the repository, or `nil` where it isn't available.
    static let folder: URL? = {
        let root = package.deletingLastPathComponent().deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["FLATCACHE_SHARED"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared")
        let folder = shared.appending(path: "data/github")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    static func path(_ name: String) -> String { folder?.appending(path: name).path ?? name }

    /// Runs the script `nest` on a file, and calls a body with the two files that it writes.
    static func withNested(_ path: String, _ body: ([String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "issues-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", package.appending(path: "nest").path, path, folder.path]
        try process.run()
        process.waitUntilExit()
        try body(["issues.json", "labels.json"].map { folder.appending(path: $0).path })
    }

    static func withFile(_ contents: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "issues-\(UUID()).json")
        try Data(contents.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    /// A cache with the entities of files, and all problems.
    static func stored(_ paths: [String]) throws -> (cache: FlatCache, ids: [TicketID], problems: [String]) {
        let cache = FlatCache()
        var ids: [TicketID] = []
        var problems: [String] = []
        for path in paths {
            let stored = try cache.store(contentsOf: Data(contentsOf: URL(filePath: path)))
            ids += stored.value?.ticketIDs ?? []
            problems += stored.problems.map(\.description)
        }
        return (cache, ids, problems)
    }
}

extension FlatCache {
    /// The entities of a type, by identifier.
    func entities<Entity: Cachable>(of type: Entity.Type) -> [Entity.ID: Entity] {
        Dictionary(allValues(of: type).map { ($0.id, $0) }) { $1 }
    }
}
