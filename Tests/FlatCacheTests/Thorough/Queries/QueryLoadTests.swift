import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Queries beside other threads", .serialized, .mayBlock)
struct QueryLoadTests {
    let cache = FlatCache()

    @Test("The changes of a type lead from any state to the next, beside threads and whole-type writes")
    func changesOfType() {
        let model = Protected<[Int: Track]>([:])
        let mistakes = Recorder<String>()
        let last = Protected<UInt64>(0)
        let subscription = cache.observe(all: Track.self) { changes in
            if changes.isEmpty { mistakes.record("empty") }
            last.withLock {
                if changes.revision < $0 { mistakes.record("revision") }
                $0 = changes.revision
            }
            model.withLock { model in
                for track in changes.inserted where model.updateValue(track, forKey: track.id) != nil {
                    mistakes.record("inserted twice")
                }
                for update in changes.updated {
                    if update.oldValue == update.value { mistakes.record("an equal update") }
                    if model.updateValue(update.value, forKey: update.value.id) != update.oldValue {
                        mistakes.record("another old value")
                    }
                }
                for track in changes.removed where model.removeValue(forKey: track.id) != track {
                    mistakes.record("removed another")
                }
            }
        }
        onThreads(4) { [cache] thread in
            var random = SeededGenerator(seed: 11, stream: thread)
            for step in 0..<Extent.count(150, full: 400) {
                let id = random.below(6_000)
                switch random.below(10) {
                case 0: cache.remove(Track.self, id: id)
                case 1 where step % 40 == 0: cache.removeAll(of: Track.self)
                case 2 where step % 20 == 0:
                    cache.replaceAll(of: Track.self, with: (0..<5_000).map { Track(id: $0, plays: step) })
                case 3: cache.remove(Track.self) { $0.id % 50 == step % 50 }
                default: cache.set(Track(id: id, plays: random.below(3)))
                }
            }
        }
        let all = Dictionary(uniqueKeysWithValues: cache.allValues(of: Track.self).map { ($0.id, $0) })
        #expect(model.withLock { $0 } == all)
        #expect(Set(mistakes.elements) == [])
        subscription.cancel()
    }

    @Test("replaceAll beside replaceAll leaves one set or the other in each state", arguments: [50, 4_500])
    func replacing(count: Int) {
        let cache = cache
        let wrong = Recorder<String>()
        @Sendable func check(_ tracks: [Track], _ place: String) {
            guard let first = tracks.first else { return }
            if tracks.count != count || tracks.contains(where: { $0.plays != first.plays }) {
                wrong.record("\(place): \(tracks.count) of \(Set(tracks.map(\.plays)))")
            }
        }
        let subscription = cache.query(Tracks().sorted(by: \.name)).observe { check(Array($0.values), "observer") }
        let query = cache.query(Tracks())
        onThreads(3) { thread in
            for step in 0..<(count < smallCommit ? 30 : Extent.count(5, full: 30)) {
                switch thread {
                case 0, 1:
                    let tracks = (0..<count).map { Track(id: $0 * 2 + thread, plays: thread * 1_000 + step) }
                    cache.replaceAll(of: Track.self, with: tracks)
                default:
                    check(Array(query.values), "query")
                    check(cache.allValues(of: Track.self), "all values")
                    check(cache.read { cache.allValues(of: Track.self, inOrder: true) }, "read")
                    if ![0, count].contains(cache.count(of: Track.self)) { wrong.record("count") }
                }
            }
        }
        #expect(Set(wrong.elements) == [])
        subscription.cancel()
    }

    @Test("remove(where:) removes what it has checked, beside writers")
    func removingBesideWriters() {
        let cache = cache
        let plays = Protected([Int: Int]())
        onThreads(3) { thread in
            for step in 0..<200 {
                if thread == 0 {
                    let removed = cache.remove(Track.self) { $0.plays % 2 == 1 }
                    if removed.contains(where: { $0.plays % 2 == 0 }) { plays.withLock { $0[0] = 1 } }
                } else {
                    cache.set(Track(id: (step * 7 + thread) % 40, plays: step))
                }
            }
        }
        #expect(plays.withLock { $0 } == [:])
        struct Failure: Error {}
        let before = cache.count(of: Track.self)
        #expect(throws: Failure.self) { try cache.remove(Track.self) { _ throws(Failure) in throw Failure() } }
        #expect(cache.count(of: Track.self) == before)
    }

    @Test("Live queries of reading conditions are right after threads have written both types")
    func readingConditions() async {
        let query = Tracks().filter { FlatCache.current.get(Author.self, id: "\($0.artistID)")?.name == "star" }
            .sorted(by: \.authorNameOfLoad).limit(30)
        let follower = ArrayFollower()
        let subscription = cache.query(query).observe { follower.apply($0) }
        onThreads(4) { [cache] thread in
            var random = SeededGenerator(seed: 5, stream: thread)
            for _ in 0..<400 {
                switch random.below(4) {
                case 0: cache.set(Author(id: "\(random.below(6))", name: random.pick(from: ["star", "", "x"])))
                case 1: cache.remove(Track.self, id: random.below(60))
                case 2: cache.remove(Author.self, id: "\(random.below(6))")
                default: cache.set(Track(id: random.below(60), artistID: random.below(6)))
                }
            }
        }
        let isCurrent = await comes { follower.shown.withLock { $0.map(\.id) } == cache.query(query).ids }
        #expect(isCurrent)
        #expect(Set(follower.mistakes.take()) == [])
        subscription.cancel()
        #expect(cache.observedKeyCount(of: Author.self) == 0)
    }

    @Test("A cancelled query leaves no object, slot or registration, whichever thread cancels it at any time")
    func leftovers() async {
        let alive = Protected(0)
        for round in 0..<50 {
            let token = Token(alive)
            cache.set(contentsOf: (0..<40).map { Track(id: $0, artistID: $0) })
            let query = cache.query(
                Tracks().filter { [cache, token] track in
                    withExtendedLifetime(token) { cache.get(Author.self, id: "\(track.artistID)")?.name != "x" }
                }.sorted(by: \.authorNameOfLoad)
            )
            let subscription = query.observe { [token] _ in withExtendedLifetime(token) {} }
            let iterator = query.updates.makeAsyncIterator()
            onThreads(3) { [cache] thread in
                if thread == 0 { return subscription.cancel() }
                for id in 0..<20 { cache.set(Author(id: "\(id)", name: round % 2 == 0 ? "x" : "y")) }
                cache.remove(Track.self) { $0.id % 3 == thread }
            }
            withExtendedLifetime(iterator) {}
        }
        // A task that was going to call an observer may still hold it.
        let areGone = await comes { alive.withLock { $0 } == 0 }
        #expect(areGone)
        #expect(!cache.isWatched(Track.self))
        #expect(cache.observedKeyCount(of: Author.self) == 0)
        cache.removeAll()
        #expect(cache.slotCount(of: Author.self) == 0 && cache.slotCount(of: Track.self) == 0)
    }

    @Test("Removed entities of a cancelled query, and of a query that is current, aren't kept alive")
    func releasedEntities() async {
        let alive = Protected(0)
        let query = cache.query(FlatCache.Query(Counted.self).filter { _ in true }.limit(3))
        let subscription = query.observe { _ in }
        var iterator = query.updates.makeAsyncIterator()
        cache.set(contentsOf: (0..<5_000).map { Counted($0, alive) })
        _ = await iterator.next()
        cache.removeAll()
        _ = await iterator.next()
        subscription.cancel()
        #expect(alive.withLock { $0 } == 0)
    }
}

extension Track {
    fileprivate var authorNameOfLoad: String { FlatCache.current.get(Author.self, id: "\(artistID)")?.name ?? "" }
}
