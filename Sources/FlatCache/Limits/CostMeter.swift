/// The sum of the costs of the entities of a type.
///
/// It observes the type. Costs are user code, and so can't be determined while a commit holds locks.
final class CostMeter<Value: Cachable>: Sendable {
    private let table: Table<Value>
    private let limit: Int
    private let cost: @Sendable (Value) -> Int
    private let state = CostState()

    init(of table: Table<Value>, limit: Int, _ cost: @escaping @Sendable (Value) -> Int) {
        self.table = table
        self.limit = limit
        self.cost = cost
    }

    /// Begins to add up the costs.
    func begin(in cache: FlatCache) {
        let costOf = { @Sendable [cost] (values: [Value]) in values.reduce(0) { $0 + max(cost($1), 0) } }
        let callback = TypeChanges<Value>.callback { [state, limit, reference = cache.reference] changes in
            let added = costOf(changes.inserted) + costOf(changes.updated.map { $0.value })
            let removed = costOf(changes.updated.map { $0.oldValue }) + costOf(changes.removed + changes.evicted)
            guard state.add(added - removed) > limit, added > 0, let cache = reference.object else { return }
            cache.history.counters.requireEviction()
            cache.keepLimits()
        }
        let observer = ChangesObserver(isInitial: false, callback)
        let history = table.history.object
        // A commit is either in the snapshot, or among the changes of the observer.
        let (registration, snapshot) = table.withAllShards {
            (TableRegistration(adding: KeySubscription(of: observer), to: table), history.open())
        }
        defer { history.close(snapshot) }
        state.set(CacheSubscription(observer, [registration]))
        table.walk(at: snapshot) { $0.value(at: snapshot) } _: { _ = state.add(costOf($0)) }
    }

    func end() { state.set(nil) }

    /// The sum of the costs.
    var sum: Int { state.sum }

    /// The number by which the limit is exceeded.
    var overrun: Int { max(state.sum - limit, 0) }

    /// The cost that must be evicted, with some more, so that few writes evict.
    var excess: Int { overrun == 0 ? 0 : overrun + limit / 64 }

    /// The number of entities that have about the cost that must be evicted.
    ///
    /// - Parameter count: The number of entities.
    func count(_ count: Int) -> Int {
        let excess = excess
        if excess == 0 { return 0 }
        let average = max(state.sum / max(count, 1), 1)
        return max(excess / average / 2, 1)
    }
}

private final class CostState: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var total = 0
    private var subscription: CacheSubscription?

    var sum: Int { lock.withLock { total } }

    /// Adds a difference.
    ///
    /// - Returns: The sum.
    func add(_ difference: Int) -> Int {
        lock.withLock {
            total += difference
            return total
        }
    }

    func set(_ subscription: CacheSubscription?) {
        let old = lock.withLock {
            defer { self.subscription = subscription }
            return self.subscription
        }
        old?.cancel()
    }
}
