import Foundation
import Observation
import TestThreads
import Testing

@testable import FlatCache

/// What the cache keeps of tracked reads, and how it learns of them.
///
/// Everything here holds, too, where it can't learn it.
@Suite("Tracked reads", .mayBlock)
struct TrackedReadTests {
    let cache = FlatCache()
    private let notified = Recorder<String>()

    private func track(_ name: String, _ read: () -> Void) {
        withObservationTracking(read) { [notified] in notified.record(name) }
    }

    @Test("N3: A thread that isn't tracked is seen not to be, and one that is, each time and inside of others")
    func detection() {
        let found = Recorder<Bool>()
        onThreads(1) { _ in found.record(TrackingProbe.seesTracking()) }
        withObservationTracking {
            found.record(TrackingProbe.seesTracking())
        } onChange: {
        }
        // Where somebody tracks already, the check must not succeed.
        #expect(found.elements == [true, false])
    }

    @Test("A tracked reader of whether an entity is stored is notified of insertions and removals, and not of updates")
    func presence() {
        func track(_ name: String) {
            self.track(name) { #expect(cache.tracked { $0.contains(Counter.self, id: 1) } == (cache.count > 0)) }
        }
        track("insertion")
        cache.set(Counter(id: 1))
        #expect(notified.take() == ["insertion"])
        for _ in 0..<20 { track("removal") }
        #expect(cache.observerCount(of: Counter.self) == 1)
        for count in 1...5 { cache.set(Counter(id: 1, count: count)) }
        cache.update(Counter.self, id: 1) { $0.count += 1 }
        cache.transaction {
            cache.remove(Counter.self, id: 1)
            cache.set(Counter(id: 1))
        }
        #expect(notified.take() == [])
        cache.remove(Counter.self, id: 1)
        #expect(notified.take() == Array(repeating: "removal", count: 20))
        cache.set(Counter(id: 1))
        track("clearing")
        cache.removeAll()
        #expect(notified.take() == ["clearing"])
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("A tracked reader of whether an entity is stored is notified of the end of the cache")
    func presenceAtEnd() {
        var cache: FlatCache? = FlatCache()
        cache?.set(Counter(id: 1))
        track("end") { _ = cache?.tracked { $0.contains(Counter.self, id: 1) } }
        cache = nil
        #expect(notified.take() == ["end"])
    }

    #if compiler(>=6.2) && (os(macOS) || os(Linux))
    @Test("N3: A tracked read is one though it is the first of the process; untracked ones after it register nothing")
    func firstRead() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
            let notified = Recorder<Int>()
            withObservationTracking {
                _ = Cached(Counter.self, id: 1, in: cache).value
            } onChange: {
                notified.record(1)
            }
            _ = Cached(Counter.self, id: 2, in: cache).value
            #expect(cache.observedKeyCount(of: Counter.self) == (TrackingProbe.isDetectionReliable ? 1 : 2))
            cache.set(Counter(id: 1, count: 1))
            #expect(notified.count == 1)
        }
    }

    @Test(
        "N7: Many entities that were tracked leave nothing once they are removed, nor do many missing ones",
        // Elsewhere the moment of registration is unknown, and reads are kept for a while.
        .enabled(if: TrackingProbe.isDetectionReliable)
    )
    func manyReads() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            func read(_ ids: Range<Int>) {
                for begin in stride(from: ids.lowerBound, to: ids.upperBound, by: 100) {
                    withObservationTracking {
                        for id in begin..<begin + 100 { _ = Cached(Counter.self, id: id, in: cache).count }
                    } onChange: {
                    }
                }
            }
            func cycle() {
                let count = ProcessMemory.cycleCount / 20
                for begin in stride(from: 0, to: count, by: 1_000) {
                    let ids = begin..<begin + 1_000
                    cache.set(contentsOf: ids.map { Counter(id: $0) })
                    read(ids)
                    cache.removeAll()
                    read(ids)
                    cache.set(contentsOf: ids.map { Counter(id: $0) })
                    cache.removeAll()
                }
            }
            cycle()
            let grown = try ProcessMemory.leastGrowth(of: 3) { cycle() }
            #expect(grown < 1 << 20, "tracked reads leave \(grown) bytes each time")
            #expect(cache.slotCount(of: Counter.self) == 0)
        }
    }
    #endif

    @Test("N8: Tracked reads of missing entities keep no slots, and each insertion notifies the readers of that entity")
    func missing() {
        for id in 0..<2_000 { track("\(id)") { _ = cache.tracked { $0.get(Counter.self, id: id) } } }
        track("by a handle") { _ = Cached(Counter.self, id: 1, in: cache).count }
        #expect(cache.slotCount(of: Counter.self) == 0)
        for id in 0..<2_000 {
            cache.set(Counter(id: id))
            #expect(notified.elements.contains("\(id)"))
        }
        #expect(notified.elements.contains("by a handle"))
        #expect(notified.count == 2_001)
    }

    @Test("N4: The readers of a missing entity aren't notified of others, while few are missing")
    func missingAndOthers() {
        track("missing") { _ = Cached(Counter.self, id: -1, in: cache).count }
        for id in 0..<1_000 { cache.set(Counter(id: id)) }
        #expect(notified.count == 0)
        cache.set(Counter(id: -1))
        #expect(notified.elements == ["missing"])
    }

    @Test("N5: Readers are notified when the cache goes, whatever they have read")
    func cacheGoes() {
        var cache: FlatCache? = FlatCache()
        func trackAll() {
            guard let cache else { return }
            cache.set(Counter(id: 1))
            track("stored") { _ = cache.tracked { $0.get(Counter.self, id: 1) } }
            track("missing") { _ = cache.tracked { $0.get(Counter.self, id: 2) } }
            track("handle") { _ = Cached(Counter.self, id: 1, in: cache).value }
            track("all") { _ = cache.tracked { $0.count(of: Counter.self) } }
        }
        trackAll()
        #expect(notified.count == 0)
        weak let before = cache
        cache = nil
        #expect(before == nil)
        #expect(notified.elements.sorted() == ["all", "handle", "missing", "stored"])
    }

    @Test("N3: A read in nested tracking is tracked for both readers")
    func nested() {
        cache.set(Counter(id: 1))
        track("outer") {
            cache.tracked { cache in
                track("inner") { _ = cache.get(Counter.self, id: 1) }
            }
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements.sorted() == ["inner", "outer"])
    }

    @Test("Reads without tracking are of no reader, in tracked bodies and elsewhere; what comes after them is tracked")
    func withoutTracking() {
        cache.set(contentsOf: (1...4).map { Counter(id: $0) })
        let handles = (0...4).map { Cached(Counter.self, id: $0, in: cache) }
        track("reader") {
            FlatCache.withoutTracking {
                _ = handles[1].value
                FlatCache.withoutTracking { _ = handles[1].count }
                cache.tracked { _ = $0.get(Counter.self, id: 2) }
                _ = cache.tracked { $0.count(of: Counter.self) }
            }
            cache.tracked { cache in
                FlatCache.withoutTracking { _ = cache.get(Counter.self, id: 3) }
            }
            _ = handles[4].value
        }
        for id in 1...3 { cache.set(Counter(id: id, count: 1)) }
        #expect(notified.count == 0)
        cache.set(Counter(id: 4, count: 1))
        #expect(notified.count == 1)
    }

    @Test("Callbacks of commits in a body without tracking can track again")
    func callbackWithoutTracking() {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let notified = notified
        withObservationTracking {
            _ = handle.value
        } onChange: {
            notified.record("first")
            withObservationTracking {
                _ = handle.value
            } onChange: {
                notified.record("second")
            }
        }
        FlatCache.withoutTracking { _ = cache.set(Counter(id: 1, count: 1)) }
        cache.set(Counter(id: 1, count: 2))
        #expect(notified.elements == ["first", "second"])
    }

    @Test("A body without tracking returns and throws what its body does")
    func outcomeWithoutTracking() {
        struct Failure: Error {}
        #expect(FlatCache.withoutTracking { 1 } == 1)
        #expect(throws: Failure.self) { try FlatCache.withoutTracking { () throws(Failure) in throw Failure() } }
        track("tracks again") { _ = Cached(Counter.self, id: 1, in: cache).value }
        cache.set(Counter(id: 1))
        #expect(notified.count == 1)
    }

    @Test("N4: A transaction that ends where it began notifies nobody, and the readers wait on")
    func equalInTransaction() {
        cache.set(Counter(id: 1))
        track("stored") { _ = cache.tracked { $0.get(Counter.self, id: 1) } }
        track("missing") { _ = cache.tracked { $0.get(Counter.self, id: 2) } }
        cache.transaction {
            cache.removeAll()
            cache.set(Counter(id: 2))
            cache.set(Counter(id: 1))
            cache.remove(Counter.self, id: 2)
        }
        #expect(notified.count == 0)
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2)])
        #expect(notified.elements.sorted() == ["missing", "stored"])
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }
}

#if DEBUG
extension TrackedReadTests {
    @Test("N4: A reader beside an equal write is notified of the next change")
    func readAfterEqualWrite() {
        cache.set(Counter(id: 1))
        track("before") { _ = cache.tracked { $0.get(Counter.self, id: 1) } }
        let equal = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1)) }
        track("after") { _ = cache.tracked { $0.get(Counter.self, id: 1) } }
        equal.finish()
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements.sorted() == ["after", "before"])
    }

    @Test("N3: A change that comes while an equal write is on its way isn't lost", arguments: [false, true])
    func changeAfterEqualWrite(isRemoval: Bool) {
        cache.set(Counter(id: 1))
        track("reader") { _ = cache.tracked { $0.get(Counter.self, id: 1) } }
        let equal = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1)) }
        if isRemoval { cache.removeAll() } else { cache.set(Counter(id: 1, count: 1)) }
        equal.finish()
        #expect(notified.elements == ["reader"])
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N4: An equal write that comes while another is on its way notifies nobody; the next change does")
    func equalAfterEqualWrite() {
        cache.set(Counter(id: 1))
        track("reader") { _ = cache.tracked { $0.get(Counter.self, id: 1) } }
        let equal = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1)) }
        cache.set(Counter(id: 1))
        equal.finish()
        #expect(notified.count == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.count == 1)
    }
}
#endif
