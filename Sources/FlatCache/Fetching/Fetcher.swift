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
