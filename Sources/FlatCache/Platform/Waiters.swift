/// Tasks that wait for one event.
final class Waiters: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var isFinished = false
    private var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    /// The errors of the waiters that have failed before they were suspended.
    private var failed: [UInt64: any Error] = [:]
    private var lastWaiter: UInt64 = 0

    /// Waits for the event.
    ///
    /// - Throws: A `CancellationError` if the task that waits is cancelled.
    func wait() async throws { try await wait(nextNumber()) }

    /// The number of a waiter, by which it can fail.
    func nextNumber() -> UInt64 {
        lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
    }

    /// Waits for the event.
    ///
    /// - Parameter waiter: The number of the waiter, which no other one has.
    /// - Throws: A `CancellationError` if the task that waits is cancelled, or the error with which the waiter fails.
    func wait(_ waiter: UInt64) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add($0, waiter) }
        } onCancel: {
            fail(waiter, CancellationError())
        }
    }

    private func add(_ continuation: CheckedContinuation<Void, any Error>, _ waiter: UInt64) {
        let known: Result<Void, any Error>? = lock.withLock {
            if isFinished { return .success(()) }
            if let error = failed.removeValue(forKey: waiter) { return .failure(error) }
            waiting[waiter] = continuation
            return nil
        }
        if let known { continuation.resume(with: known) }
    }

    /// Ends the wait of a waiter.
    func fail(_ waiter: UInt64, _ error: any Error) {
        let continuation: CheckedContinuation<Void, any Error>? = lock.withLock {
            if let continuation = waiting.removeValue(forKey: waiter) { return continuation }
            // The first error counts. None is released while the lock is held.
            if !isFinished, failed[waiter] == nil { failed[waiter] = error }
            return nil
        }
        continuation?.resume(throwing: error)
    }

    /// Resumes the tasks, because the event has happened.
    func finish() {
        let (resumed, errors) = lock.withLock {
            isFinished = true
            defer {
                waiting = [:]
                failed = [:]
            }
            return (waiting, failed)
        }
        withExtendedLifetime(errors) {}
        for continuation in resumed.values { continuation.resume() }
    }
}
