/// What loads entities of one type, and how it wants to be called.
final class Fetcher<Value: Cachable>: Sendable {
    /// The age from which on entities are stale; `nil` for never.
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

/// How the fetcher of a type wants to be called.
struct FetcherTerms: Sendable {
    /// The most identifiers in one call; at least 1.
    var batchLimit = Int.max
    /// How long a batch waits for more; `nil` for until the next turn.
    var batchWindow: Duration?
}

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
