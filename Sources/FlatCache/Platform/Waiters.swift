/// Tasks that wait for one event.
final class Waiters: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var isFinished = false
    private var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    /// The waiters whose tasks were cancelled before they were suspended.
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0

    /// Waits for the event.
    ///
    /// - Throws: A `CancellationError` if the task that waits is cancelled.
    func wait() async throws {
        let waiter = lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add($0, waiter) }
        } onCancel: {
            cancel(waiter)
        }
    }

    private func add(_ continuation: CheckedContinuation<Void, any Error>, _ waiter: UInt64) {
        let known: Result<Void, any Error>? = lock.withLock {
            if isFinished { return .success(()) }
            if cancelled.remove(waiter) != nil { return .failure(CancellationError()) }
            waiting[waiter] = continuation
            return nil
        }
        if let known { continuation.resume(with: known) }
    }

    private func cancel(_ waiter: UInt64) {
        let continuation: CheckedContinuation<Void, any Error>? = lock.withLock {
            if let continuation = waiting.removeValue(forKey: waiter) { return continuation }
            if !isFinished { cancelled.insert(waiter) }
            return nil
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Resumes the tasks, because the event has happened.
    func finish() {
        let resumed = lock.withLock {
            isFinished = true
            defer {
                waiting = [:]
                cancelled = []
            }
            return waiting
        }
        for continuation in resumed.values { continuation.resume() }
    }
}
