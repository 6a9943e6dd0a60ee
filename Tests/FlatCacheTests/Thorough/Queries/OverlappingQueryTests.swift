import Foundation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Overlapping observation", .serialized, .mayBlock)
struct OverlappingQueryTests {
    let cache = FlatCache()

    @Test("S3: Each answer has a commit of a type that conditions read as a whole, or not at all", arguments: 0..<20)
    func commitOfReadType(round: Int) async {
        let cache = cache
        cache.set(Author(id: "1", name: "a"))
        cache.set(contentsOf: (0..<3).map { Track(id: $0) })
        let query = Tracks().filter { track in
            track.id == 9 || FlatCache.current.get(Author.self, id: "1")?.name == "a"
        }
        let results = Recorder<QueryResult<Track>>()
        let subscription = cache.query(query).observe { results.record($0) }
        let renaming = StoppedThread(at: .drawn) { cache.set(contentsOf: [Author(id: "1", name: "b")]) }
        let hasTurn = Gate("a thread has the turn")
        let adding = RunningThread {
            let handler: @Sendable (SyncPoint) -> Void = { point in
                if case .taken = point { hasTurn.open() }
            }
            SyncPoint.$handler.withValue(handler) { _ = cache.set(Track(id: 9)) }
        }
        hasTurn.wait()
        renaming.finish()
        adding.finish()
        let isCurrent = await comes { results.elements.last?.ids == [9] }
        #expect(isCurrent)
        let revisions = results.elements.map(\.revision)
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 < $1 }, "\(revisions)")
        // The name is changed before the track is added.
        #expect(!results.elements.contains { $0.ids == [0, 1, 2, 9] })
        subscription.cancel()
    }

    @Test("Equal entities stored again and again don't reach a slow iterator")
    func equalOnly() async {
        cache.set(contentsOf: (0..<3_000).map { Track(id: $0) })
        let query = cache.query(Tracks())
        let elements = Recorder<Int>()
        let cache = cache
        let task = Task {
            for await result in query.updates {
                elements.record(result.difference.updates.count)
                if result.isInitial {
                    for _ in 0..<3 { cache.set(contentsOf: (0..<3_000).map { Track(id: $0) }) }
                    cache.set(contentsOf: [Track(id: 9_999)])
                }
                if result.ids.count > 3_000 { break }
            }
        }
        await task.value
        #expect(elements.elements == [0, 0])
    }

    @Test("More than 4,096 removals and insertions of the same entities are no change for a slow iterator")
    func removedAndStored() async {
        let tracks = (0..<3_000).map { Track(id: $0, plays: $0) }
        cache.set(contentsOf: tracks)
        var iterator = cache.query(Tracks().sorted(by: \.plays)).updates.makeAsyncIterator()
        _ = await iterator.next()
        cache.removeAll()
        cache.set(contentsOf: tracks)
        cache.set(Track(id: 5_000, plays: 5_000))
        let result = await iterator.next()
        #expect(result?.difference.insertions == [3_000])
        #expect(result?.difference.updates == [], "\(result?.difference.updates.count ?? 0) updates")
        #expect(result?.difference.removals == [], "\(result?.difference.removals.count ?? 0) removals")
    }

    @Test("Fewer than 4,096 removals and insertions of the same entities are no change for a slow iterator")
    func fewRemovedAndStored() async {
        let tracks = (0..<30).map { Track(id: $0, plays: $0) }
        cache.set(contentsOf: tracks)
        var iterator = cache.query(Tracks().sorted(by: \.plays)).updates.makeAsyncIterator()
        _ = await iterator.next()
        cache.removeAll()
        cache.set(contentsOf: tracks)
        cache.set(Track(id: 5_000, plays: 5_000))
        let result = await iterator.next()
        #expect(result?.difference.insertions == [30])
        #expect(result?.difference.updates == [], "\(result?.difference.updates.count ?? 0) updates")
        #expect(result?.difference.removals == [], "\(result?.difference.removals.count ?? 0) removals")
    }

    @Test("A wait for the end of an observation ends although its condition is running")
    func ended() async {
        let stop = Stop()
        let query = cache.query(
            Tracks().filter { _ in
                stop.pass()
                return true
            }
        )
        let calls = Recorder<Int>()
        let subscription = query.observe { calls.record($0.ids.count) }
        let cache = cache
        let writer = RunningThread { cache.set(Track(id: 1)) }
        stop.waitForArrival()
        subscription.cancel()
        stop.letThrough()
        await subscription.ended()
        writer.finish()
        #expect(calls.elements == [0])
    }

    @Test("Answers of a query in a transaction see the writes of its own conditions")
    func transactionInRead() {
        cache.set(contentsOf: (0..<3).map { Track(id: $0) })
        let isDone = ends { [cache] in
            let outer = cache.read {
                onThreads(1) { _ in cache.set(Track(id: 7)) }
                let inner = cache.transaction { () -> [Int] in
                    cache.set(Track(id: 8))
                    return cache.query(Tracks()).ids
                }
                return (inner, cache.query(Tracks()).ids)
            }
            #expect(outer.0 == [0, 1, 2, 7, 8])
            #expect(outer.1 == [0, 1, 2])
            #expect(cache.query(Tracks()).ids == [0, 1, 2, 7, 8])
        }
        #expect(isDone)
    }
}
