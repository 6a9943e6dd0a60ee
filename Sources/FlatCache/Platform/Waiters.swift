/// Tasks that wait for one result.
final class Waiters<Answer: Sendable>: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var result: Result<Answer, any Error>?
    private var waiting: [UInt64: CheckedContinuation<Answer, any Error>] = [:]
    /// The waiters whose tasks were cancelled before they were suspended.
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0

    /// Waits for the result.
    ///
    /// - Throws: The error of the result, or a `CancellationError` if the task that waits is cancelled.
    func wait() async throws -> Answer {
        let waiter = lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add($0, waiter) }
        } onCancel: {
            cancel(waiter)
        }
    }

    private func add(_ continuation: CheckedContinuation<Answer, any Error>, _ waiter: UInt64) {
        let known: Result<Answer, any Error>? = lock.withLock {
            if let result { return result }
            if cancelled.remove(waiter) != nil { return .failure(CancellationError()) }
            waiting[waiter] = continuation
            return nil
        }
        if let known { continuation.resume(with: known) }
    }

    private func cancel(_ waiter: UInt64) {
        let continuation: CheckedContinuation<Answer, any Error>? = lock.withLock {
            if let continuation = waiting.removeValue(forKey: waiter) { return continuation }
            if result == nil { cancelled.insert(waiter) }
            return nil
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Sets the result, unless there is one, and resumes the tasks.
    func finish(_ result: Result<Answer, any Error>) {
        let resumed = lock.withLock {
            if self.result == nil { self.result = result }
            let resumed = waiting
            waiting = [:]
            cancelled = []
            return resumed
        }
        for continuation in resumed.values { continuation.resume(with: result) }
    }
}
