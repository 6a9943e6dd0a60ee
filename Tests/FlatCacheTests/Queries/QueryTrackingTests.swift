import Foundation
import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Tracked reads of queries", .mayBlock)
struct QueryTrackingTests {
    let cache = FlatCache()

    @Test("A reader that another thread overtakes before it is registered is notified")
    func overtaken() async {
        cache.set(Track(id: 1))
        let query = cache.query(Tracks())
        let notified = Recorder<Int>()
        let seen = withObservationTracking {
            let ids = query.ids
            onThreads(1) { [cache] _ in cache.set(Track(id: 2)) }
            return ids
        } onChange: {
            notified.record(1)
        }
        #expect(seen == [1])
        let isNotified = await comes { notified.count > 0 }
        #expect(isNotified, "the reader shows \(seen) for ever")
    }

    @Test("A handle's reader that another thread overtakes before it is registered is notified")
    func overtakenHandle() async {
        cache.set(Track(id: 1))
        let handle = Cached(Track.self, id: 1, in: cache)
        let notified = Recorder<Int>()
        withObservationTracking {
            _ = handle.value
            onThreads(1) { [cache] _ in cache.set(Track(id: 1, plays: 1)) }
        } onChange: {
            notified.record(1)
        }
        let isNotified = await comes { notified.count > 0 }
        #expect(isNotified)
    }

    @Test("Two readers that begin at the same time leave the newest answer")
    func twoFirstReaders() {
        cache.set(Track(id: 1))
        let stop = Stop()
        let query = cache.query(
            Tracks().filter { _ in
                stop.pass()
                return true
            }
        )
        let first = RunningThread {
            withObservationTracking {
                _ = query.ids
            } onChange: {
            }
        }
        stop.waitForArrival()
        withObservationTracking {
            #expect(query.ids == [1])
        } onChange: {
        }
        cache.set(Track(id: 2))
        withObservationTracking {
            #expect(query.ids == [1, 2])
        } onChange: {
        }
        stop.letThrough()
        first.finish()
        withObservationTracking {
            #expect(query.ids == [1, 2])
        } onChange: {
        }
        #expect(query.ids == [1, 2])
    }

    @Test("A tracked read sees the commits of its own thread, in another observer's callback")
    func ownCommitInCallback() {
        let query = cache.query(Tracks())
        let wrong = Recorder<String>()
        let subscription = cache.observe(all: Track.self) { [cache] _ in
            let now = cache.count(of: Track.self)
            withObservationTracking {
                if query.count != now { wrong.record("\(query.count) of \(now)") }
            } onChange: {
            }
        }
        withObservationTracking {
            _ = query.ids
        } onChange: {
        }
        cache.set(Track(id: 1))
        #expect(wrong.elements == [])
        subscription.cancel()
    }

    @Test("A tracked read sees a commit of its own thread while another thread keeps the answer current")
    func ownCommitBesideOther() {
        let stop = Stop()
        let query = cache.query(
            Tracks().filter { track in
                if track.id == 1 { stop.pass() }
                return true
            }
        )
        withObservationTracking {
            _ = query.ids
        } onChange: {
        }
        let writer = RunningThread { [cache] in cache.set(Track(id: 1)) }
        stop.waitForArrival()
        cache.set(Track(id: 2))
        let seen = withObservationTracking {
            query.ids
        } onChange: {
        }
        let untracked = query.ids
        #expect(seen.contains(2), "tracked \(seen), untracked \(untracked)")
        stop.letThrough()
        writer.finish()
    }

    @Test("A reader in the body of a read is notified, as a reader of a handle is")
    func inRead() async {
        cache.set(Track(id: 1))
        let query = cache.query(Tracks())
        let handle = Cached(Track.self, id: 1, in: cache)
        let (byQuery, byHandle, byTracked) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
        withObservationTracking {
            cache.read { _ = handle.value }
        } onChange: {
            byHandle.record(1)
        }
        withObservationTracking {
            cache.read { _ = query.ids }
        } onChange: {
            byQuery.record(1)
        }
        withObservationTracking {
            cache.tracked { _ in _ = query.ids }
        } onChange: {
            byTracked.record(1)
        }
        cache.set(Track(id: 1, plays: 1))
        #expect(byTracked.count == 1)
        #expect(byHandle.count == 1)
        #expect(byQuery.count == 1)
    }

    @Test("A reader is notified when the cache is deallocated, as a reader of a handle is")
    func deallocated() async {
        var cache: FlatCache? = FlatCache()
        cache?.set(Track(id: 1))
        let query = cache!.query(Tracks())
        let handle = Cached(Track.self, id: 1, in: cache!)
        let (byQuery, byHandle) = (Recorder<Int>(), Recorder<Int>())
        withObservationTracking {
            #expect(query.ids == [1])
        } onChange: {
            byQuery.record(1)
        }
        withObservationTracking {
            #expect(handle.value != nil)
        } onChange: {
            byHandle.record(1)
        }
        cache = nil
        #expect(query.ids == [])
        let isByHandle = await comes { byHandle.count == 1 }
        #expect(isByHandle)
        let isByQuery = await comes { byQuery.count == 1 }
        #expect(isByQuery)
    }

    @Test("Each change notifies a reader once, others don't, and only the last reader's registration counts")
    @MainActor func once() async {
        let query = cache.query(Tracks().filter(\.plays, in: 1...))
        let notified = Recorder<Int>()
        func read() {
            withObservationTracking {
                _ = query.ids
            } onChange: {
                notified.record(1)
            }
        }
        read()
        for step in 0..<50 {
            cache.set(Track(id: step))
            #expect(notified.take().count == 0)
            cache.set(Track(id: step, plays: 1))
            #expect(notified.take().count == 1)
            cache.set(Track(id: step, plays: 2))
            #expect(notified.take().count == 0)
            read()
            onThreads(1) { [cache] _ in cache.set(Track(id: step, plays: 3)) }
            #expect(notified.take().count == 1)
            read()
        }
    }

    @Test(
        "An untracked read begins no observation; one that is tracked lasts until a change that nothing has waited for"
    )
    func release() {
        cache.set(Track(id: 1))
        let alive = Protected(0)
        do {
            let token = Token(alive)
            let query = cache.query(
                Tracks().filter { [cache] track in
                    withExtendedLifetime(token) { cache.get(Author.self, id: "\(track.id)") == nil }
                }
            )
            #expect(query.count == 1)
            #expect(!cache.isWatched(Track.self))
            withObservationTracking {
                _ = query.count
            } onChange: {
            }
            #expect(cache.isWatched(Track.self))
            #expect(cache.observedKeyCount(of: Author.self) == 1)
        }
        cache.set(Track(id: 1, plays: 1))
        #expect(cache.isWatched(Track.self))
        cache.set(Track(id: 1, plays: 2))
        #expect(!cache.isWatched(Track.self))
        #expect(cache.observedKeyCount(of: Author.self) == 0)
        #expect(cache.slotCount(of: Author.self) == 0)
        #expect(alive.withLock { $0 } == 0)
    }

    @Test("A query that its own reader releases when notified")
    func releasedWhenNotified() {
        let query = Protected<CachedQuery<Track>?>(cache.query(Tracks()))
        let notified = Recorder<Int>()
        withObservationTracking {
            _ = query.withLock { $0 }?.ids
        } onChange: {
            notified.record(1)
            let old = query.withLock { query in
                defer { query = nil }
                return query
            }
            withExtendedLifetime(old) {}
        }
        let isDone = ends { [cache] in _ = cache.set(Track(id: 1)) }
        #expect(isDone)
        #expect(notified.count == 1)
        cache.set(Track(id: 2))
        #expect(notified.count == 1)
        #expect(!cache.isWatched(Track.self))
    }

    @Test("A tracked read of a query that is released immediately is notified, and equal ones are asked once")
    func temporary() {
        let asked = Protected(0)
        cache.set(contentsOf: (0..<10).map { Track(id: $0, plays: $0) })
        func read(_ onChange: @escaping @Sendable () -> Void = {}) -> [Int] {
            withObservationTracking {
                let query = Tracks().filter(id: "even") { track in
                    asked.withLock { $0 += 1 }
                    return track.plays % 2 == 0
                }
                return cache.query(query).ids
            } onChange: {
                onChange()
            }
        }
        func taken(_ count: Protected<Int>) -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }
        let notified = Recorder<Int>()
        #expect(read { notified.record(1) } == [0, 2, 4, 6, 8])
        #expect(taken(asked) == 10)
        for _ in 0..<3 { #expect(read() == [0, 2, 4, 6, 8]) }
        #expect(taken(asked) == 0)
        for step in 1...3 {
            cache.set(Track(id: 1, plays: 2 * step))
            #expect(notified.count == step)
            #expect(taken(asked) == 1)
            #expect(read { notified.record(1) } == [0, 1, 2, 4, 6, 8])
            #expect(taken(asked) == 0)
        }
        #expect(cache.queryShares.count == 2)
        cache.set(Track(id: 3, plays: 2))
        cache.set(Track(id: 5, plays: 2))
        #expect(cache.queryShares.count == 0)
        #expect(!cache.isWatched(Track.self))
    }
}
