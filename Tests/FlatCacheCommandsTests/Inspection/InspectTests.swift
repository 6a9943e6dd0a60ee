import FlatCache
import FlatCacheStore
import Foundation
import TestThreads
import Testing

@Suite("flatcache inspect", .mayBlock)
struct InspectTests {
    private let store: StoredFolder

    init() throws {
        store = try StoredFolder()
    }

    /// The bytes of a type, aligned in a column.
    private func column(_ type: String) throws -> String {
        let digits = try "\(store.bytes(of: type))"
        return String(repeating: " ", count: 5 - digits.count) + digits
    }

    @Test("The report has types with counts, bytes and versions, the logs and the health")
    func text() async throws {
        try await store.writeModels()
        let size = try FileStore.inspect(store.url).size
        #expect(
            try store.inspect()
                == Tool.Outcome(
                    status: 0,
                    output: """
                        ENTITIES  BYTES  VERSION  LISTS  REFERENCES  TYPE
                               1  \(column("Author"))        1      0           1  Author
                               2  \(column("Memo"))        1      1           0  Memo

                        BYTES  BATCHES  FIRST  LAST  LOG
                          \(size.bytes)        1      1     1  log-1

                        unused bytes: \(size.unusedBytes) of \(size.bytes)
                        format: 1
                        health: whole

                        """,
                    errors: ""
                )
        )
    }

    @Test("The JSON report has the same under stable keys")
    func json() async throws {
        try await store.writeModels()
        let size = try FileStore.inspect(store.url).size
        #expect(
            try store.inspect("--json")
                == Tool.Outcome(
                    status: 0,
                    output: """
                        {
                          "format": 1,
                          "health": {
                            "state": "whole"
                          },
                          "isSealed": false,
                          "bytes": \(size.bytes),
                          "unusedBytes": \(size.unusedBytes),
                          "types": [
                            {
                              "name": "Author",
                              "version": 1,
                              "entities": 1,
                              "entitiesByVersion": {
                                "1": 1
                              },
                              "lists": 0,
                              "references": 1,
                              "bytes": \(store.bytes(of: "Author"))
                            },
                            {
                              "name": "Memo",
                              "version": 1,
                              "entities": 2,
                              "entitiesByVersion": {
                                "1": 2
                              },
                              "lists": 1,
                              "references": 0,
                              "bytes": \(store.bytes(of: "Memo"))
                            }
                          ],
                          "pendingMutations": [],
                          "logs": [
                            {
                              "file": "log-1",
                              "bytes": \(size.bytes),
                              "batches": 1,
                              "firstSequence": 1,
                              "lastSequence": 1,
                              "isCompacted": false
                            }
                          ]
                        }

                        """,
                    errors: ""
                )
        )
    }

    @Test("An empty store has no records")
    func empty() async throws {
        try await store.write(for: []) { _ in }
        let outcome = try store.inspect()
        #expect(
            outcome.output == """
                There are no records.

                BYTES  BATCHES  FIRST  LAST  LOG
                   24        0      -     -  log-1

                unused bytes: 24 of 24
                format: 1
                health: whole

                """
        )
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }

    @Test("Entities of older versions are counted")
    func versions() async throws {
        struct NewMemo: Storable, Codable, Equatable {
            static let storedName = "Memo"
            static let storedVersion = 3

            let id: Memo.ID
            var text: String
        }
        try await store.writeModels()
        try await store.write(for: [NewMemo.self]) { $0.set(NewMemo(id: Memo(2).id, text: "new")) }
        let lines = try store.inspect().output.split(separator: "\n")
        #expect(lines.contains("       2  \(try column("Memo"))        3      1           0  Memo"))
        #expect(lines.contains("Memo: 1 entity of version 1"))
        #expect(try store.inspect("--json").output.contains("\"1\": 1,\n        \"3\": 1\n"))
    }

    @Test("A log that a compaction has written says so")
    func compaction() async throws {
        try await store.writeModels()
        let file = FileStore(at: store.url)
        try file.open(.readWrite)
        try file.compact()
        file.close()
        let log = try #require(try FileStore.inspect(store.url).logs.first)
        #expect(log.isCompacted)
        #expect(try store.inspect().output.contains("\n  \(log.bytes)        1      1     1  log-2 (compacted)\n"))
    }

    @Test("Sealed records are left out")
    func sealed() async throws {
        try await store.write(for: [Author.self], sealing: .toy) { $0.set(Author(id: 1)) }
        let bytes = try FileStore.inspect(store.url).size.bytes
        let note = "Sealed records are left out: their names and contents can't be shown without the app's key."
        #expect(
            try store.inspect()
                == Tool.Outcome(
                    status: 0,
                    output: """
                        \(note)

                        BYTES  BATCHES  FIRST  LAST  LOG
                          \(bytes)        1      1     1  log-1

                        unused bytes: unknown
                        format: 1
                        health: whole

                        """,
                    errors: ""
                )
        )
        let json = try store.inspect("--json").output
        #expect(json.contains("\"isSealed\": true,") && json.contains("\"unusedBytes\": null,"))
        #expect(
            try store.inspect("--entity", "Author", "1")
                == Tool.Outcome(
                    status: 1,
                    output: "",
                    errors: "Store: error: the records are sealed; entities can't be shown without the app's key\n"
                )
        )
    }

    @Test("Names can't break the output, and can be written as they are shown")
    func oddNames() async throws {
        try await store.write(for: [OddlyNamed.self]) { $0.set(OddlyNamed(id: "line\n2")) }
        let shown = #"a\u{9}b\u{a}"c" \\ é🙂\u{1b}[31m\u{9b}\u{202e}\u{2028}"#
        let lines = try store.inspect().output.split(separator: "\n")
        #expect(lines[1].hasSuffix("  \(shown)"))
        let name = #""a\tb\n\"c\" \\ é🙂\u001b[31m\u009b\u202e\u2028""#
            .replacingOccurrences(of: "\\t", with: "\\u0009")
        let json = try store.inspect("--json")
        #expect(json.output.contains("\"name\": \(name),\n"))
        let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let types = report?["types"] as? [[String: Any]]
        #expect(types?.first?["name"] as? String == OddlyNamed.storedName)
        for type in [shown, OddlyNamed.storedName] {
            for id in ["line\n2", #""line\n2""#] {
                let entity = try store.inspect("--entity", type, id)
                #expect(entity.status == 0 && entity.output.contains("  \"id\": \"line\\n2\",\n"))
            }
        }
    }

    @Test("The report is printed while an app writes")
    func besideWriter() async throws {
        let cache = try await store.cache(for: [Author.self])
        cache.set(Author(id: 1))
        try await cache.flush()
        cache.set(Author(id: 2))
        let outcome = try store.inspect()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\n       1  \(try column("Author"))        1 "))
        try await cache.flush()
        #expect(try store.inspect().output.contains("\n       2  \(try column("Author"))        1 "))
        try await cache.store?.close()
    }

    /// A mutation whose answer never comes.
    private struct Renaming: StorableMutation {
        static let storedName = "rename"

        var number: Int
        var text: String
        var order: MutationOrder { .serial("memo \(number)") }

        func change(_ change: inout MutationChanges) {}

        func send(_ context: MutationContext) async throws {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    @Test("The report has the mutations that have not ended, in their order")
    func mutations() async throws {
        try await store.write { cache in
            cache.set(Author(id: 7))
            cache.mutate(Renaming(number: 1, text: "é"))
            cache.mutate(Renaming(number: 2, text: "b"))
        }
        let output = try store.inspect().output
        #expect(output.contains("\n2 pending mutations\n"))
        #expect(output.contains("Author") && !output.contains("FlatCache"))
        struct Report: Decodable {
            struct Pending: Decodable {
                struct Arguments: Decodable, Equatable {
                    var number: Int
                    var text: String
                }

                var name: String
                var idempotencyKey: String
                var serial: String
                var arguments: Arguments
            }

            var types: [[String: JSON]]
            var pendingMutations: [Pending]
        }
        struct JSON: Decodable {
            init(from decoder: any Decoder) throws {}
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(store.inspect("--json").output.utf8))
        #expect(report.types.count == 1)
        #expect(report.pendingMutations.map(\.name) == ["rename", "rename"])
        #expect(report.pendingMutations.map(\.serial) == ["memo 1", "memo 2"])
        #expect(report.pendingMutations.map(\.arguments.text) == ["é", "b"])
        #expect(Set(report.pendingMutations.map(\.idempotencyKey)).count == 2)
    }
}
