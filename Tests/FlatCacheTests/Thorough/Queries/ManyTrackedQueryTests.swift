import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Many tracked reads of queries", .mayBlock)
struct ManyTrackedQueryTests {
    let cache = FlatCache()

    @Test("Of many tracked answers that never change, the oldest notify their readers and end")
    func manyTemporary() async {
        // The framework can call the closure of a function several times if it is notified while it registers it.
        let notified = Protected(Set<Int>())
        let count = 3 * KeptReadings.limit
        for number in 0..<count {
            withObservationTracking {
                _ = cache.query(Tracks().filter(\.plays, equals: number)).count
            } onChange: {
                _ = notified.withLock { $0.insert(number) }
            }
        }
        let ended = notified.withLock { $0.count }
        #expect((count - 2 * KeptReadings.limit - 2...count - KeptReadings.limit).contains(ended))
        // The functions that make others end can be notified, too. Another thread can still release what has ended.
        func state() -> (shares: Int, most: Int) {
            (cache.queryShares.count, (count - notified.withLock { $0.count } + 2) * 2)
        }
        let isReleased = await eventually {
            let (shares, most) = state()
            return (most - 4...most).contains(shares)
        }
        #expect(isReleased, "\(state())")
    }

    @Test("Many tracked answers that end while the main actor is busy leave nothing for it to do")
    @MainActor
    func manyOnMainActor() {
        let count = 15 * KeptReadings.limit
        for number in 0..<count {
            withObservationTracking {
                _ = cache.query(Tracks().filter(\.artistID, equals: number)).count
            } onChange: {
            }
        }
        // Other tests run at the same time.
        #expect(Repetitions.shared.countOnMainActor < count / 2)
    }

    @Test("A function that reads more answers than are kept is notified that the first ones have ended")
    func manyInOneFunction() async {
        let isNotified = Protected(false)
        withObservationTracking {
            for number in 0..<3 * KeptReadings.limit {
                _ = cache.query(Tracks().filter(\.artistID, equals: number)).count
            }
        } onChange: {
            // The framework can call this several times, as above.
            isNotified.withLock { $0 = true }
        }
        #expect(await comes { isNotified.withLock { $0 } })
    }

    @Test("Many tracked answers that an index finds leave a limited number of answers, keys and observers")
    func manyIndexed() {
        cache.set(contentsOf: (0..<10).map { Track(id: $0, artistID: $0) })
        cache.buildIndex(.init(\Track.artistID))
        for round in 0..<3 {
            for number in 0..<3 * KeptReadings.limit {
                withObservationTracking {
                    _ = cache.query(Tracks().filter(\.artistID, equals: 10 + number)).count
                } onChange: {
                }
            }
            let most = 2 * KeptReadings.limit + 2
            #expect(cache.queryShares.count <= 2 * most, "round \(round)")
            #expect(cache.observerCount(of: IndexEntry<Track, Int>.self) <= most, "round \(round)")
            #expect(cache.slotCount(of: IndexEntry<Track, Int>.self) <= most + 10, "round \(round)")
            #expect(cache.slotCount(of: Track.self) == 10)
        }
        // Each answer changes twice, and nobody reads it in between.
        for _ in 0..<2 {
            cache.set(contentsOf: (0..<3 * KeptReadings.limit).map { Track(id: 10 + $0, artistID: 10 + $0) })
            cache.remove(Track.self) { $0.id >= 10 }
        }
        #expect(cache.queryShares.count == 0)
        #expect(cache.observerCount(of: IndexEntry<Track, Int>.self) == 0)
        #expect(cache.slotCount(of: IndexEntry<Track, Int>.self) == 10)
    }
}
