import FlatCache
import Foundation
import Testing

@Suite("Requests for pages of lists")
struct RequestedPageTests {
    let cache = FlatCache()
    private var list: CachedList<Writer> { cache.list("writers", of: Writer.self) }
    private var ids: [Int] { Array(list.ids) }

    /// A response with writers, and a structure around them.
    private struct Page: Decodable, Sendable {
        let writers: [Writer]
        let next: String?
    }

    private func writers(_ ids: Int...) throws -> Payload<[Writer]> {
        let json = ids.map { #"{"id": \#($0), "name": "W"}"# }.joined(separator: ",")
        return try JSONDecoder().decode(Payload<[Writer]>.self, from: Data("[\(json)]".utf8))
    }

    @Test("Pages replace the list and are added at both ends; a structure around a page says which are listed")
    func places() async throws {
        #expect(try await list.replace { try writers(3, 4) }.value?.count == 2)
        _ = try await list.append { try writers(4, 5) }
        _ = try await list.prepend { try writers(1, 2) }
        #expect(ids == [1, 2, 3, 4, 5])
        let page = try await list.append(ids: { $0.writers.map(\.id) }) {
            let json = #"{"writers": [{"id": 6, "name": "F"}], "next": "7"}"#
            return try JSONDecoder().decode(Payload<Page>.self, from: Data(json.utf8))
        }
        #expect(page.value?.next == "7" && ids == [1, 2, 3, 4, 5, 6])
        _ = try await list.replace { try writers(8) }
        #expect(ids == [8])
    }

    @Test("F4: What the app adds to the list or removes while a page is loaded stays so")
    func changes() async throws {
        list.replace(with: [1, 2, 3].map { Writer(id: $0, name: "old") })
        _ = try await list.replace {
            list.prepend(Writer(id: 9, name: "new"))
            list.remove(2)
            cache.remove(Writer.self, id: 3)
            return try writers(1, 2, 3, 4)
        }
        #expect(ids == [9, 1, 4] && cache.get(Writer.self, id: 9)?.name == "new")
        #expect(!cache.contains(Writer.self, id: 3))
        _ = try await list.append {
            list.remove(4)
            return try writers(4, 5)
        }
        #expect(ids == [9, 1, 5])
    }

    @Test("M4: A page that was asked for before the list was replaced or removed doesn't change it", arguments: 0..<4)
    func replaced(change: Int) async throws {
        list.replace(withIDs: [1])
        func changeList() async throws {
            switch change {
            case 0: list.replace(withIDs: [7])
            case 1: _ = try await list.replace { try writers(7) }
            case 2: list.remove()
            default: cache.removeAll()
            }
        }
        for place in 0..<3 {
            if change > 1 { list.replace(withIDs: [1]) }
            switch place {
            case 0:
                _ = try await list.replace {
                    try await changeList()
                    return try writers(2, 3)
                }
            case 1:
                _ = try await list.append {
                    try await changeList()
                    return try writers(2, 3)
                }
            default:
                _ = try await list.prepend {
                    try await changeList()
                    return try writers(2, 3)
                }
            }
            #expect(ids == (change < 2 ? [7] : []))
        }
        #expect(cache.contains(Writer.self, id: 2) == (change < 3))
    }

    @Test("F3: A list that isn't stored remains so after a removal of all entities of its type")
    func removedType() async throws {
        _ = try await list.append {
            cache.removeAll(of: Writer.self)
            return try writers(1)
        }
        #expect(ids.isEmpty && cache.count(of: Writer.self) == 0)
    }

    @Test("F4: The page of the newer request replaces the one that an older request has stored meanwhile")
    func newer() async throws {
        list.replace(withIDs: [1])
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let older = Task {
            _ = try await list.replace {
                begin.finish()
                for await _ in ended {}
                return try writers(1, 2)
            }
        }
        for await _ in began {}
        _ = try await list.replace {
            end.finish()
            try await older.value
            #expect(ids == [1, 2])
            list.prepend(Writer(id: 9, name: "new"))
            return try writers(3, 1)
        }
        #expect(ids == [9, 3, 1])
    }

    @Test("A page that throws, is cancelled, has problems if it is strict or isn't modified leaves the list as it is")
    func failures() async throws {
        struct Failure: Error {}
        list.replace(withIDs: [1])
        await #expect(throws: Failure.self) { try await list.replace { () -> Payload<[Writer]> in throw Failure() } }
        let incomplete = try JSONDecoder().decode(Payload<[Writer]>.self, from: Data(#"[{"id": 2}]"#.utf8))
        await #expect(throws: PayloadProblem.self) { try await list.replace(strict: true) { incomplete } }
        let task = Task {
            try await list.replace {
                withUnsafeCurrentTask { $0?.cancel() }
                return try writers(2)
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let stored = try await list.replace { () -> Payload<[Writer]> in throw FlatCache.NotModified() }
        #expect(!stored.isModified && ids == [1] && cache.count(of: Writer.self) == 0)
        let problems = try await list.replace { incomplete }
        #expect(problems.problems.count == 1 && ids.isEmpty)
    }

    @Test("A list without its cache throws")
    func cacheGone() async throws {
        let list = FlatCache().list("writers", of: Writer.self)
        await #expect(throws: ListError.cacheGone("writers")) { try await list.append { try writers(1) } }
    }
}
