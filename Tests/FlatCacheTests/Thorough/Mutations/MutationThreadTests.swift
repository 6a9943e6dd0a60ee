import Foundation
import SeededRandom
import Synchronization
import TestThreads
import Testing

@testable import FlatCache

/// Mutations beside writers, transactions, readers and observers on other threads.
@Suite("Mutations on several threads", .mayBlock)
struct MutationThreadTests {
    @Test("An index follows layers that are applied again while its changes are determined", arguments: 1...8)
    func index(run: Int) async {
        let cache = FlatCache()
        cache.buildIndex(.init(\Song.plays))
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let blocker = cache.mutate(order: .serial("song")) { _ in
        } send: {
            try await answer()
        }
        let first = cache.mutate(Song.self, id: 1, order: .serial("song")) {
            $0.plays += 1
        } send: {
        }
        // The change of the second one is made again when the first one goes. Then another thread writes.
        let left = Protected(0)
        let second = cache.mutate(Song.self, id: 1, order: .serial("song")) { song in
            song.plays += 2
            let isNow = left.withLock {
                $0 -= 1
                return $0 == 0
            }
            if isNow { onThreads(1) { _ in cache.set(Song(id: 1, plays: 10)) } }
        } send: {
        }
        left.withLock { $0 = run }
        #expect(first.cancel())
        left.withLock { $0 = 0 }
        let plays = cache.get(Song.self, id: 1)?.plays
        let query = FlatCache.Query(Song.self)
        for count in 0..<20 {
            #expect(cache.query(query.filter(\.plays, equals: count)).ids == (count == plays ? [1] : []))
        }
        second.cancel()
        answer.succeed()
        await blocker.ended()
    }

    @Test("Writes of other threads stay while a change below a confirmed one is confirmed", arguments: 1...4)
    func confirming(run: Int) async throws {
        let cache = FlatCache()
        cache.buildIndex(.init(\Song.plays))
        cache.set(Song(id: 1))
        let left = Protected(0)
        let answer = ManualAnswer<Void>()
        let first = cache.mutate(Song.self, id: 1) { song in
            song.plays += 1
            let isNow = left.withLock {
                $0 -= 1
                return $0 == 0
            }
            if isNow { RunningThread { cache.update(Song.self, id: 1) { $0.albumID = 7 } }.finishInLibrary() }
        } send: {
            try await answer()
        }
        try await cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.plays += 1
        } send: {
        }.value
        left.withLock { $0 = run }
        answer.succeed()
        try await first.value
        #expect(cache.get(Song.self, id: 1)?.plays == 2)
        #expect(cache.get(Song.self, id: 1)?.albumID == (left.withLock { $0 } > 0 ? nil : 7))
    }

    @Test("No increment is lost and none is kept that has failed", arguments: [false, true])
    func increments(isIndexed: Bool) async {
        let cache = FlatCache()
        if isIndexed { cache.buildIndex(.init(\Song.plays)) }
        let songs = 3
        cache.set(contentsOf: (0..<songs).map { Song(id: $0) })
        let confirmed = (0..<songs).map { _ in SharedCount() }
        // The writes of others count what the mutations don't change.
        let written = (0..<songs).map { _ in SharedCount() }
        let mutations = Recorder<Mutation<Void>>()
        let wrong = Recorder<String>()
        let last = Recorder<Int>()
        let subscription = cache.observe(Song.self, id: 0) { last.record($0.value?.plays ?? -1) }
        let seed = Seeds.one
        onThreads(4) { number in
            var random = SeededGenerator(seed: seed, stream: number)
            for _ in 0..<Extent.count(150, full: 5_000) {
                let id = random.below(songs)
                switch random.below(6) {
                case 0, 1:
                    let fails = random.below(2) == 0
                    mutations.record(
                        cache.mutate(Song.self, id: id, order: random.below(2) == 0 ? .concurrent : .serial("\(id)")) {
                            $0.plays += 1
                        } send: {
                            if fails { throw RejectedError() }
                            confirmed[id].add(1)
                        }
                    )
                case 2:
                    cache.update(Song.self, id: id) { $0.albumID = ($0.albumID ?? 0) + 1 }
                    written[id].add(1)
                case 3:
                    cache.transaction {
                        guard var song = cache.get(Song.self, id: id) else { return }
                        song.albumID = (song.albumID ?? 0) + 1
                        cache.set(song)
                    }
                    written[id].add(1)
                case 4:
                    // Increments are layers, so readers never see less than what is confirmed.
                    let visible = cache.get(Song.self, id: id)?.plays ?? -1
                    if visible < 0 { wrong.record("song \(id) has gone") }
                    let now = cache.confirmed { cache.get(Song.self, id: id)?.plays ?? -1 }
                    if now < 0 { wrong.record("song \(id) isn't confirmed") }
                default:
                    let (all, count) = cache.read {
                        (cache.allValues(of: Song.self), cache.count(of: Song.self))
                    }
                    if all.count != songs || count != songs { wrong.record("\(all.count) songs") }
                }
            }
        }
        for mutation in mutations.elements { await mutation.ended() }
        #expect(wrong.elements == [], "seed \(seed)")
        for id in 0..<songs {
            #expect(cache.get(Song.self, id: id)?.plays == confirmed[id].value, "seed \(seed)")
            #expect(cache.confirmed { cache.get(Song.self, id: id)?.plays } == confirmed[id].value, "seed \(seed)")
            #expect(cache.get(Song.self, id: id)?.albumID ?? 0 == written[id].value, "seed \(seed)")
        }
        #expect(await eventually { last.elements.last == confirmed[0].value }, "seed \(seed)")
        #expect(cache.pendingMutations.isEmpty)
        withExtendedLifetime(subscription) {}
    }

    @Test("Mutations that several threads replace, cancel and remove leave no layers")
    func endings() async {
        let cache = FlatCache()
        cache.set(Song(id: 1))
        let mutations = Recorder<Mutation<Void>>()
        let seed = Seeds.one
        onThreads(4) { number in
            var random = SeededGenerator(seed: seed, stream: number)
            for _ in 0..<Extent.count(100, full: 10_000) {
                switch random.below(8) {
                case 0: for mutation in cache.pendingMutations { mutation.cancel() }
                case 1: cache.removeAll()
                case 2: cache.set(Song(id: 1))
                default:
                    let order: MutationOrder = random.below(2) == 0 ? .latest("a") : .serial("a")
                    mutations.record(
                        cache.mutate(Song.self, id: 1, order: order) {
                            $0.plays += 1
                        } send: {
                            await Task.yield()
                        }
                    )
                }
            }
        }
        for mutation in mutations.elements { await mutation.ended() }
        #expect(mutations.elements.allSatisfy { !$0.isPending }, "seed \(seed)")
        #expect(cache.pendingMutations.isEmpty, "seed \(seed)")
        let table = cache.registry.table(of: Song.self).takeUnretainedValue()
        #expect(table.layeredKeyCount == 0, "seed \(seed)")
        #expect(cache.get(Song.self, id: 1) == cache.confirmed { cache.get(Song.self, id: 1) }, "seed \(seed)")
    }
}
