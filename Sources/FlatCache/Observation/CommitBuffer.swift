/// An observer that buffers the changes of each commit, until too many commits wait.
final class CommitBuffer<Changes: ObservedChanges>: MultiKeyObserver, @unchecked Sendable {
    // The lock guards `waiting`, `count`, `firstLost` and `subscription`. The iterator that polls uses the rest.
    private let lock = Lock()
    /// The changes that the iterator hasn't taken, in the order in which they were posted.
    private var waiting: [GatheredChanges] = []
    /// The number of commits that the iterator hasn't delivered.
    private var count = 0
    /// The lowest revision of a commit that found no place, or `nil` if there is none.
    private var firstLost: UInt64?
    private weak var subscription: CacheSubscription?
    private let limit: Int
    private let signal: AsyncStream<Void>.Continuation
    let calls = ObserverCalls()

    /// The changes that the iterator has taken and not delivered, the newest first.
    private var taken: [GatheredChanges] = []
    private var progress = Progress.complete

    private enum Progress {
        /// No commit is lost.
        case complete
        /// After the taken changes, the sequence throws an error.
        case overflown
        /// The sequence has thrown an error.
        case ended
    }

    /// The waiting changes, and the lowest revision that found no place.
    typealias Batch = (changes: [GatheredChanges], firstLost: UInt64?)

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - limit: The number of commits that may wait.
    ///   - signal: The stream to signal when there may be changes.
    init(for limit: Int, signal: AsyncStream<Void>.Continuation) {
        self.limit = limit
        self.signal = signal
    }

    /// Sets the subscription, which an overflow cancels.
    func begin(_ subscription: CacheSubscription) {
        lock.withLock { self.subscription = subscription }
        cancelAfterOverflow()
    }

    func post(_ changes: GatheredChanges) -> (any Sendable)? {
        lock.withLock {
            if firstLost == nil && count < limit {
                waiting.append(changes)
                count += 1
            } else {
                // Commits of different keys may post in another order than their revisions.
                firstLost = min(firstLost ?? .max, changes.revision)
            }
            return nil
        }
    }

    func deliver() -> Bool {
        signal.yield()
        cancelAfterOverflow()
        return false
    }

    /// Ends the observation if a commit is lost, so that commits don't gather changes for it any more.
    private func cancelAfterOverflow() {
        let subscription = lock.withLock { firstLost == nil ? nil : self.subscription }
        subscription?.cancel()
    }

    /// Ends the signals, while waiting changes remain for the iterator.
    func finish() { signal.finish() }

    /// The changes of the next commit, or the error, without waiting.
    ///
    /// - Parameter settled: Runs a closure while no commit to the observed entities is in progress. Then all commits with
    ///   lower revisions than those that wait were posted.
    func poll(_ settled: (() -> Batch) -> Batch) -> PolledObservation<Result<Changes, FlatCache.OverflowError>>.Poll {
        while true {
            while let changes = taken.popLast() {
                lock.withLock { count -= 1 }
                if let element = Changes(changes, revision: changes.revision) {
                    return .element(.success(element))
                }
            }
            switch progress {
            case .ended: return .end
            case .overflown:
                progress = .ended
                return .element(.failure(FlatCache.OverflowError(limit: limit)))
            case .complete: break
            }
            guard lock.withLock({ !waiting.isEmpty || firstLost != nil }) else { return .nothing }
            let batch: Batch = settled {
                lock.withLock {
                    defer { waiting = [] }
                    return (waiting, firstLost)
                }
            }
            taken = batch.changes.sorted { $0.revision > $1.revision }
            if let firstLost = batch.firstLost {
                // Commits after a lost one would leave a gap.
                taken.removeAll { $0.revision > firstLost }
                progress = .overflown
            }
        }
    }
}
