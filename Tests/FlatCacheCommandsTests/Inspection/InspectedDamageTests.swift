import FlatCache
import FlatCacheStore
import Foundation
import TestThreads
import Testing

@Suite("flatcache inspect on damaged stores", .mayBlock)
struct InspectedDamageTests {
    private let store: StoredFolder

    init() throws {
        store = try StoredFolder()
    }

    private static let remedy = "call 'salvage()' on a 'FileStore' that isn't open to keep what is before"

    /// Expects damage in the report, the JSON report and the errors.
    private func expectDamage(
        _ file: String,
        _ offset: Int,
        _ damage: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try store.inspect()
        let message = "damaged in \(file) at offset \(offset): \(damage); \(Self.remedy)"
        #expect(outcome.status == 1, sourceLocation: sourceLocation)
        #expect(
            outcome.output.hasSuffix("unused bytes: unknown\nformat: 1\nhealth: \(message)\n"),
            sourceLocation: sourceLocation
        )
        #expect(outcome.errors == "Store: error: \(message)\n", sourceLocation: sourceLocation)
        let json = try store.inspect("--json")
        #expect(json.status == 1 && json.errors == outcome.errors, sourceLocation: sourceLocation)
        let sentence = damage.prefix(1).uppercased() + damage.dropFirst()
        let health = """
              "health": {
                "state": "damaged",
                "file": "\(file)",
                "offset": \(offset),
                "damage": "\(sentence)"
              },
            """
        #expect(json.output.contains(health), sourceLocation: sourceLocation)
    }

    @Test("A torn tail is no error, and says where it is")
    func tornTail() async throws {
        try await store.writeModels()
        let bytes = try FileStore.inspect(store.url).size.bytes
        try store.change("log-1") { $0 += [1, 2, 3] }
        let outcome = try store.inspect()
        let tail = "a torn tail of 3 bytes in log-1 at offset \(bytes); opening for writing cuts it"
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasSuffix("health: \(tail)\n"))
        #expect(outcome.output.contains("  Memo\n"))
        let health = """
              "health": {
                "state": "torn",
                "file": "log-1",
                "offset": \(bytes),
                "bytes": 3
              },
            """
        #expect(try store.inspect("--json").output.contains(health))
    }

    @Test("A damaged batch is an error, and what is before it is printed")
    func damagedBatch() async throws {
        try await store.writeModels()
        let end = try FileStore.inspect(store.url).size.bytes
        try await store.write { $0.set(Author(id: 8)) }
        try store.change("log-1") { $0[end + 50] ^= 1 }
        try expectDamage("log-1", end, "a batch of the store is damaged")
        let author = try #require(store.inspect().output.split(separator: "\n").first { $0.hasSuffix("  Author") })
        #expect(author.hasPrefix("       1 "))
        let before = try store.inspect("--entity", "Author", "7")
        #expect(before.status == 1 && before.output.contains("\"name\":\"Ada\""))
        let after = try store.inspect("--entity", "Author", "8")
        let message = "Store: error: there is no entity of the type 'Author' with the identifier '8'\n"
        #expect(after == Tool.Outcome(status: 1, output: "", errors: before.errors + message))
    }

    @Test("A damaged or missing manifest, and a damaged or missing log, are errors")
    func damagedFiles() async throws {
        try await store.writeModels()
        let manifest = try Data(contentsOf: store.url.appending(path: "manifest"))
        try store.change("manifest") { $0[20] ^= 1 }
        try expectDamage("manifest", 0, "the manifest of the store is damaged")
        #expect(try store.inspect().output.hasPrefix("unused bytes: unknown\n"))
        try store.remove("manifest")
        try expectDamage("manifest", 0, "the manifest of the store is missing, but logs are there")
        try manifest.write(to: store.url.appending(path: "manifest"))
        try store.change("log-1") { $0[17] ^= 1 }
        try expectDamage("log-1", 0, "the header of a log is damaged")
        try store.remove("log-1")
        try expectDamage("log-1", 0, "a log of the store is missing")
    }

    @Test("An inspection changes neither the bytes nor the times of files, and needs no right to write")
    func writesNothing() async throws {
        try await store.writeModels()
        let end = try FileStore.inspect(store.url).size.bytes
        func expectNoChange() throws {
            let attributes = { [store] in try FileManager.default.setAttributes($0, ofItemAtPath: store.url.path) }
            try attributes([.posixPermissions: 0o555])
            defer { try? attributes([.posixPermissions: 0o755]) }
            let files = try store.files
            for arguments in [[], ["--json"], ["--entity", "Author", "7"]] {
                _ = try Tool.run(["inspect", store.url.path] + arguments)
                #expect(try store.files == files)
            }
        }
        try expectNoChange()
        try store.change("log-1") { $0 += [1, 2, 3] }
        try expectNoChange()
        try store.change("log-1") { $0[end - 50] ^= 1 }
        try expectNoChange()
        try store.remove("manifest")
        try expectNoChange()
    }
}
