#if DEBUG
import Observation
import Testing

@testable import FlatCache

/// Commits that come while somebody reads whom the Observation framework shall wake.
@Suite("Races of tracked reads", .timeLimit(.minutes(2)))
struct TrackingRaces {
    let cache = FlatCache()
    private let intruder = RunIntruder()

    @Test("N3: A commit at any moment of a tracked read wakes a reader on the main actor, once", arguments: RunMoment.allCases)
    @MainActor
    func mainActor(_ moment: RunMoment) async {
        // A plain read has no result to compare, nor a callback.
        guard moment != .compared else { return }
        cache.set(Counter(id: 1, count: 1))
        let (told, continuation) = AsyncStream.makeStream(of: Int?.self)
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
            intruder.reach(.told)
            #expect(seen == [1, nil])
        } onChange: { [cache] in
            count.record(1)
            continuation.yield(cache.get(Counter.self, id: 1)?.count)
        }
        #expect(intruder.isDone)
        for await newest in told {
            #expect(newest == 2)
            break
        }
        cache.set(Counter(id: 1, count: 3))
        #expect(count.count == 1)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N3: A commit after the reading wakes the reader at once, on the thread that commits, wherever it has read")
    func atOnce() {
        cache.set(Counter(id: 1, count: 1))
        let told = Recorder<Int>()
        onThreads(3) { [cache] number in
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
            } onChange: {
                told.record(number)
            }
        }
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        #expect(told.count == 0)
        commit.finish()
        #expect(told.elements.sorted() == [0, 1, 2])
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N3: Who reads what a commit has stored that has told nobody yet is not woken by it")
    func lateDelivery() {
        cache.set(Counter(id: 1, count: 1))
        let told = Recorder<String>()
        func track(_ name: String) {
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
            } onChange: {
                told.record(name)
            }
        }
        track("before")
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        track("after")
        commit.finish()
        #expect(told.elements == ["before"])
        cache.removeAll()
        #expect(told.elements == ["before", "after"])
    }

    @Test("N1: Who is woken may read, write and track again at once; then it is woken by the next commit")
    func tracksAgain() {
        let cache = cache
        cache.set(Counter(id: 1))
        let told = Recorder<Int?>()
        @Sendable func track() {
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
            } onChange: {
                told.record(cache.get(Counter.self, id: 1)?.count)
                cache.set(Counter(id: 2))
                if told.count < 3 { track() }
            }
        }
        track()
        for count in 1...5 { cache.set(Counter(id: 1, count: count)) }
        // The one that tracks again while it is told may meet the repetition on the main actor.
        #expect(told.elements.first == 1)
        #expect(told.count <= 3)
        #expect(cache.count == 2)
    }

    @Test("S3: A tracked read reads one state, and is told of what was committed since that was opened")
    @MainActor
    func insideRead() async {
        cache.set(Counter(id: 1, count: 1))
        let (told, continuation) = AsyncStream.makeStream(of: Void.self)
        cache.read {
            RunningThread { [cache] in cache.set(Counter(id: 1, count: 2)) }.finish()
            withObservationTracking {
                #expect(cache.tracked { $0.get(Counter.self, id: 1)?.count } == 1)
            } onChange: {
                continuation.yield()
            }
        }
        for await _ in told { break }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N3: Whole types and lists that are read wake the reader, whenever another thread inserts", arguments: [false, true])
    @MainActor
    func wholeTypes(isList: Bool) async {
        let list = cache.list("home", of: Counter.self)
        let (told, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            if isList { #expect(list.values.isEmpty) } else { #expect(cache.tracked { $0.count(of: Counter.self) } == 0) }
            RunningThread { [cache] in
                if isList { list.append(contentsOf: [Counter(id: 1)]) } else { cache.set(Counter(id: 1)) }
            }.finish()
        } onChange: {
            continuation.yield()
        }
        for await _ in told { break }
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
        let (told, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
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
            for await _ in told { break }
            track()
        }
        writer.finish()
    }
}
#endif
