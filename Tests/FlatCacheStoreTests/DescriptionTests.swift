import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore
@testable import FlatCacheStoreTesting

@Suite("Descriptions of stores")
struct DescriptionTests {
    /// A value of a public type, with the line that it is printed as.
    struct Printed: Sendable {
        /// The name of the type in `.ci/api.txt`.
        let type: String
        let line: String
        let make: @Sendable () async throws -> Any

        init(_ type: String, _ line: String, _ make: @escaping @Sendable () async throws -> Any) {
            self.type = type
            self.line = line
            self.make = make
        }
    }

    private static let cut = FileStore.OpeningReport.Cut(file: "/a/log-1", offset: 24, bytes: 1_204)

    private static let values: [Printed] = [
        Printed("CacheStore", "CacheStore: FlatCacheStoreTests.MemoryStore, not writing") {
            let place = MemoryPlace()
            try await FlatCache(store: MemoryStore(in: place), for: Author.self).store?.close()
            let cache = try await FlatCache(store: MemoryStore(in: place), for: Author.self, access: .readOnly)
            return try cache.store.required
        },
        Printed("FileStore", #"FileStore("/caches/blog")"#) { FileStore(at: URL(filePath: "/caches/blog")) },
        Printed("FileStore.OpeningReport", "FileStore.OpeningReport: 0 cuts") { FileStore.OpeningReport() },
        Printed("FileStore.OpeningReport", "FileStore.OpeningReport: 1 cut, 1,204 bytes") {
            FileStore.OpeningReport(cuts: [cut])
        },
        Printed("FileStore.OpeningReport.Cut", #"Cut(file: "/a/log-1", offset: 24, bytes: 1204)"#) { cut },
        Printed("FileStore.Protection", "complete") { FileStore.Protection.complete },
        Printed("FileStore.SalvageReport", "FileStore.SalvageReport: 0 copies") { FileStore.SalvageReport() },
        Printed("FileStore.SalvageReport.Copy", #"Copy(file: "/a", source: "/b", offset: 24, bytes: 3)"#) {
            FileStore.SalvageReport.Copy(file: "/a", source: "/b", offset: 24, bytes: 3)
        },
        Printed("FileStore.Sealing", "FileStore.Sealing") {
            FileStore.Sealing(seal: { Array($0) }, open: { Array($0) })
        },
        Printed("FileStore.SyncPolicy", "eachBatch") { FileStore.SyncPolicy.eachBatch },
        Printed("FileStoreError", "The store in '/a' is not open. Call 'open(_:)' before") {
            FileStoreError.notOpen(folder: "/a")
        },
        Printed("FileStoreError.Damage", "The manifest of the store is damaged") { FileStoreError.Damage.manifest },
        Printed("FileStoreInspection", "FileStoreInspection: format 1, 1 log, 1 group, 1,204 bytes, sealed") {
            FileStoreInspection(
                formatVersion: 1,
                logs: [FileStoreInspection.Log(file: "/a/log-1", bytes: 1_204)],
                groups: [posts: FileStoreInspection.Group(records: 1, bytes: 24, changes: 2)],
                isSealed: true
            )
        },
        Printed("FileStoreInspection.Group", "Group(records: 1, bytes: 24, changes: 2)") {
            FileStoreInspection.Group(records: 1, bytes: 24, changes: 2)
        },
        Printed(
            "FileStoreInspection.Log",
            #"Log(file: "/a", bytes: 3, batches: 0, sequences: Optional(ClosedRange(1...2)), isCompacted: false)"#
        ) { FileStoreInspection.Log(file: "/a", bytes: 3, sequences: 1...2) },
        Printed("RecordChange", "RecordChange: key of 1 byte, value of 5 bytes") {
            RecordChange(key: bytes("1"), value: bytes("value"))
        },
        Printed("RecordChange", "RecordChange: key of 1 byte, removed") { RecordChange(key: bytes("1"), value: nil) },
        Printed("RecordGroup", "entities of 'Post'") { posts },
        Printed("RecordGroup.Kind", "mergeBases") { RecordGroup.Kind.mergeBases },
        Printed("StoreAccess", "readOnly") { StoreAccess.readOnly },
        Printed("StoreBatch", "StoreBatch") { StoreBatch([]) },
        Printed("StoreBatch.Part", "StoreBatch.Part: entities of 'Post', removes all, 2 changes") {
            StoreBatch.Part(posts, removesAll: true, ["1": "a", "2": nil])
        },
        Printed("StoredMembers", "StoredMembers: id, name") {
            let coding = Coding()
            let record = try coding.record(of: Author(id: "1", name: "Ann"))
            return try StoredMembers(record[...], shapes: coding.encoder.shapes)
        },
        Printed("StoredRecord", "StoredRecord: key of 1 byte, value of 1,204 bytes") {
            StoredRecord(key: bytes("1"), value: Array(repeating: 0, count: 1_204)[...])
        },
        Printed(
            "StoreError",
            """
            The store has failed to write. The changes remain in memory and are written again later: The store in '/a' \
            is not open. Call 'open(_:)' before
            """
        ) { StoreError.failed(.write, FileStoreError.notOpen(folder: "/a")) },
        Printed("StoreError.Operation", "flush") { StoreError.Operation.flush },
        Printed("StoreNews", "1 batch") { StoreNews.batches([[StoreBatch.Part(posts, ["1": "a"])]]) },
        Printed("StoreSize", "StoreSize(bytes: 3, unusedBytes: 1)") { StoreSize(bytes: 3, unusedBytes: 1) },
        Printed("StoreCheck", StoreCheck.all[0].name) { StoreCheck.all[0] },
        Printed("StoreCheckFailure", "random: expected no error, but found the error 'closed'") {
            StoreCheckFailure(check: "random", expected: "no error", found: "the error 'closed'")
        },
    ]

    @Test("A value is printed as a short line, without its storage", arguments: values)
    func line(_ value: Printed) async throws {
        let printed = try await value.make()
        var dumped = ""
        dump(printed, to: &dumped)
        #expect("\(printed)" == value.line)
        #expect(!value.line.contains { $0.isNewline } && value.line.count <= 200)
        #expect(dumped.split(whereSeparator: \.isNewline).count <= 20, "\(dumped)")
    }

    @Test("Every public type has a line")
    func allTypes() throws {
        let list = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.ci/api.txt")
        let text = try String(contentsOf: list, encoding: .utf8)
        let start = try #require(text.firstRange(of: "# The public API of FlatCacheStore."))
        let types = text[start.upperBound...].matches(of: /(?m)^(?:final )?(?:struct|class|enum) ([\w.]+)/)
            .map { String($0.1) }
        #expect(types.count > 20)
        #expect(Set(types) == Set(Self.values.map { $0.type }))
    }

    @Test("A store is printed as writing, and a mutation that is stored with its name")
    func writing() async throws {
        let cache = try await FlatCache(store: MemoryStore(in: MemoryPlace()), for: Author.self)
        #expect("\(try cache.store.required)" == "CacheStore: FlatCacheStoreTests.MemoryStore, writing")
        cache.registerMutations(Rename.self)
        let mutation = cache.mutate(Rename(id: "1"))
        try await mutation.value
        #expect("\(mutation)" == #"Mutation<Void>("rename"): FlatCacheStoreTests.Author("1"), confirmed"#)
    }

    private struct Rename: StorableMutation {
        static let storedName = "rename"
        let id: String

        func change(_ change: inout MutationChanges) { change.update(Author.self, id: id) { $0.name = "new" } }

        func send(_ context: MutationContext) async throws {}
    }
}

extension Optional {
    /// The value, which must be there.
    fileprivate var required: Wrapped {
        get throws { try #require(self) }
    }
}
