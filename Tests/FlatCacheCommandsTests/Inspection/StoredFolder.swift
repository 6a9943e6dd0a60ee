import FlatCache
import Foundation

@testable import FlatCacheStore

struct Author: Storable, Codable, Equatable {
    static let storedName = "Author"

    let id: Int
    var name = "Ada"
}

struct Memo: Storable, Codable, Equatable {
    static let storedName = "Memo"

    struct ID: Hashable, Codable, Sendable {
        var domain = "example.org"
        var number: Int
    }

    let id: ID
    var text: String

    init(_ number: Int, _ text: String = "") {
        id = ID(number: number)
        self.text = text
    }
}

/// A type whose name contains all that could break the lines of an output.
struct OddlyNamed: Storable, Codable, Equatable {
    static let storedName = "a\tb\n\"c\" \\ é🙂\u{1B}[31m\u{9B}\u{202E}\u{2028}"

    let id: String
}

/// A store in the folder of a test.
struct StoredFolder {
    private let folder: TemporaryFolder
    var url: URL { folder.url.appending(path: "Store") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Creates a cache whose time stands still, and which writes when it is closed.
    func cache(for types: [any Storable.Type], sealing: FileStore.Sealing? = nil) async throws -> FlatCache {
        let time = SystemTime { 1_000_000_000_000 }
        let store = FileStore(at: url, sealing: sealing)
        let connection = CacheStore(store, .readWrite, onDemand: [], delay: .seconds(3_600), time: time) { _ in }
        return try await FlatCache(connection, for: types, clock: StoppedClock())
    }

    /// Writes with a cache, and closes its store.
    func write(
        for types: [any Storable.Type] = [Author.self, Memo.self],
        sealing: FileStore.Sealing? = nil,
        _ body: (FlatCache) -> Void
    ) async throws {
        let cache = try await cache(for: types, sealing: sealing)
        body(cache)
        try await cache.store?.close()
    }

    /// Writes two types, a list and a reference.
    func writeModels() async throws {
        try await write { cache in
            cache.set(contentsOf: [Memo(1, "one"), Memo(2, "two")])
            cache.set(Author(id: 7))
            cache.list("home", of: Memo.self).replace(withIDs: [Memo(2).id])
            cache.reference("me", of: Author.self).id = 7
        }
    }

    /// Runs `flatcache inspect Store`.
    func inspect(_ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["inspect", "Store"] + arguments, in: folder.url)
    }

    /// The bytes of the records of a type.
    func bytes(of type: String) throws -> Int {
        try FileStore.inspect(url).groups.reduce(0) { $0 + ($1.key.type == type ? $1.value.bytes : 0) }
    }

    func unusedBytes() throws -> Int { try FileStore.inspect(url).size.unusedBytes }

    // MARK: - Files

    /// What a file has, and when it was changed.
    struct File: Equatable {
        let bytes: Data
        let modificationDate: Date?
    }

    /// The files by name, and the folder as `.`.
    var files: [String: File] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            return try (names + ["."]).reduce(into: [:]) { files, name in
                let path = url.appending(path: name).path
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                files[name] = File(
                    bytes: FileManager.default.contents(atPath: path) ?? Data(),
                    modificationDate: attributes[.modificationDate] as? Date
                )
            }
        }
    }

    /// Changes the bytes of a file.
    func change(_ name: String, _ body: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: url.appending(path: name))
        body(&bytes)
        try bytes.write(to: url.appending(path: name))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url.appending(path: name)) }
}

/// A clock that doesn't move.
private struct StoppedClock: Clock {
    struct Instant: InstantProtocol {
        func advanced(by duration: Duration) -> Instant { Instant() }

        func duration(to other: Instant) -> Duration { .zero }

        static func < (lhs: Instant, rhs: Instant) -> Bool { false }
    }

    let now = Instant()
    let minimumResolution = Duration.zero

    func sleep(until deadline: Instant, tolerance: Duration?) async throws { await Task.yield() }
}

extension FileStore.Sealing {
    /// A sealing that changes each byte.
    static let toy = FileStore.Sealing { bytes in
        bytes.map { $0 ^ 1 }
    } open: { bytes in
        bytes.map { $0 ^ 1 }
    }
}
