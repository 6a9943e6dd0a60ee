import Foundation

/// Threads that tests may block, as many as are needed at the same time.
///
/// The tasks of a process share a few threads, one for each processor. A test that blocks one of them can keep what it waits for
/// from running.
final class OwnThreads: TaskExecutor, @unchecked Sendable {  // Guarded by the condition.
    static let shared = OwnThreads()

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    /// The number of threads that wait for jobs.
    private var idleCount = 0

    private init() {}

    /// Whether the calling code is in a task that runs on these threads.
    static var runTask: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == shared.asUnownedTaskExecutor() }
    }

    /// Runs a job after what other tasks have to do now, so that a test that yields lets all of them run.
    func enqueue(_ job: consuming ExecutorJob) {
        let priority = TaskPriority(rawValue: job.priority.rawValue)
        let job = UnownedJob(job)
        Task.detached(priority: priority) { self.run(job) }
    }

    private func run(_ job: UnownedJob) {
        let mustStart = condition.withLock {
            jobs.append(job)
            condition.signal()
            return jobs.count > idleCount
        }
        if !mustStart { return }
        let thread = Thread { self.work() }
        thread.stackSize = 1 << 23
        thread.start()
    }

    private func work() -> Never {
        while true {
            let job = condition.withLock {
                idleCount += 1
                while jobs.isEmpty { condition.wait() }
                idleCount -= 1
                return jobs.removeFirst()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Runs a body, and its child tasks, on threads that it may block.
package func onOwnThreads<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(OwnThreads.shared, operation: body)
}
