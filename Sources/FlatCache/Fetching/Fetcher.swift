/// What loads entities of one type, and how it wants to be called.
final class Fetcher<Value: Cachable>: Sendable {
    /// The age from which on entities are stale; `nil` for never.
    let maxAge: Duration?
    /// The most identifiers in one call; at least 1.
    let batchLimit: Int
    /// How long a batch waits for more; `nil` for until the next turn.
    let batchWindow: Duration?
    let load: @Sendable (Set<Value.ID>, inout FetchAnswer) async throws -> Void

    init(
        maxAge: Duration?,
        batchLimit: Int,
        batchWindow: Duration?,
        load: @escaping @Sendable (Set<Value.ID>, inout FetchAnswer) async throws -> Void
    ) {
        self.maxAge = maxAge
        self.batchLimit = batchLimit
        self.batchWindow = batchWindow
        self.load = load
    }

    deinit {
        ErasedFetchQueue.checkUnlocked()
    }
}
