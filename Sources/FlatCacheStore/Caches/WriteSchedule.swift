internal import Dispatch
internal import FlatCache

/// When the changes of a cache are written: some time after the first one, and later if the store has failed.
final class WriteSchedule: @unchecked Sendable {  // The lock guards all variables.
    private let queue: DispatchQueue
    private let delay: Duration
    private let time: SystemTime
    private let lock = Lock()
    private var makeWork: MakeWork?
    /// The time of the first change that isn't written, in milliseconds since 1970.
    private var firstChange: UInt64?
    /// The number of failures since the last success.
    private var failures = 0

    /// Makes the work to do, or returns `nil` if the cache is deallocated.
    typealias MakeWork = @Sendable (_ keepsCache: Bool) -> (@Sendable () -> Void)?

    init(on queue: DispatchQueue, delay: Duration, time: SystemTime) {
        self.queue = queue
        // A longer time can't be represented in nanoseconds.
        self.delay = min(max(delay, .zero), .seconds(3_600 * 24 * 365 * 100))
        self.time = time
    }

    /// Begins to schedule work.
    func start(_ makeWork: @escaping MakeWork) { lock.withLock { self.makeWork = makeWork } }

    /// Schedules the work for the first change.
    ///
    /// A commit calls this while it holds locks, so it only adds work to the queue.
    func changesBegin() {
        let now = time.now()
        let (makeWork, failures) = lock.withLock {
            if firstChange == nil { firstChange = now }
            return (self.makeWork, self.failures)
        }
        guard let work = makeWork?(failures == 0) else { return }
        queue.asyncAfter(deadline: .now() + pause(after: failures), execute: work)
    }

    /// Takes the time of the first change since the last call.
    func takeTime() -> UInt64? { lock.withLock { firstChange.take() } }

    func noteSuccess() { lock.withLock { failures = 0 } }

    func noteFailure() { lock.withLock { failures += 1 } }

    /// The time to wait: twice as long after each failure, up to a minute.
    private func pause(after failures: Int) -> DispatchTimeInterval {
        let longest = max(delay, .seconds(60))
        let doubled = failures == 0 ? delay : max(delay, .milliseconds(500)) * (1 << min(failures, 10))
        let (seconds, attoseconds) = min(doubled, longest).components
        return .nanoseconds(Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
