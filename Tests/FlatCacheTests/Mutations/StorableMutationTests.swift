import FlatCache
import Foundation
import Testing

/// What the server of a test receives.
private enum Received {
    @TaskLocal static var contexts = Recorder<MutationContext>()
}

private struct Playing: StorableMutation {
    static let storedName = "play"

    var id: Int

    func change(_ change: inout MutationChanges) { change.update(Song.self, id: id) { $0.plays += 1 } }

    func send(_ context: MutationContext) async throws { Received.contexts.record(context) }
}

private struct Titling: StorableMutation {
    static let storedName = "title"

    var id: Int
    var title: String

    func change(_ change: inout MutationChanges) {
        let title = title
        change.update(Song.self, id: id) { $0.title = title }
    }

    func send(_ context: MutationContext) async throws -> Song { Song(id: id, title: title + "!", plays: 9) }
}

private struct Adding: StorableMutation {
    static let storedName = "add"

    var id: Int

    func change(_ change: inout MutationChanges) { change.insert(temporary: Song(id: id)) }

    func send(_ context: MutationContext) async throws -> Song { Song(id: 7, plays: 1) }
}

private struct Shuffling: StorableMutation {
    static let storedName = "shuffle"

    func change(_ change: inout MutationChanges) {}

    func send(_ context: MutationContext) async throws -> Payload<[Int]> {
        try JSONDecoder().decode(Payload<[Int]>.self, from: Data("[2, 1]".utf8))
    }
}

/// A mutation that says itself what becomes of its answer.
private struct Ranking: StorableMutation {
    static let storedName = "rank"

    var ids: [Int]

    func change(_ change: inout MutationChanges) {
        for id in ids { change.append(id, to: FlatCache.current.list("ranks", of: Song.self)) }
    }

    func send(_ context: MutationContext) async throws -> [Int] { ids.reversed() }

    func store(_ answer: [Int], in cache: FlatCache) -> Int {
        cache.list("ranks", of: Song.self).replace(withIDs: answer)
        return answer.count
    }
}

private struct Refused: StorableMutation {
    static let storedName = "refused"

    func change(_ change: inout MutationChanges) { change.update(Song.self, id: 1) { $0.plays = 100 } }

    func send(_ context: MutationContext) async throws { throw RejectedError() }
}

@Suite("Mutations as types")
struct StorableMutationTests {
    private let cache = FlatCache()

    init() {
        cache.set(Song(id: 1, title: "a"))
    }

    @Test("A mutation that returns nothing makes its change")
    func nothing() async throws {
        let mutation = cache.mutate(Playing(id: 1))
        #expect(cache.get(Song.self, id: 1)?.plays == 1 && mutation.keys == [FlatCacheKey(Song.self, id: 1)])
        try await mutation.value
        #expect(cache.confirmed { cache.get(Song.self, id: 1) }?.plays == 1)
    }

    @Test("A mutation that returns an entity stores it")
    func entity() async throws {
        let answer = try await cache.mutate(Titling(id: 1, title: "b")).value
        #expect(answer == Song(id: 1, title: "b!", plays: 9) && cache.get(Song.self, id: 1) == answer)
    }

    @Test("A mutation that returns a payload stores it, and need not change anything")
    func payload() async throws {
        let answer: StoredPayload<[Int]> = try await cache.mutate(Shuffling()).value
        #expect(answer.value == [2, 1])
    }

    @Test("A mutation can store its answer itself, in the commit that confirms it")
    func ownAnswer() async throws {
        let list = cache.list("ranks", of: Song.self)
        let states = Recorder<[Int]>()
        let subscription = list.observe { states.record($0.ids.map { $0 }) }
        #expect(try await cache.mutate(Ranking(ids: [1, 2])).value == 2)
        #expect(Array(list.ids) == [2, 1])
        #expect(states.elements == [[], [1, 2], [2, 1]])
        withExtendedLifetime(subscription) {}
    }

    @Test("A mutation that is refused leaves nothing but its error")
    func refused() async throws {
        let mutation = cache.mutate(Refused())
        await #expect(throws: RejectedError.self) { try await mutation.value }
        let handle = Cached(Song.self, id: 1, in: cache)
        #expect(handle.plays == 0 && handle.mutations.lastError is RejectedError && cache.pendingMutations.isEmpty)
    }

    @Test("Each mutation has a key of its own, and none is a replay")
    func contexts() async throws {
        let contexts = Recorder<MutationContext>()
        try await Received.$contexts.withValue(contexts) {
            for _ in 0..<20 { try await cache.mutate(Playing(id: 1)).value }
        }
        #expect(Set(contexts.elements.map(\.idempotencyKey)).count == 20)
        #expect(contexts.elements.allSatisfy { !$0.isReplay && $0.idempotencyKey.count == 32 })
        #expect(cache.keptMutations.isEmpty)
    }

    @Test("The entity that a mutation inserts is replaced by that of the answer")
    func insertion() async throws {
        let cache = FlatCache()
        let list = cache.list("songs", of: Song.self)
        list.append(ids: [-1])
        #expect(try await cache.mutate(Adding(id: -1)).value.id == 7)
        #expect(cache.allValues(of: Song.self).map(\.id) == [7])
        #expect(Array(list.ids) == [7] && cache.currentID(of: Song.self, -1) == 7)
    }
}
