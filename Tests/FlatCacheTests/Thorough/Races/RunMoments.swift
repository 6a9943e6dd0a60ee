#if DEBUG
import FlatCache
import TestThreads

/// A moment in the run of a closure whose reads are observed.
enum RunMoment: CaseIterable, Sendable {
    /// The snapshot is open, and nothing has been read.
    case begun
    /// The counter 1 has been read, and the counter 2 has not.
    case half
    /// Everything has been read, and the run has not ended.
    case read
    /// The run has ended, and its result is compared with the last one.
    case compared
    /// The callback is running.
    case notified
}

/// Lets another thread do something at a moment of a run, once.
final class RunIntruder: Sendable {
    private let action = Protected<(moment: RunMoment, run: @Sendable () -> Void)?>(nil)
    /// How often the closure has run.
    let runs = Protected(0)

    /// Whether what was to be done has been done.
    var isDone: Bool { action.withLock { $0 == nil } }

    /// Has another thread do something when a run comes to a moment; the run waits for it.
    func intrude(at moment: RunMoment, _ run: @escaping @Sendable () -> Void) {
        doItself(at: moment) { RunningThread(run).finish() }
    }

    /// Has the thread that runs the closure do something at a moment.
    func doItself(at moment: RunMoment, _ run: @escaping @Sendable () -> Void) {
        action.withLock { $0 = (moment, run) }
    }

    func reach(_ moment: RunMoment) {
        let action = action.withLock { action in
            guard action?.moment == moment else { return nil as (@Sendable () -> Void)? }
            defer { action = nil }
            return action?.run
        }
        action?()
    }

    /// Reads the counters 1 and 2, telling the moments.
    func readCounters(of cache: FlatCache) -> RunResult {
        runs.withLock { $0 += 1 }
        reach(.begun)
        let first = cache.get(Counter.self, id: 1)?.count
        reach(.half)
        let second = cache.get(Counter.self, id: 2)?.count
        reach(.read)
        return RunResult(counts: [first, second], intruder: self)
    }

    /// Reads all counters, telling the moments.
    func readAll(of cache: FlatCache) -> RunResult {
        runs.withLock { $0 += 1 }
        reach(.begun)
        let count = cache.count(of: Counter.self)
        reach(.half)
        let counts = cache.allValues(of: Counter.self).sorted { $0.id < $1.id }.map(\.count)
        reach(.read)
        return RunResult(counts: [count] + counts, intruder: self)
    }
}

/// The result of a run, which tells when it is compared.
struct RunResult: Equatable, Sendable {
    let counts: [Int?]
    fileprivate let intruder: RunIntruder

    static func == (lhs: RunResult, rhs: RunResult) -> Bool {
        lhs.intruder.reach(.compared)
        return lhs.counts == rhs.counts
    }
}

extension FlatCache {
    /// Observes the counters 1 and 2.
    func observeCounters(_ intruder: RunIntruder, _ notified: Recorder<[Int?]>) -> CacheSubscription {
        observe { [unowned self] in
            intruder.readCounters(of: self)
        } onChange: { result in
            notified.record(result.counts)
            intruder.reach(.notified)
        }
    }

    /// Observes all counters.
    func observeAllCounters(_ intruder: RunIntruder, _ notified: Recorder<[Int?]>) -> CacheSubscription {
        observe { [unowned self] in
            intruder.readAll(of: self)
        } onChange: { result in
            notified.record(result.counts)
            intruder.reach(.notified)
        }
    }
}
#endif
