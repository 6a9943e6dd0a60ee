#if DEBUG
import Observation
import TestThreads
import Testing

@testable import FlatCache

/// Commits that come while somebody reads whom the Observation framework shall wake.
@Suite("Races of tracked reads", .ends, .mayBlock)
struct TrackingRaces {
    let cache = FlatCache()
    private let intruder = RunIntruder()

    @Test(
        "N3: A commit at any moment of a tracked read wakes a reader on the main actor, once",
        arguments: RunMoment.allCases
    )
    @MainActor
    func mainActor(_ moment: RunMoment) async {
        // A plain read has no result to compare, nor a callback.
        guard moment != .compared else { return }
        cache.set(Counter(id: 1, count: 1))
        let (notified, continuation) = AsyncStream.makeStream(of: Int?.self)
        let count = Recorder<Int>()
        intruder.intrude(at: moment) { [cache] in
            cache.transaction {
                cache.set(Counter(id: 1, count: 2))
                cache.set(Counter(id: 2, count: 2))
            }
        }
        withObservationTracking {
            let seen = cache.tracked { intruder.readCounters(of: $0).counts }
            // The body has ended, and the framework has not registered it.
            intruder.reach(.notified)
            #expect(seen == [1, nil])
        } onChange: { [cache] in
            count.record(1)
            continuation.yield(cache.get(Counter.self, id: 1)?.count)
        }
        #expect(intruder.isDone)
        for await newest in notified {
            #expect(newest == 2)
            break
        }
        cache.set(Counter(id: 1, count: 3))
        #expect(count.count == 1)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test(
        "N3: Who reads an entity while all are being removed is notified when it is stored again",
        arguments: [false, true]
    )
    func duringRemoval(isAccessor: Bool) {
        let ids = 0..<100
        cache.set(contentsOf: ids.map { Counter(id: $0) })
        let removal = StoppedThread(at: .piece) { [cache] in cache.removeAll(of: Counter.self) }
        let notified = Protected<Set<Int>>([])
        for id in ids {
            let seen: Counter? = withObservationTracking {
                isAccessor
                    ? cache.trackedEntity(id)
                    : cache.tracked { $0.get(Counter.self, id: id) }
            } onChange: {
                notified.withLock { _ = $0.insert(id) }
            }
            #expect(seen == nil)
        }
        removal.finish()
        cache.set(contentsOf: ids.map { Counter(id: $0, count: 1) })
        #expect(notified.withLock { $0 }.count == ids.count)
    }

    @Test("N3: A commit after the reading wakes the reader at once, on the thread that commits, wherever it has read")
    func atOnce() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<Int>()
        onThreads(3) { [cache] number in
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
            } onChange: {
                notified.record(number)
            }
        }
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        #expect(notified.count == 0)
        commit.finish()
        #expect(notified.elements.sorted() == [0, 1, 2])
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N3: A reader of a commit's state isn't notified of that commit")
    func lateDelivery() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<String>()
        func track(_ name: String) {
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
            } onChange: {
                notified.record(name)
            }
        }
        track("before")
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        track("after")
        commit.finish()
        #expect(notified.elements == ["before"])
        cache.removeAll()
        #expect(notified.elements == ["before", "after"])
    }

    @Test("N1: A notified reader may read, write and track again at once, and is notified of the next commit")
    func tracksAgain() {
        let cache = cache
        cache.set(Counter(id: 1))
        let notified = Recorder<Int?>()
        @Sendable func track() {
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
            } onChange: {
                notified.record(cache.get(Counter.self, id: 1)?.count)
                cache.set(Counter(id: 2))
                if notified.count < 3 { track() }
            }
        }
        track()
        for count in 1...5 { cache.set(Counter(id: 1, count: count)) }
        // The one that tracks again while it is notified may meet the repetition on the main actor.
        #expect(notified.elements.first == 1)
        #expect(notified.count <= 3)
        #expect(cache.count == 2)
    }

    @Test("S3: A tracked read reads one state, and is notified of what was committed since that was opened")
    @MainActor
    func insideRead() async {
        cache.set(Counter(id: 1, count: 1))
        let (notified, continuation) = AsyncStream.makeStream(of: Void.self)
        cache.read {
            RunningThread { [cache] in cache.set(Counter(id: 1, count: 2)) }.finish()
            withObservationTracking {
                #expect(cache.tracked { $0.get(Counter.self, id: 1)?.count } == 1)
            } onChange: {
                continuation.yield()
            }
        }
        for await _ in notified { break }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test(
        "N3: Whole types and lists that are read wake the reader, whenever another thread inserts",
        arguments: [false, true]
    )
    @MainActor
    func wholeTypes(isList: Bool) async {
        let list = cache.list("home", of: Counter.self)
        let (notified, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            if isList {
                #expect(list.values.isEmpty)
            } else {
                #expect(cache.tracked { $0.count(of: Counter.self) } == 0)
            }
            RunningThread { [cache] in
                if isList { list.append(contentsOf: [Counter(id: 1)]) } else { cache.set(Counter(id: 1)) }
            }.finish()
        } onChange: {
            continuation.yield()
        }
        for await _ in notified { break }
        #expect(!cache.isWatched(Counter.self))
        #expect(list.count == (isList ? 1 : 0))
    }

    @Test("N3: However reads and commits meet, the main actor sees the last state in the end")
    @MainActor
    func racing() async {
        let cache = cache
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let writer = RunningThread {
            for count in 1...500 { cache.set(Counter(id: 1, count: count)) }
        }
        let (notified, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var seen: Int? = 0
        func track() {
            withObservationTracking {
                seen = handle.count
            } onChange: {
                continuation.yield()
            }
        }
        track()
        while seen != 500 {
            for await _ in notified { break }
            track()
        }
        writer.finish()
    }
}
#endif
