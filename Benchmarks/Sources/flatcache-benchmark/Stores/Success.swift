import Dispatch
import Synchronization

/// Runs what doesn't fail with a database that is right and a disk with space.
func succeed<Result>(_ body: () throws -> Result) -> Result {
    do {
        return try body()
    } catch {
        fatalError("What is measured has failed: \(error)")
    }
}

/// Runs an asynchronous body that doesn't fail in a task, and waits for its end.
func succeedInTask<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) -> Result {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let ended: Swift.Result<Result, any Error>
        do { ended = .success(try await body()) } catch { ended = .failure(error) }
        result.withLock { $0 = ended }
        done.signal()
    }
    done.wait()
    return succeed {
        guard let ended = result.withLock({ $0 }) else { fatalError("The task has no result.") }
        return try ended.get()
    }
}
