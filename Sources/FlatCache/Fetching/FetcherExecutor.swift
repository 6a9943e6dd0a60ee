/// The executor that fetchers prefer: the global one, under a name of its own.
///
/// Child tasks inherit the preference, and tasks that a fetcher starts without waiting for them don't. That is the only
/// thing in which the two differ for a library.
final class FetcherExecutor: TaskExecutor {
    static let shared = FetcherExecutor()

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        globalConcurrentExecutor.enqueue(job)
    }

    /// Whether the current task may be one of a fetcher or of its children.
    ///
    /// Whatever preference counts: a child may have been given another one.
    static var runsTask: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
}
