/// The body of a `read` or `transaction` that is running on some thread, or something inside one that is outside of it
/// again.
///
/// The running bodies of a thread form a stack. For each cache the innermost counts. A body belongs to the task that runs
/// it: one that is started in the body and begins at once on the same thread is outside.
@usableFromInline
final class ReadContext {
    @usableFromInline static let innermost = ThreadLocal<ReadContext>(innermostBody)

    /// The cache; `nil` for all.
    private let history: History?
    /// What the body reads; `nil` for the current state.
    private let snapshot: Snapshot?
    private let outer: ReadContext?
    private let task = ReadContext.currentTask

    private init(_ history: History?, _ snapshot: Snapshot?) {
        self.history = history
        self.snapshot = snapshot
        outer = Self.innermost.object
    }

    /// The task that is running on the calling thread, as bits that are only compared: tasks themselves take four times as
    /// long.
    private static var currentTask: UInt {
        withUnsafeCurrentTask { task in withUnsafeBytes(of: task) { $0.load(as: UInt.self) } }
    }

    /// The snapshot that the calling thread reads of a cache, or `nil` for the current state.
    @usableFromInline static func snapshot(of history: History) -> Snapshot? {
        var body = innermost.reference
        let task = currentTask
        while let running = body {
            // The frames of the calls keep the bodies alive: counting references to them would double the time.
            if running._withUnsafeGuaranteedRef({ $0.task != task }) { return nil }
            if running._withUnsafeGuaranteedRef({ $0.history == nil || $0.history === history }) {
                return running._withUnsafeGuaranteedRef { $0.snapshot }
            }
            body = running._withUnsafeGuaranteedRef { $0.outer.map(Unmanaged.passUnretained) }
        }
        return nil
    }

    /// Whether the calling thread is inside of user code that the library runs: a body or a callback, of whatever cache.
    static var isAnyRunning: Bool { !innermost.isEmpty || RunningUpdate.isAnyRunning || Delivery.isRunning }

    /// Runs a body that reads a snapshot.
    static func run<Result, Failure: Error>(
        on snapshot: Snapshot,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ReadContext(snapshot.history, snapshot).run(body)
    }

    /// Runs a body that is outside of the reads and transactions of one cache, whatever is running around it.
    @usableFromInline static func runOutside<Result, Failure: Error>(
        of history: History,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ReadContext(history, nil).run(body)
    }

    /// Runs a body that is outside of all reads and transactions, as observers are: they are notified of what is committed,
    /// and must not have their writes undone by a transaction they don't know of.
    @usableFromInline static func runOutsideOfAll(_ body: () -> Void) {
        TrackingProbe.resumingTracking {
            if innermost.isEmpty { body() } else { ReadContext(nil, nil).run(body) }
        }
    }

    private func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        Self.innermost.object = self
        defer { Self.innermost.object = outer }
        return try body()
    }
}
