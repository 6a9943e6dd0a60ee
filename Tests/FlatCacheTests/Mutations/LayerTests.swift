import TestThreads
import Testing

@testable import FlatCache

/// When the changes of several mutations of one entity are made.
@Suite("Layers", .mayBlock)
struct LayerTests {
    private let cache = FlatCache()

    @Test("Beginning a mutation calls its own closure alone, and a confirmed write calls all", arguments: [1, 2])
    func calls(keyCount: Int) {
        for id in 1...keyCount { cache.set(Song(id: id, title: "a")) }
        let counts = (0..<3).map { _ in SharedCount() }
        let answer = ManualAnswer<Void>()
        for count in counts {
            cache.mutate { change in
                for id in 1...keyCount {
                    change.update(Song.self, id: id) { song in
                        if id == 1 { count.add(1) }
                        song.title += "+"
                    }
                }
            } send: {
                try await answer()
            }
        }
        #expect(counts.map(\.value) == [1, 1, 1])
        #expect(cache.song()?.title == "a+++")
        cache.set(Song(id: 1, title: "b"))
        #expect(counts.map(\.value) == [2, 2, 2])
        #expect(cache.song()?.title == "b+++")
    }

    @Test("A change that has no effect on top of others takes effect when its entity is stored")
    func problemOnTop() {
        let answer = ManualAnswer<Void>()
        let mutations = (0..<2).map { _ in
            cache.mutate(Song.self, id: 1) {
                $0.plays += 1
            } send: {
                try await answer()
            }
        }
        #expect(mutations.allSatisfy { !$0.problems.isEmpty })
        cache.set(Song(id: 1))
        #expect(mutations.allSatisfy { $0.problems.isEmpty })
        #expect(cache.song()?.plays == 2)
        cache.remove(Song.self, id: 1)
        #expect(mutations.allSatisfy { !$0.problems.isEmpty })
        #expect(cache.song() == nil)
    }

    #if DEBUG
    @Test("A query of confirmed entities finds them after the last layer has ended, too", arguments: 0..<3)
    func endedLayers(kind: Int) async throws {
        let queries = [0, 1].map { plays in
            let query = FlatCache.Query(Song.self)
            return switch kind {
            case 0: query.filter(\.plays, equals: plays)
            case 1: query.filter(\.plays, in: plays...plays)
            default: query.filter { $0.plays == plays }.sorted(by: \.plays).limit(1)
            }
        }
        cache.set(Song(id: 1))
        #expect(queries.map { cache.query($0).ids } == [[1], []])
        let answer = ManualAnswer<Void>()
        let first = cache.mutate(Memo.self, id: "a", order: .serial("all")) {
            $0.text = "a"
        } send: {
            try await answer()
        }
        let mutation = cache.mutate(Song.self, id: 1, order: .serial("all")) {
            $0.plays = 1
        } send: {
        }
        #expect(queries.map { cache.query($0).ids } == [[], [1]])
        cache.confirmed {
            #expect(queries.map { cache.query($0).ids } == [[1], []])
            RunningThread { #expect(mutation.cancel()) }.finish()
            #expect(queries.map { cache.query($0).ids } == [[1], []])
        }
        cache.transaction {
            #expect(queries.map { cache.query($0).ids } == [[1], []])
        }
        answer.succeed()
        await first.ended()
    }
    #endif
}
