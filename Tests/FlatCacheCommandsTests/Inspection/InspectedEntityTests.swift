import FlatCache
import FlatCacheStore
import Foundation
import TestThreads
import Testing

@Suite("flatcache inspect --entity", .mayBlock)
struct InspectedEntityTests {
    private let store: StoredFolder

    init() throws {
        store = try StoredFolder()
    }

    @Test(
        "An entity is printed with its version, its time and its place",
        arguments: [
            #"{"domain":"example.org","number":2}"#, #" { "number": 2, "domain": "example.org" } "#,
        ]
    )
    func entity(id: String) async throws {
        try await store.writeModels()
        let outcome = try store.inspect("--entity", "Memo", id)
        #expect(
            outcome.output == """
                {
                  "type": "Memo",
                  "id": {"domain":"example.org","number":2},
                  "version": 1,
                  "written": "2001-09-09T01:46:40.000Z",
                  "isStale": false,
                  "place": 2,
                  "entity": {"id":{"domain":"example.org","number":2},"text":"two"}
                }

                """
        )
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }

    @Test("An entity that is marked as stale says so")
    func stale() async throws {
        try await store.writeModels()
        try await store.write { $0.invalidate(Memo.self, id: Memo(1).id) }
        let memo = try store.inspect("--entity", "Memo", #"{"domain":"example.org","number":1}"#).output
        #expect(memo.contains("\"written\": null,\n  \"isStale\": true,\n"))
        try await store.write { $0.invalidateAll(of: Author.self) }
        let author = try store.inspect("--entity", "Author", "7").output
        #expect(author.contains("\"isStale\": true,\n"))
        #expect(author.contains("\"entity\": {\"id\":7,\"name\":\"Ada\"}\n"))
    }

    @Test(
        "An entity that isn't there is an error",
        arguments: [
            ("memos", "1", "there are no entities of the type 'memos'; did you mean 'Memo'?"),
            ("Post", "1", "there are no entities of the type 'Post'; there are entities of 'Author', 'Memo'"),
            ("Author", "8", "there is no entity of the type 'Author' with the identifier '8'"),
            ("Author", "-7", "there is no entity of the type 'Author' with the identifier '-7'"),
            ("Author", "@7", "there is no entity of the type 'Author' with the identifier '@7'"),
            ("Memo", "{", "there is no entity of the type 'Memo' with the identifier '{'"),
            ("A\tb", "\n", #"there are no entities of the type 'A\u{9}b'; there are entities of 'Author', 'Memo'"#),
        ]
    )
    func missing(type: String, id: String, message: String) async throws {
        try await store.writeModels()
        #expect(
            try store.inspect("--entity", type, id)
                == Tool.Outcome(status: 1, output: "", errors: "Store: error: \(message)\n")
        )
    }

    @Test("A record that can't be read is an error, and its header is printed")
    func unreadable() throws {
        let file = FileStore(at: store.url)
        try file.open(.readWrite)
        // The key is the text "a". The record has a header, and a value of no known kind.
        let key = try RecordKey.bytes(of: "a")[...]
        let header = [UInt8](repeating: 0, count: EntityHeader.size)
        let change = RecordChange(key: key, value: (header + [0x7F])[...])
        try file.write(StoreBatch([StoreBatch.Part(RecordGroup(.entities, of: "Post"), changes: [change])]))
        file.close()
        let outcome = try store.inspect("--entity", "Post", "a")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("Store: error: the entity can't be read: "))
        #expect(outcome.output.hasPrefix("{\n  \"type\": \"Post\",\n  \"id\": \"a\",\n  \"version\": 0,\n"))
        #expect(outcome.output.hasSuffix("  \"entity\": null\n}\n"))
        let lines = try store.inspect().output.split(separator: "\n")
        #expect(lines[1].hasPrefix("       1 ") && lines[1].hasSuffix("  unknown      0           0  Post"))
        #expect(lines[2] == "Post: 1 entity of version 0")
    }
}
