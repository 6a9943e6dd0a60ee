import Testing

@testable import FlatCache

/// How often the closures of pending mutations run.
@Suite("Closures of many pending mutations")
struct MutationCostTests {
    private let cache = FlatCache()
    private let calls = Protected(0)

    init() {
        cache.set(contentsOf: (0..<40).map { Memo(id: "\($0)") })
        cache.set(Song(id: 1))
    }

    @Test(
        "Each of many changes of one entity runs once to be shown, once over the answer, and once to be confirmed",
        arguments: [false, true]
    )
    func changesOfOneEntity(isTemporary: Bool) async throws {
        let answer = ManualAnswer<Memo>()
        let id = isTemporary ? "tmp" : "0"
        let first =
            isTemporary
            ? cache.mutate(inserting: Memo(id: id), send: answer.callAsFunction)
            : cache.mutate(Memo.self, id: id, { _ in }, send: answer.callAsFunction)
        let mutations = (0..<40).map { _ in
            cache.mutate(Memo.self, id: id) { [calls] in
                calls.withLock { $0 += 1 }
                $0.text += "x"
            } send: {
            }
        }
        #expect(calls.withLock { $0 } == 40)
        #expect(cache.text(id)?.count == 40)
        answer.succeed(Memo(id: isTemporary ? "7" : "0"))
        _ = try await first.value
        for mutation in mutations { try await mutation.value }
        #expect(cache.confirmed { cache.text(id) }?.count == 40)
        // The answer, which is another entity, is shown with all changes.
        #expect(calls.withLock { $0 } == 3 * 40)
    }

    @Test("A change above those that are confirmed runs again only if its index or its entity is another one")
    func changesOfIndexedEntity() async throws {
        let answer = ManualAnswer<Void>()
        let first = cache.favourite(answer)
        let mutations = (0..<40).map { _ in
            cache.mutate(Song.self, id: 1) { [calls] in
                calls.withLock { $0 += 1 }
                $0.plays += 1
            } send: {
            }
        }
        answer.succeed()
        try await first.value
        for mutation in mutations { try await mutation.value }
        #expect(cache.confirmedSong()?.plays == 40)
        #expect(cache.song()?.isFavourite == true)
        #expect(calls.withLock { $0 } == 2 * 40)
    }

    @Test("A replaced identifier runs only the changes of what names it")
    func changesBesideReplacements() async throws {
        let answer = ManualAnswer<Void>()
        let changes = (0..<40).map { number in
            cache.mutate(Memo.self, id: "\(number)") { [calls] in
                calls.withLock { $0 += 1 }
                $0.parentID = "tmp-\(number)"
            } send: {
                try await answer()
            }
        }
        for number in 0..<40 {
            let new = Memo(id: "new-\(number)")
            try await #expect(cache.mutate(inserting: Memo(id: "tmp-\(number)")) { new }.value == new)
        }
        #expect((0..<40).allSatisfy { cache.get(Memo.self, id: "\($0)")?.parentID == "new-\($0)" })
        #expect(calls.withLock { $0 } == 2 * 40)
        // They are sent in any order.
        for _ in changes { answer.succeed() }
        for change in changes { try await change.value }
        let confirmed = cache.confirmed { (0..<40).map { cache.get(Memo.self, id: "\($0)")?.parentID } }
        #expect(confirmed == (0..<40).map { "new-\($0)" })
    }
}
