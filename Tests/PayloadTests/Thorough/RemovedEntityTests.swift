import FlatCache
import Foundation
import Testing

@Suite("Responses of before a removal of what isn't stored")
struct RemovedEntityTests {
    private let cache = FlatCache()

    private func writers(_ json: String) throws -> Payload<[Writer]> {
        try JSONDecoder().decode(Payload<[Writer]>.self, from: Data(json.utf8))
    }

    @Test("F4: An older response doesn't store the entity, and a newer one does", arguments: 0..<4)
    func payload(way: Int) throws {
        let payload = try writers(#"[{"id": 7, "name": "W"}, {"id": 8, "name": "V"}]"#)
        // The type has no table yet.
        let revision = cache.revision()
        switch way {
        case 0: cache.remove(Writer.self, id: 7)
        case 1: cache.remove(Writer.self, ids: [7])
        case 2: cache.transaction { _ = cache.remove(Writer.self, id: 7) }
        default: Cached(Writer.self, id: 7, in: cache).remove()
        }
        let stored = cache.store(payload, since: revision)
        #expect(stored.value?.map(\.id) == [8] && stored.problems.isEmpty)
        #expect(cache.allValues(of: Writer.self).map(\.id) == [8])
        #expect(cache.store(payload, since: cache.revision()).value?.map(\.id) == [7, 8])
    }

    @Test("F4: In the transaction of the removal, an older response leaves it, too")
    func inTransaction() throws {
        let payload = try writers(#"[{"id": 7, "name": "W"}]"#)
        let revision = cache.revision()
        cache.transaction {
            cache.remove(Writer.self, id: 7)
            _ = cache.store(payload, since: revision)
        }
        #expect(cache.count(of: Writer.self) == 0)
    }

    @Test("A list doesn't list what an older payload can't store")
    func list() throws {
        let payload = try writers(#"[{"id": 7, "name": "W"}, {"id": 8, "name": "V"}]"#)
        let revision = cache.revision()
        cache.remove(Writer.self, id: 7)
        let list = cache.list("writers", of: Writer.self)
        list.append(contentsOf: payload, since: revision)
        #expect(list.values.map(\.id) == [8])
    }

    @Test(
        """
        An edit that finds no entity is a problem and nothing else: the answer to an earlier request is stored, and asked for \
        again if the key of the problem is invalidated
        """,
        arguments: [true, false],
        [true, false]
    )
    func refusedEdit(isPatch: Bool, isInvalidated: Bool) async throws {
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let (answers, answer) = AsyncStream.makeStream(of: String.self)
        cache.setFetcher(of: Writer.self) { (id: Int) -> Writer? in
            call.yield()
            for await name in answers { return Writer(id: id, name: name) }
            return nil
        }
        let cache = cache
        let task = Task { try await cache.fetch(Writer.self, id: 7) }
        for await _ in calls { break }
        let problems =
            isPatch
            ? cache.store(Biography(id: 7)).problems : cache.store(try writers(#"[{"id": 7, "bio": "B"}]"#)).problems
        let key = try #require(problems.first?.key)
        #expect(problems.count == 1 && key == Writer.flatCacheKey(id: 7))
        if isInvalidated { cache.invalidate(key) }
        answer.yield("old")
        #expect(try await task.value.name == "old")
        answer.yield("new")
        #expect(try await cache.fetch(Writer.self, id: 7).name == (isInvalidated ? "new" : "old"))
    }

    private struct Biography: EntityPatch {
        let id: Int

        func apply(to writer: inout Writer) { writer.bio = "B" }
    }
}
