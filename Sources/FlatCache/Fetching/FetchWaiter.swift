/// The arguments of one request.
struct FetchRequest: Sendable {
    /// The number of the request and its waiter, which increases with each request of a type.
    let number: UInt64
    /// The entities that the request waits for, each once, in the order of the request.
    let awaited: [EntityReading]
    /// The entities that are fetched without a waiter.
    var refreshed: [EntityReading] = []
    /// The revision of the last commit before the request checked for missing entities.
    let since: UInt64
    var needsCall = false
    var replacesNewerWrites = false
    var priority = TaskPriority.medium
    /// The call of a fetcher that made this request, if any.
    var caller: FetchGraphNode?
}

/// A request that waits.
struct FetchWaiter: Sendable {
    /// The fetches that it waits for.
    private(set) var fetches: [UInt64] = []
    let caller: FetchGraphNode?
    /// The number of entities without an outcome.
    private(set) var remaining = 0
    private var notFound: [Int] = []
    private var removed: [Int] = []
    /// The entities that could not be made of the answer, with the first error.
    private var failed: (positions: [Int], first: FetchFailure)?
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

    /// Records the outcome of one entity, while the waiter continues to wait for the others.
    mutating func note(_ failure: FetchFailure?, at position: Int) {
        remaining -= 1
        switch failure {
        case .notFound: notFound.append(position)
        case .removed: removed.append(position)
        case .failed: failed = ((failed?.positions ?? []) + [position], failed?.first ?? failure ?? .notFound)
        default: break
        }
    }

    /// The combined outcome when all entities have one.
    var summary: FetchOutcome {
        if let failed { return .failure(failed.first, at: failed.positions) }
        if !notFound.isEmpty { return .failure(.notFound, at: notFound) }
        if !removed.isEmpty { return .failure(.removed, at: removed) }
        return .success
    }

    /// Ends the wait.
    ///
    /// - Returns: The fetches that it waited for.
    mutating func end(_ outcome: FetchOutcome) -> [UInt64] {
        self.outcome = outcome
        isParked = false
        defer { fetches = [] }
        return fetches
    }
}

/// The outcome of one request.
enum FetchOutcome: Sendable {
    case success
    /// The awaited entities at some places could not be fetched; `nil` stands for all places.
    case failure(FetchFailure, at: [Int]?)
}

/// The reason why an entity could not be fetched.
enum FetchFailure: Sendable {
    case noFetcher
    case notFound
    case removed
    case cyclic
    case cancelled
    case failed(any Error)

    /// The error with the keys of some entities.
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
