/// A fetcher of one type, with the terms of its calls.
final class Fetcher<Value: Cachable>: Sendable {
    /// The age at which entities become stale, or `nil` for never.
    let maxAge: Duration?
    let terms: FetcherTerms
    let load: @Sendable (Set<Value.ID>, inout FetchAnswer) async throws -> Void

    init(
        maxAge: Duration?,
        terms: FetcherTerms,
        load: @escaping @Sendable (Set<Value.ID>, inout FetchAnswer) async throws -> Void
    ) {
        self.maxAge = maxAge
        self.terms = terms
        self.load = load
    }

    deinit {
        ErasedFetchQueue.checkUnlocked()
    }
}

/// The terms of the calls of a fetcher.
struct FetcherTerms: Sendable {
    /// The maximum number of identifiers in one call, at least 1.
    var batchLimit = Int.max
    /// The time to wait for further fetches of a batch, or `nil` for the next turn.
    var batchWindow: Duration?
}

/// The preferred executor of fetchers and loaders of lists, which runs jobs on the global one.
///
/// Child tasks inherit the preference, and unstructured tasks that a fetcher or loader starts don't. A library can't distinguish
/// the two in another way.
final class FetcherExecutor: TaskExecutor {
    static let shared = FetcherExecutor()

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        globalConcurrentExecutor.enqueue(job)
    }

    /// Whether the current task may be a fetcher's or loader's task, or one of its child tasks.
    ///
    /// Any preference counts, because a child task may have another one.
    static var runsTask: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
}
