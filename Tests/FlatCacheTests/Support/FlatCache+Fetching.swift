@testable import FlatCache

extension FlatCache {
    /// The number of calls of `fetch` that wait for an entity of a type, in a batch or a call.
    ///
    /// A fetch that is being announced to observers isn't in a batch yet, so a test that ended the window of the batch would
    /// leave the fetch to the next one.
    func waiterCount<Value: Cachable>(of type: Value.Type, id: Value.ID? = nil) -> Int {
        existingFetchQueue(of: type)?.look { state in
            let fetches = state.fetches.values.filter { id == nil || $0.entity.handle(of: type).id == id }
            return fetches.reduce(0) { $0 + ($1.phase == .announcing ? 0 : $1.waiters.count) }
        } ?? 0
    }

    /// Whether nothing of a type is being fetched, and nothing is left of what was.
    func isIdle<Value: Cachable>(_ type: Value.Type) -> Bool {
        existingFetchQueue(of: type)?.look { $0.fetches.isEmpty && $0.calls.isEmpty && $0.batch == nil } ?? true
    }

    /// The number of entities of a type of which it is stored how their fetching goes.
    func statusCount<Value: Cachable>(of type: Value.Type) -> Int { count(of: FetchStatus<Value>.self) }

    /// The number of slots of those.
    func statusSlotCount<Value: Cachable>(of type: Value.Type) -> Int { slotCount(of: FetchStatus<Value>.self) }

    var lastRevision: UInt64 { history.lastRevision }
}

extension FetchError {
    enum Kind {
        case noFetcher, notCached, notFound, removed, cyclic, failed, cancelled, cacheGone
    }

    /// The case, without what it is about.
    var kind: Kind {
        switch self {
        case .noFetcher: .noFetcher
        case .notCached: .notCached
        case .notFound: .notFound
        case .removed: .removed
        case .cyclic: .cyclic
        case .failed: .failed
        case .cancelled: .cancelled
        case .cacheGone: .cacheGone
        }
    }
}
