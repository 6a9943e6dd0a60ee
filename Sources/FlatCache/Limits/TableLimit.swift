internal import Synchronization

/// The limit of a table, without its static entity type.
protocol ErasedTableLimit: AnyObject, Sendable {
    /// Evicts entities until the limit is kept, or nothing more can be evicted.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - occasion: Why.
    func keep(in cache: FlatCache, _ occasion: EvictionOccasion)

    /// The revision from which on writes look for entities that are too old, or the maximum if no age is limited.
    var nextLook: UInt64 { get }

    /// Ends the limit.
    func end()

    /// The number of entities that a list keeps, unless it says another one.
    var keeps: Int { get }

    /// The state for statistics.
    var state: LimitState { get }
}

/// The state of a limit.
struct LimitState {
    let limit: FlatCache.EvictionLimit
    let excess: Int
    let evictions: Int
}

/// The limit of the entities of a type.
///
/// Entities that weren't read for long are evicted, approximately in the order of their last read. Each entity has a mark
/// that a read sets. The hand of a shard goes over its entities in a circle. It clears the mark of those that were read since it
/// last came by, and evicts the others. This is the clock algorithm of Corbató, a second-chance replacement.
///
/// A commit that inserts an entity only counts it. If there are too many then, the writer evicts as many as exceed the limit, with
/// some more, so that few writes do. So the limit is kept by the threads that write, however many they are.
@usableFromInline
final class TableLimit<Value: Cachable>: ErasedTableLimit, @unchecked Sendable {
    // The lock guards `claimed`, `searched`, `nextShard`, `pause`, `look`, `cost`, `distances`
    // and `isEnded`. The lock of a shard guards its hand.
    @usableFromInline let table: Table<Value>
    let entities: EntityLimit
    let options: EvictionOptions<Value>
    private let code: Code
    /// The place of the next slot to look at, for each shard.
    @usableFromInline let hands: UnsafeMutablePointer<Int>
    private let lock = Lock()
    /// The number of evictions that are in progress.
    private var claimed = 0
    /// The number of slots and identifiers that the search for protected entities visits.
    private var searched = 0
    private var nextShard = 0
    /// The number of writes that don't look for entities, because the last one has found too few.
    private var pause = 0
    /// The revision from which on a write looks for entities that are too old.
    private var look: UInt64 = .max
    private var cost: CostMeter<Value>?
    /// The numbers of relationships from other types to this one, as far as they were needed.
    private var distances: [ObjectIdentifier: Int?] = [:]
    /// Whether the limit was removed or replaced.
    private var isEnded = false

    /// The steps of an eviction, as a closure, because closures are specialized for the type where the limit is set.
    @frozen @usableFromInline struct Code: Sendable {
        /// Evicts entities.
        @usableFromInline let evict: @Sendable (TableLimit, EvictionTask, EvictionRound, FlatCache) -> Int

        @inlinable init() {
            evict = { $0.evict($1, $2, in: $3) }
        }
    }

    init(of table: Table<Value>, _ options: EvictionOptions<Value>, _ code: Code) {
        self.table = table
        self.options = options
        self.code = code
        entities = EntityLimit(limit: options.cost == nil ? options.count : .max, history: table.history.object)
        hands = .allocate(capacity: shardCount)
        hands.initialize(repeating: 0, count: shardCount)
    }

    deinit {
        hands.deallocate()
    }

    /// Begins to count the entities, unless another thread has ended the limit.
    func begin(in cache: FlatCache) {
        let isActive = table.withAllShards {
            if lock.withLock({ isEnded }) { return false }
            for shard in table.shards.all { shard.makeKept().limit = entities }
            return true
        }
        if !isActive { return }
        if let costOf = options.cost {
            let meter = CostMeter(of: table, limit: options.count, costOf)
            let isActive = lock.withLock {
                if !isEnded { cost = meter }
                return !isEnded
            }
            if isActive { meter.begin() }
        }
        if options.maxAge != nil {
            table.history.object.startClock()
            planLook(in: cache)
        }
        // The entities that a transaction has changed can be evicted after its commit.
        if table.history.transactionOfThread == nil {
            keep(in: cache, .asked)
        } else {
            table.history.counters.requireEviction()
        }
    }

    func end() {
        let cost = lock.withLock {
            isEnded = true
            return self.cost.take()
        }
        table.withAllShards {
            for shard in table.shards.all {
                guard let kept = shard.pointer.pointee.kept, kept.limit === entities else { continue }
                kept.limit = nil
                if kept.isEmpty { shard.pointer.pointee.kept = nil }
            }
        }
        cost?.end()
    }

    // MARK: Keeping the limit

    /// The number that remains after an eviction, less than the limit, so that few writes evict.
    ///
    /// If entities of other types can protect those of this one, an eviction searches them. So it must be worth it.
    private var target: Int {
        let slack = max(options.count / 64, min(options.count / 8, 8), min(searched / 16, options.count / 2), 1)
        // What was just stored remains.
        return max(options.count - slack, 1)
    }

    func keep(in cache: FlatCache, _ occasion: EvictionOccasion) {
        let isPaused = lock.withLock {
            if occasion.isAsked { pause = 0 }
            if pause > 0 { pause -= 1 }
            return pause > 0
        }
        if isPaused { return table.history.counters.requireEviction() }
        entities.correct { table.committedCount }
        let oldest = oldestToRemain
        let looksAtAges = oldest != nil && (occasion.isAsked || table.history.lastRevision >= nextLook)
        guard looksAtAges || lock.withLock({ isExceeded }) else { return }
        if looksAtAges { planLook(in: cache) }
        var sweepsFor = looksAtAges ? oldest : nil
        // A round clears the marks of what was read, and the next one evicts what wasn't read since. Then the newest entities
        // are evicted, too.
        var barren = 0
        while barren < 3 {
            let mayEvictNewer = occasion.mayEvictNewer && barren > 0 || occasion.isAsked
            let round = EvictionRound(table.lastRound.wrappingAdd(1, ordering: .relaxed).newValue)
            // What is stored from now on may be protected by what isn't found.
            let revision = table.history.lastRevision
            round.newest = mayEvictNewer ? revision &+ 1 : min(occasion.newest, revision &+ 1)
            let protected = cache.protected(
                Value.self,
                depth: options.depth,
                keeping: options.keeps,
                distance: distance
            )
            defer { protected.end() }
            lock.withLock { searched = protected.searched }
            if let oldest = sweepsFor {
                sweepsFor = nil
                _ = code.evict(self, EvictionTask(count: 0, oldest: oldest, firstShard: 0), EvictionRound(round), cache)
            }
            // Those that were chosen can be needed again before the commit.
            let evictions = entities.evictions
            while let task = claim(oldest ?? 0) {
                let cost = lock.withLock { self.cost }
                let count = code.evict(self, task, round, cache)
                cost?.settle()
                lock.withLock { claimed -= task.count }
                // If another thread is adding up costs, those of the evictions may be among them.
                if cost?.isSettled == false { return table.history.counters.requireEviction() }
                if count == 0 { break }
            }
            guard lock.withLock({ isExceeded }) else { return }
            barren = entities.evictions > evictions ? 0 : barren + 1
            if barren == 3 {
                // Writes would look at all entities again and again, unless they find the newest ones.
                if round.newer == 0 {
                    lock.withLock { pause = max((round.visited + protected.searched) / 8, 16) }
                }
                table.history.counters.requireEviction()
            }
        }
    }

    /// The number of relationships from a type to this one, which is determined once.
    private func distance(from type: any Cachable.Type) -> Int? {
        if let known = lock.withLock({ distances[ObjectIdentifier(type)] }) { return known }
        // It runs user code.
        let distance = RelatedTypes.distance(from: type, to: Value.self, options.depth)
        lock.withLock { distances[ObjectIdentifier(type)] = .some(distance) }
        return distance
    }

    /// Whether writes must evict entities.
    private var isExceeded: Bool { cost.map { $0.overrun > 0 } ?? (entities.current - claimed > options.count) }

    /// Takes over the eviction of some entities.
    private func claim(_ oldest: UInt64) -> EvictionTask? {
        lock.withLock {
            guard isExceeded else { return nil }
            // The cost of each entity is known only when it is evicted, so few are evicted at once.
            let count = cost.map { $0.count(entities.current) } ?? (entities.current - claimed - target)
            let task = EvictionTask(count: min(count, pieceLength), oldest: oldest, firstShard: nextShard)
            // A task visits about a third of the shards if it evicts few. Eleven has no divisor in common with their number.
            nextShard = (nextShard + 11) % shardCount
            claimed += task.count
            return task
        }
    }

    // MARK: Ages

    /// The revision of the oldest entity that isn't too old, or `nil` if none is.
    private var oldestToRemain: UInt64? {
        options.maxAge.flatMap { table.history.object.oldestRevision(remainingAfter: $0) }
    }

    var nextLook: UInt64 { lock.withLock { look } }

    /// Plans to look at the ages again after an eighth of the maximum age, or an hour.
    private func planLook(in cache: FlatCache) {
        guard let maxAge = options.maxAge else { return }
        let history = table.history.object
        history.moveToNow()
        let pause = UInt64(min(max(maxAge / 8, .milliseconds(1)), .seconds(3_600)).milliseconds) << revisionBits
        lock.withLock { look = history.counters.lastRevision.pointee.load(ordering: .relaxed) &+ pause }
        cache.updateNextLook()
    }

    var keeps: Int { options.keeps }

    var state: LimitState {
        entities.correct { table.committedCount }
        let excess = lock.withLock { cost.map { $0.overrun } ?? max(entities.current - options.count, 0) }
        return LimitState(limit: options.limit, excess: excess, evictions: entities.evictions)
    }
}
