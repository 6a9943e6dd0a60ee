/// A running body of a `read` or `transaction`, or code inside of one that must run outside of it, such as a callback.
///
/// The running bodies of a thread form a stack. For each cache the innermost counts. A body belongs to the task that
/// runs it. A task that is started in the body and begins immediately on the same thread is outside of the body.
@usableFromInline
final class ReadContext {
    @usableFromInline static let innermost = ThreadLocal<ReadContext>(innermostBody)

    /// The cache, or `nil` for all caches.
    private let history: History?
    /// The snapshot that the body reads, or `nil` for the current state.
    private let snapshot: Snapshot?
    /// The keys that a commit replaces, while the closures of layers run for it.
    private let replacedKeys: [FlatCacheKey: FlatCacheKey?]
    private let outer: ReadContext?
    private let task = ReadContext.currentTask

    private init(
        _ history: History?,
        _ snapshot: Snapshot?,
        replacing replacedKeys: [FlatCacheKey: FlatCacheKey?] = [:]
    ) {
        self.history = history
        self.snapshot = snapshot
        self.replacedKeys = replacedKeys
        outer = Self.innermost.object
    }

    /// The identity of the task that is running on the calling thread.
    ///
    /// Access to the task itself takes four times as long.
    private static var currentTask: UInt {
        withUnsafeCurrentTask { task in withUnsafeBytes(of: task) { $0.load(as: UInt.self) } }
    }

    /// The snapshot of a cache that the calling thread reads, or `nil` for the current state.
    @usableFromInline static func snapshot(of history: History) -> Snapshot? {
        var body = innermost.reference
        let task = currentTask
        while let running = body {
            // The frames of the calls keep the bodies alive. Counting references to them would double the time.
            if running._withUnsafeGuaranteedRef({ $0.task != task }) { return nil }
            if running._withUnsafeGuaranteedRef({ $0.history == nil || $0.history === history }) {
                return running._withUnsafeGuaranteedRef { $0.snapshot }
            }
            body = running._withUnsafeGuaranteedRef { $0.outer.map(Unmanaged.passUnretained) }
        }
        return nil
    }

    /// Whether the calling thread is in user code that the library runs: a body or a callback, of any cache.
    static var isAnyRunning: Bool { !innermost.isEmpty || RunningUpdate.isAnyRunning || Delivery.isRunning }

    /// Runs a body that reads a snapshot.
    static func run<Result, Failure: Error>(
        on snapshot: Snapshot,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ReadContext(snapshot.history, snapshot).run(body)
    }

    /// Runs a body outside of the reads and transactions of one cache.
    ///
    /// - Parameters:
    ///   - history: The history of the cache.
    ///   - replacedKeys: The keys that a commit replaces, of which the body may ask.
    ///   - body: The body.
    @usableFromInline static func runOutside<Result, Failure: Error>(
        of history: History,
        replacing replacedKeys: [FlatCacheKey: FlatCacheKey?] = [:],
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ReadContext(history, nil, replacing: replacedKeys).run(body)
    }

    /// The keys that a commit of a cache replaces, for which the calling thread runs the closures of layers.
    static func replacedKeys(of history: History) -> [FlatCacheKey: FlatCacheKey?] {
        guard let body = innermost.object, body.task == currentTask, body.history === history else { return [:] }
        return body.replacedKeys
    }

    /// Runs a body outside of all reads and transactions.
    ///
    /// Observers run in this way, because they are notified of committed changes, and an enclosing transaction must not
    /// undo their writes.
    static func runOutsideOfAll(_ body: () -> Void) {
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
