#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Commits that come while all entities of a type are being read by somebody who wants to know of changes.
@Suite("Races of whole types", .mayBlock)
struct WholeTypeRaces {
    let cache = FlatCache()
    private let intruder = RunIntruder()
    private let notified = Recorder<[Int?]>()

    @Test(
        "N3: A commit at any moment of the first run notifies after it",
        arguments: RunMoment.allCases,
        Change.allCases
    )
    func firstRun(_ moment: RunMoment, _ change: Change) {
        // The first result is compared with nothing.
        guard moment != .compared else { return }
        cache.set(Counter(id: 1, count: 1))
        intruder.intrude(at: moment) { [cache] in change.make(in: cache) }
        let subscription = cache.observeAllCounters(intruder, notified)
        #expect(notified.elements == [[1, 1], change.result])
        #expect(intruder.runs.withLock { $0 } == 2)
        subscription.cancel()
    }

    @Test(
        "N2, N3: A commit at any moment of a later run notifies after it",
        arguments: RunMoment.allCases,
        Change.allCases
    )
    func laterRun(_ moment: RunMoment, _ change: Change) {
        let subscription = cache.observeAllCounters(intruder, notified)
        intruder.intrude(at: moment) { [cache] in change.make(in: cache) }
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements == [[0], [1, 1], change.result])
        #expect(intruder.runs.withLock { $0 } == 3)
        subscription.cancel()
        cache.set(Counter(id: 5))
        #expect(notified.count == 3)
    }

    @Test(
        "N7: Cancelling at any moment doesn't wait, and no call begins after it",
        arguments: RunMoment.allCases
    )
    func cancel(_ moment: RunMoment) {
        let subscription = cache.observeAllCounters(intruder, notified)
        intruder.intrude(at: moment) { [cache] in
            cache.set(Counter(id: 2, count: 6))
            subscription.cancel()
            cache.set(Counter(id: 3, count: 7))
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements == [[0]] + (moment == .notified ? [[1, 1]] : []))
        cache.removeAll()
        #expect(notified.count <= 2)
        #expect(cache.slotCount(of: Counter.self) == 0)
        #expect(!cache.isWatched(Counter.self))
    }

    @Test("S3: An insertion that holds its shard when a type is read is seen from the beginning")
    func insertionUnderWay() {
        let insertion = StoppedThread(at: .drawn) { [cache] in
            cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 2)])
        }
        let hasBegun = Gate("a run has begun")
        intruder.doItself(at: .begun) { hasBegun.open() }
        let observing = RunningThread { [cache, intruder, notified] in
            cache.observeAllCounters(intruder, notified).cancel()
        }
        hasBegun.wait()
        insertion.finish()
        observing.finish()
        #expect(notified.elements == [[2, 1, 2]])
    }

    @Test("N2, S3: However many threads insert, move and clear, values fit together, and the last is the newest")
    func racing() async {
        let cache = cache
        let subscription = cache.observe {
            [cache.count(of: Counter.self), cache.allValues(of: Counter.self).reduce(0) { $0 + $1.count }]
        } onChange: { [notified] in
            notified.record($0)
        }
        await onThreadsAndTasks(4) { number in
            for step in 0..<300 {
                // Each counter counts one.
                switch (number, step % 50) {
                case (0, 49): cache.removeAll(of: Counter.self)
                case (1, 49): cache.transaction { cache.removeAll() }
                default: cache.set(Counter(id: number * 1_000 + step, count: 1))
                }
            }
        }
        let last = cache.count(of: Counter.self)
        #expect(notified.elements.allSatisfy { $0[0] == $0[1] })
        #expect(notified.elements.last == [last, last])
        subscription.cancel()
        #expect(!cache.isWatched(Counter.self))
    }

    /// What another thread does when there is the counter 1.
    enum Change: CaseIterable {
        case insert, insertMany, insertInTransaction, replace, remove, clear, clearType, move, removeAndInsert

        var result: [Int?] {
            switch self {
            case .insert, .insertInTransaction: [2, 1, 2]
            case .insertMany: [11, 1] + (10..<20).map { $0 }
            case .replace, .move: [1, 5]
            case .remove, .clear, .clearType: [0]
            case .removeAndInsert: [1, 6]
            }
        }

        func make(in cache: FlatCache) {
            switch self {
            case .insert: cache.set(Counter(id: 2, count: 2))
            case .insertMany: cache.set(contentsOf: (10..<20).map { Counter(id: $0, count: $0) })
            case .insertInTransaction: cache.transaction { cache.set(Counter(id: 2, count: 2)) }
            case .replace: cache.update(Counter.self, id: 1) { $0.count = 5 }
            case .remove: cache.remove(Counter.self, id: 1)
            case .clear: cache.removeAll()
            case .clearType: cache.removeAll(of: Counter.self)
            case .move: cache.update(Counter.self, id: 1) { $0 = Counter(id: 9, count: 5) }
            case .removeAndInsert:
                cache.transaction {
                    cache.remove(Counter.self, id: 1)
                    cache.set(Counter(id: 1, count: 6))
                }
            }
        }
    }
}
#endif
