import Dispatch
import FlatCache
import Testing

/// An executor that runs what is queued on it only when a test says so, as one whose thread is busy.
final class ManualExecutor: SerialExecutor {
    private let jobs = Protected<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs the next job, if there is one.
    @discardableResult
    func step() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job.runSynchronously(on: asUnownedSerialExecutor())
        return true
    }

    /// Runs jobs until something has happened.
    func run(until condition: () -> Bool) async {
        await until {
            while !condition() { if !step() { return false } }
            return true
        }
    }
}

/// An actor whose turns come when a test lets its executor run.
actor Guest {
    let executor = ManualExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func fetch(_ ids: [Int], from cache: FlatCache) async throws -> [Int] {
        try await cache.fetch(Counter.self, ids: ids).map(\.count)
    }

    func fetchAuthors(_ ids: [String], from cache: FlatCache) async throws -> [String] {
        try await cache.fetch(Author.self, ids: ids).map(\.id)
    }

    func takeTurn() {}

    /// Begins to fetch, and lets the executor run until the request waits for its turn.
    nonisolated func begin(_ ids: [Int], from cache: FlatCache) async -> Task<[Int], any Error> {
        let before = cache.waiterCount(of: Counter.self)
        let task = Task { try await fetch(ids, from: cache) }
        await executor.run { cache.waiterCount(of: Counter.self) == before + ids.count }
        return task
    }

    /// Lets the executor run until a task has ended.
    nonisolated func finish<Value>(_ task: Task<Value, any Error>) async throws -> Value {
        let hasEnded = Protected(false)
        let watching = Task {
            _ = await task.result
            hasEnded.withLock { $0 = true }
        }
        await executor.run { hasEnded.withLock { $0 } }
        await watching.value
        return try await task.value
    }
}

/// An actor that runs on a queue of its own, and not on the threads of Swift's tasks.
actor Desk {
    private final class QueueExecutor: SerialExecutor {
        private let queue = DispatchQueue(label: "desk")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func work(_ body: @Sendable (isolated Desk) async throws -> Void) async rethrows { try await body(self) }
}
