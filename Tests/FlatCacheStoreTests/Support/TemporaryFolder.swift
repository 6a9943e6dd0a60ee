import Foundation
import Testing

@testable import FlatCacheStore

/// A folder that exists until the last reference to it is gone.
final class TemporaryFolder {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("FileStoreTests-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The files of the folder by name.
    var files: [String: [UInt8]] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            return try Dictionary(
                uniqueKeysWithValues: names.map { ($0, Array(try Data(contentsOf: url.appendingPathComponent($0)))) }
            )
        }
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(bytes).write(to: url.appendingPathComponent(name))
    }
}

/// The content of a store: values by group and key.
typealias Records = [RecordGroup: [String: String]]

let posts = RecordGroup(.entities, of: "Post")
let authors = RecordGroup(.entities, of: "Author")
let feeds = RecordGroup(.lists, of: "Post")

func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

extension StoreBatch.Part {
    /// Creates a part that sets or, with `nil`, removes values.
    init(_ group: RecordGroup, removesAll: Bool = false, _ values: KeyValuePairs<String, String?>) {
        self.init(
            group,
            removesAll: removesAll,
            changes: values.map { RecordChange(key: bytes($0), value: $1.map(bytes)) }
        )
    }
}

extension Records {
    /// Applies a batch to a dictionary, which is the model of a store.
    mutating func apply(_ parts: [StoreBatch.Part]) {
        for part in parts {
            if part.removesAll { self[part.group] = nil }
            for change in part.changes {
                self[part.group, default: [:]][text(change.key)] = change.value.map(text)
            }
            if self[part.group]?.isEmpty == true { self[part.group] = nil }
        }
    }
}

extension FileStore {
    /// Creates a store that compacts only if a test calls it, and whose frames are small.
    convenience init(
        _ url: URL,
        system: any FileSystem = PosixFileSystem(),
        sync: SyncPolicy = .onFlush,
        sealing: Sealing? = nil,
        tuning: Tuning = Tuning(payloadLimit: 300, compactionMinimum: nil)
    ) {
        self.init(
            at: url,
            sync: sync,
            sealing: sealing,
            attributes: FolderAttributes(protection: .none, isExcludedFromBackup: false),
            system: system,
            tuning: tuning
        )
    }

    /// Creates a store in a simulated file system.
    convenience init(_ system: SimulatedFileSystem, sync: SyncPolicy = .onFlush, sealing: Sealing? = nil) {
        self.init(URL(fileURLWithPath: "/store"), system: system, sync: sync, sealing: sealing)
    }

    func write(_ parts: StoreBatch.Part...) throws { try write(StoreBatch(parts)) }

    /// Sets a value of a post.
    func set(_ key: String, _ value: String?) throws { try write(StoreBatch.Part(posts, [key: value])) }

    /// All records.
    var records: Records {
        get throws {
            var records: Records = [:]
            let counts = try groups()
            try read(Set(counts.keys)) { group, part in
                for record in part { records[group, default: [:]][text(record.key)] = text(record.value) }
            }
            return records
        }
    }

    /// The records of posts, as keys and values in their order.
    var postsInOrder: [String] {
        get throws {
            var texts: [String] = []
            try read([posts]) { _, part in texts += part.map { "\(text($0.key))=\(text($0.value))" } }
            return texts
        }
    }
}

/// Opens a store, uses it and closes it.
func withStore<Result>(
    _ store: FileStore,
    _ access: StoreAccess = .readWrite,
    _ body: (FileStore) throws -> Result
) throws -> Result {
    try store.open(access)
    defer { store.close() }
    return try body(store)
}

/// Expects that a store that is not open has some records.
func expectRecords(_ records: Records, in url: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectRecords(records, in: FileStore(url), sourceLocation: sourceLocation)
}

func expectRecords(
    _ records: Records,
    in system: SimulatedFileSystem,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try expectRecords(records, in: FileStore(system), sourceLocation: sourceLocation)
}

private func expectRecords(_ records: Records, in store: FileStore, sourceLocation: SourceLocation) throws {
    let found = try withStore(store) { try $0.records }
    #expect(found == records, sourceLocation: sourceLocation)
}

/// A variable that closures and threads share.
final class Box<Value>: @unchecked Sendable {  // The content is guarded by `lock`.
    private let lock = NSLock()
    private var content: Value

    var value: Value {
        get { lock.withLock { content } }
        set { lock.withLock { content = newValue } }
    }

    init(_ value: Value) {
        content = value
    }
}

extension FileStore.Sealing {
    /// A cipher that shows what sealing does, and hides nothing.
    static func toy(key: UInt8) -> Self {
        struct WrongKey: Error {}
        return Self { bytes in
            [key] + bytes.map { $0 ^ key }
        } open: { bytes in
            guard bytes.first == key else { throw WrongKey() }
            return bytes.dropFirst().map { $0 ^ key }
        }
    }
}
