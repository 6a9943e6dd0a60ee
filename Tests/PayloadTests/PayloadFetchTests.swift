import FlatCache
import Foundation
import Synchronization
import Testing

@Suite("Fetchers that return payloads")
struct PayloadFetchTests {
    private let cache = FlatCache()

    private static func payload<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    @Test("F1: Entities nested in a fetched entity are stored in the same commit")
    func nested() async throws {
        cache.setFetcher(of: Story.self) { ids in
            let stories = ids.map {
                #"{"id": "\#($0)", "title": "T", "writer": {"id": 7, "name": "W"}, "remarkIDs": []}"#
            }
            return try Self.payload([Story].self, "[\(stories.joined(separator: ","))]")
        }
        let keys = [Story.flatCacheKey(id: "1"), Writer.flatCacheKey(id: 7)]
        let changes = Mutex<[Int]>([])
        let subscription = cache.observe(keys, initial: false) { set in
            changes.withLock { $0.append(set.keys.count) }
        }
        #expect(try await cache.fetch(Story.self, id: "1").writerID == 7)
        #expect(cache.get(Writer.self, id: 7)?.name == "W")
        #expect(changes.withLock { $0 } == [2])
        subscription.cancel()
    }

    @Test("F1: A fetched entity keeps the properties that the payload leaves out")
    func absent() async throws {
        cache.set(Writer(id: 7, name: "W", bio: "B"))
        cache.setFetcher(of: Writer.self) { id in
            try Self.payload(Writer.self, #"{"id": \#(id), "name": "X"}"#)
        }
        let writer = try await cache.fetch(Writer.self, id: 7, .networkOnly)
        #expect(writer == Writer(id: 7, name: "X", bio: "B"))
    }

    @Test("F2: An incomplete entity is merged with the stored one, and is the error of its request otherwise")
    func incomplete() async throws {
        cache.set(Writer(id: 7, name: "W"))
        cache.setFetcher(of: Writer.self) { ids in
            let writers = ids.sorted().map { #"{"id": \#($0), "bio": "B"}"# }
            return try Self.payload([Writer].self, "[\(writers.joined(separator: ","))]")
        }
        #expect(try await cache.fetch(Writer.self, id: 7, .networkOnly) == Writer(id: 7, name: "W", bio: "B"))
        let handle = Cached(Writer.self, id: 8, in: cache)
        let error = await #expect(throws: FetchError.self) { try await cache.fetch(Writer.self, id: 8) }
        let problem = try #require(error?.underlying as? PayloadProblem)
        #expect(problem.description == "[0]: Writer isn't stored, and the payload leaves out name")
        #expect(error?.keys == [Writer.flatCacheKey(id: 8)])
        #expect(handle.status.error?.underlying is PayloadProblem && !handle.status.isLoading)
        #expect(cache.get(Writer.self, id: 8) == nil)
        // A later success clears the error.
        cache.setFetcher(of: Writer.self) { (id: Int) in Writer(id: id, name: "N") }
        #expect(try await cache.fetch(Writer.self, id: 8).name == "N")
        #expect(handle.status.error == nil)
    }

    @Test("F4: An answer leaves alone nested entities that were written or removed since the call")
    func fences() async throws {
        cache.set(contentsOf: [Writer(id: 7, name: "old"), Writer(id: 8, name: "old")])
        let cache = cache
        cache.setFetcher(of: Story.self) { _, answer in
            cache.update(Writer.self, id: 7) { $0.name = "newer" }
            cache.remove(Writer.self, id: 8)
            let payload = try Self.payload(
                Story.self,
                """
                {"id": "1", "title": "T", "writer": {"id": 7, "name": "older"}, "editor": {"id": 8, "bio": "older"},
                 "remarkIDs": []}
                """
            )
            answer.insert(payload)
        }
        _ = try await cache.fetch(Story.self, id: "1")
        #expect(cache.get(Writer.self, id: 7)?.name == "newer")
        #expect(cache.get(Writer.self, id: 8) == nil)
        cache.removeFetcher(of: Story.self)
    }

    @Test("An entity several times in an answer is stored in order, with its patches")
    func order() async throws {
        cache.setFetcher(of: Account.self) { ids, answer in
            for id in ids.sorted() {
                let json = #"[{"id": "\#(id)", "name": "A"}, {"id": "\#(id)", "picture": {"id": 1, "address": "/"}}]"#
                answer.insert(try Self.payload([CardResponse].self, json))
            }
        }
        let account = try await cache.fetch(Account.self, id: "1")
        #expect(account == Account(id: "1", name: "A", pictureID: 1, visits: 2))
        #expect(cache.get(Picture.self, id: 1)?.address == "/")

        cache.setFetcher(of: Writer.self) { _, answer in
            answer.insert(Writer(id: 7, name: "W", bio: "B"))
            answer.insert(try Self.payload([Writer].self, #"[{"id": 7, "name": "X"}, {"id": 7, "bio": null}]"#))
        }
        #expect(try await cache.fetch(Writer.self, id: 7) == Writer(id: 7, name: "X", bio: nil))
        let before = try await cache.fetch(Writer.self, id: 7, .networkOnly)
        cache.setFetcher(of: Writer.self) { _, answer in
            answer.insert(try Self.payload(Writer.self, #"{"id": 7, "bio": "lost"}"#))
            answer.insert(Writer(id: 7, name: "whole"))
        }
        #expect(before.name == "X")
        #expect(try await cache.fetch(Writer.self, id: 7, .networkOnly) == Writer(id: 7, name: "whole"))
    }

    @Test("F2: A patch that finds no entity is the error of the request")
    func patches() async throws {
        cache.setFetcher(of: Account.self) { ids, answer in
            for id in ids { answer.insert(try Self.payload(ProfileResponse.self, #"{"id": "\#(id)", "note": "N"}"#)) }
        }
        let error = await #expect(throws: FetchError.self) { try await cache.fetch(Account.self, id: "1") }
        #expect((error?.underlying as? PayloadProblem)?.description.contains("makeEntity") == true)
        cache.set(Account(id: "1", name: "A"))
        #expect(try await cache.fetch(Account.self, id: "1", .networkOnly).note == "N")
    }

    @Test(
        "F4: An entity that was removed during the call isn't completed, and the error says so",
        arguments: [true, false]
    )
    func removed(clears: Bool) async throws {
        cache.set(Writer(id: 7, name: "W"))
        cache.setFetcher(of: Writer.self) { (_: Set<Int>) in
            if clears { FlatCache.current.removeAll() } else { FlatCache.current.remove(Writer.self, id: 7) }
            return try Self.payload([Writer].self, #"[{"id": 7, "bio": "B"}]"#)
        }
        let error = await #expect(throws: FetchError.self) {
            try await cache.fetch(Writer.self, id: 7, .networkOnly)
        }
        guard case .removed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cache.get(Writer.self, id: 7) == nil)
    }

    @Test("F1: A requested entity that the payload doesn't have is an error, with the first unreadable one of its type")
    func omitted() async throws {
        cache.setFetcher(of: Writer.self) { ids in
            let names = ids.contains(7) ? "5" : #"{"first": "W"}"#
            return try Self.payload([Writer].self, #"[{"id": 1, "name": "A"}, {"id": 7, "name": \#(names)}]"#)
        }
        let error = await #expect(throws: FetchError.self) { try await cache.fetch(Writer.self, id: 7) }
        let problem = try #require(error?.underlying as? PayloadProblem)
        #expect(problem.description.hasPrefix("[1].name: can't read Writer"))
        #expect(error?.keys == [Writer.flatCacheKey(id: 7)])
        #expect(Cached(Writer.self, id: 7, in: cache).status.error?.underlying is PayloadProblem)

        cache.setFetcher(of: Writer.self) { _ in
            try Self.payload(Shelf.self, #"{"stories": [{"id": 1}], "writers": [{"id": 1, "name": "A"}]}"#)
        }
        let other = await #expect(throws: FetchError.self) { try await cache.fetch(Writer.self, id: 8) }
        #expect(other?.underlying == nil && other?.keys == [Writer.flatCacheKey(id: 8)])
    }

    private struct Shelf: Decodable {
        let stories: [Story]
        let writers: [Writer]
    }
}
