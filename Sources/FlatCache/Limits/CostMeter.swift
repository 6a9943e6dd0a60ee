/// The sum of the costs of the entities of a type.
///
/// It observes the type, because costs are user code, which can't run while a commit holds locks. Differences can be added up in
/// any order, so any thread may do it, and none waits for another.
final class CostMeter<Value: Cachable>: MultiKeyObserver, @unchecked Sendable {
    // The lock guards `waiting`, `adding`, `total`, `subscription` and `isEnded`.
    private let table: Table<Value>
    private let limit: Int
    private let cost: @Sendable (Value) -> Int
    private let lock = Lock()
    /// The changes whose costs aren't added yet.
    private var waiting: [GatheredChanges] = []
    /// The number of threads that are adding costs.
    private var adding = 0
    /// Wider than a cost, so that no sum of costs is out of range.
    private var total: Int128 = 0
    private var subscription: CacheSubscription?
    private var isEnded = false
    let calls = ObserverCalls()

    init(of table: Table<Value>, limit: Int, _ cost: @escaping @Sendable (Value) -> Int) {
        self.table = table
        self.limit = limit
        self.cost = { max(cost($0), 0) }
    }

    /// Begins to add up the costs.
    func begin() {
        let history = table.history.object
        // A commit is either in the snapshot, or among the changes of the observer.
        let (registration, snapshot) = table.withAllShards {
            (TableRegistration(adding: KeySubscription(of: self), to: table), history.open())
        }
        defer { history.close(snapshot) }
        let subscription = CacheSubscription(self, [registration])
        let hasEnded = lock.withLock {
            if !isEnded { self.subscription = subscription }
            return isEnded
        }
        if hasEnded { return subscription.cancel() }
        table.walk(at: snapshot) {
            $0.value(of: Value.self, at: snapshot)
        } _: { values in
            add(values.reduce(0) { $0 + Int128(cost($1)) })
        }
    }

    /// Ends to add up the costs.
    func end() {
        let subscription = lock.withLock {
            isEnded = true
            return self.subscription.take()
        }
        subscription?.cancel()
    }

    /// Adds the costs of all changes that wait.
    func settle() {
        let changes = lock.withLock {
            defer { waiting = [] }
            if !waiting.isEmpty { adding += 1 }
            return waiting
        }
        if changes.isEmpty { return }
        var difference: Int128 = 0
        for change in changes.joined() {
            let (old, new) = (change.oldEntity(of: Value.self), change.entity(of: Value.self))
            difference += Int128(new.map(cost) ?? 0) - Int128(old.map(cost) ?? 0)
        }
        lock.withLock {
            total += difference
            adding -= 1
        }
    }

    /// Whether the sum has all changes.
    var isSettled: Bool { lock.withLock { waiting.isEmpty && adding == 0 } }

    private func add(_ difference: Int128) { lock.withLock { total += difference } }

    func post(_ changes: GatheredChanges) -> (any Sendable)? {
        lock.withLock { waiting.append(changes) }
        return nil
    }

    func deliver() -> Bool {
        settle()
        // The writer evicts after its commit.
        if overrun > 0 { table.history.counters.requireEviction() }
        return false
    }

    func finish() { end() }

    /// The sum of the costs.
    var sum: Int128 { lock.withLock { total } }

    /// The number by which the limit is exceeded.
    var overrun: Int { Int(clamping: max(sum - Int128(limit), 0)) }

    /// The number of entities that have about half of the cost that must be evicted.
    ///
    /// - Parameter count: The number of entities.
    func count(_ count: Int) -> Int {
        // With some more, so that few writes evict.
        let excess = max(sum - Int128(limit), 0) + Int128(limit / 64)
        let average = max(sum / Int128(max(count, 1)), 1)
        return max(Int(clamping: excess / average / 2), 1)
    }
}
