/// The arguments of one call of `fetch`.
struct FetchRequest: Sendable {
    /// Identifies the waiter; grows from request to request of a type.
    let number: UInt64
    /// The entities that it waits for, none twice, in the order in which they were asked for.
    let awaited: [EntityReading]
    /// The entities that are fetched without a waiter.
    var refreshed: [EntityReading] = []
    /// The last commit before the request looked which entities are missing.
    let since: UInt64
    var needsCall = false
    var replacesNewerWrites = false
    var priority = TaskPriority.medium
    /// The call of a fetcher that waits with this request, if it was made from inside of one.
    var caller: FetchGraphNode?
}

/// One call of `fetch` that waits.
struct FetchWaiter: Sendable {
    /// The fetches that it waits for.
    private(set) var fetches: [UInt64] = []
    let caller: FetchGraphNode?
    /// How many of the entities have no outcome yet.
    private(set) var remaining = 0
    private var notFound: [Int] = []
    private var removed: [Int] = []
    private(set) var outcome: FetchOutcome?
    /// Whether its task is suspended.
    var isParked = false

    init(caller: FetchGraphNode? = nil, expecting count: Int = 0) {
        self.caller = caller
        fetches.reserveCapacity(count)
    }

    mutating func append(_ fetch: UInt64) {
        fetches.append(fetch)
        remaining += 1
    }

    /// Notes the outcome of one entity, which lets the waiter wait for the others.
    mutating func note(_ failure: FetchFailure?, at position: Int) {
        remaining -= 1
        switch failure {
        case .notFound: notFound.append(position)
        case .removed: removed.append(position)
        default: break
        }
    }

    /// The outcome when all entities have one.
    var summary: FetchOutcome {
        if !notFound.isEmpty { return .failure(.notFound, at: notFound) }
        if !removed.isEmpty { return .failure(.removed, at: removed) }
        return .success
    }

    /// Ends the wait.
    ///
    /// - Returns: The fetches that it has waited for.
    mutating func end(_ outcome: FetchOutcome) -> [UInt64] {
        self.outcome = outcome
        isParked = false
        defer { fetches = [] }
        return fetches
    }
}

/// How one call of `fetch` has ended.
enum FetchOutcome: Sendable {
    case success
    /// Entities could not be fetched: those at some places among the awaited ones; `nil` for all.
    case failure(FetchFailure, at: [Int]?)
}

/// Why an entity could not be fetched.
enum FetchFailure: Sendable {
    case noFetcher
    case notFound
    case removed
    case cyclic
    case cancelled
    case failed(any Error)

    /// The error about some entities.
    func error(_ keys: [FlatCacheKey]) -> FetchError {
        switch self {
        case .noFetcher: .noFetcher(keys)
        case .notFound: .notFound(keys)
        case .removed: .removed(keys)
        case .cyclic: .cyclic(keys)
        case .cancelled: .cancelled(keys)
        case .failed(let error): .failed(keys, error)
        }
    }
}
