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
/// Entities that weren't read for long are evicted, approximately in the order of their last read. Each entity has one bit
/// that a read sets. The hand of a shard goes over its entities in a circle. It clears the bit of those that were read since it
/// last came by, and evicts the others. This is the clock algorithm of Corbató, a second-chance replacement.
///
/// A commit that inserts an entity only counts it. If there are too many then, the writer evicts as many as exceed the limit, with
/// some more, so that few writes do. So the limit is kept by the threads that write, however many they are.
@usableFromInline
final class TableLimit<Value: Cachable>: ErasedTableLimit, @unchecked Sendable {
    // The lock guards `claimed`, `searched`, `nextShard`, `pause`, `look` and `cost`. The lock of a shard guards its hand.
    @usableFromInline let table: Table<Value>
    let entities: EntityLimit
    let options: EvictionOptions<Value>
    private let code: Code
    /// The place of the next slot to look at, for each shard.
    @usableFromInline let hands: UnsafeMutablePointer<Int>
    private let lock = Lock()
    /// The number of evictions that are in progress.
    private var claimed = 0
    /// The number of places that the search for protected entities visits.
    private var searched = 0
    private var nextShard = 0
    /// The number of writes that don't look for entities, because the last one has found too few.
    private var pause = 0
    /// The revision from which on a write looks for entities that are too old.
    private var look: UInt64 = .max
    private var cost: CostMeter<Value>?

    /// The steps of an eviction, as a closure, because closures are specialized for the type where the limit is set.
    @frozen @usableFromInline struct Code: Sendable {
        /// Evicts entities.
        @usableFromInline let evict: @Sendable (TableLimit, EvictionTask, FlatCache) -> EvictionResult

        @inlinable init() {
            evict = { $0.evict($1, in: $2) }
        }
    }

    @usableFromInline init(of table: Table<Value>, _ options: EvictionOptions<Value>, _ code: Code) {
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

    /// Begins to count the entities.
    func begin(in cache: FlatCache) {
        table.withAllShards {
            for shard in table.shards.all {
                let kept = shard.makeKept()
                kept.limit = entities
            }
        }
        if let costOf = options.cost {
            let meter = CostMeter(of: table, limit: options.count, costOf)
            lock.withLock { cost = meter }
            meter.begin()
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
        table.withAllShards {
            for shard in table.shards.all {
                guard let kept = shard.pointer.pointee.kept, kept.limit === entities else { continue }
                kept.limit = nil
                if kept.isEmpty { shard.pointer.pointee.kept = nil }
            }
        }
        let cost = lock.withLock { self.cost.take() }
        cost?.end()
    }

    // MARK: Keeping the limit

    /// The number that remains after an eviction, less than the limit, so that few writes evict.
    ///
    /// If entities of other types can protect those of this one, an eviction searches them. So it must be worth it.
    private var target: Int {
        let slack = max(options.count / 64, min(options.count / 8, 8), min(searched / 16, options.count / 2), 1)
        return options.count - min(slack, options.count)
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
        let protected = cache.protected(Value.self, depth: options.depth, keeping: options.keeps)
        defer { protected.end() }
        lock.withLock { searched = protected.searched }
        if looksAtAges, let oldest { sweep(oldest, occasion.newest, in: cache) }
        var newest = occasion.newest
        while let task = claim(oldest ?? 0, newest) {
            let cost = lock.withLock { self.cost }
            let result = code.evict(self, task, cache)
            cost?.settle()
            lock.withLock { claimed -= task.count }
            // If another thread is adding up costs, those of the evictions may be among them.
            if cost?.isSettled == false { return table.history.counters.requireEviction() }
            if result.evicted > 0 { continue }
            if occasion.mayEvictNewer && result.newer > 0 {
                newest = .max
                continue
            }
            // Writes would look at all entities again and again, unless they find the newest ones.
            if result.newer == 0 { lock.withLock { pause = max(result.visited / 8, 16) } }
            return table.history.counters.requireEviction()
        }
    }

    /// Whether writes must evict entities.
    private var isExceeded: Bool { cost.map { $0.overrun > 0 } ?? (entities.current - claimed > options.count) }

    /// Takes over the eviction of some entities.
    private func claim(_ oldest: UInt64, _ newest: UInt64) -> EvictionTask? {
        lock.withLock {
            guard isExceeded else { return nil }
            // The cost of each entity is known only when it is evicted, so few are evicted at once.
            let count = cost.map { $0.count(entities.current) } ?? (entities.current - claimed - target)
            let task = EvictionTask(
                count: min(count, pieceLength),
                oldest: oldest,
                newest: newest,
                firstShard: nextShard
            )
            nextShard = (nextShard + 1) % shardCount
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

    /// Evicts the entities that are too old, and plans to look at the ages again after an eighth of the maximum age, or an hour.
    private func sweep(_ oldest: UInt64, _ newest: UInt64, in cache: FlatCache) {
        _ = code.evict(self, EvictionTask(count: 0, oldest: oldest, newest: newest, firstShard: 0), cache)
        planLook(in: cache)
    }

    private func planLook(in cache: FlatCache) {
        guard let maxAge = options.maxAge else { return }
        let history = table.history.object
        history.moveToNow()
        let pause = UInt64(min(max(maxAge / 8, .milliseconds(1)), .seconds(3_600)).milliseconds) << revisionBits
        lock.withLock { look = history.counters.lastRevision.pointee.load(ordering: .relaxed) &+ pause }
        cache.updateNextLook()
    }

    var state: LimitState {
        entities.correct { table.committedCount }
        let excess = lock.withLock { cost.map { $0.overrun } ?? max(entities.current - options.count, 0) }
        return LimitState(limit: options.limit, excess: excess, evictions: entities.evictions)
    }
}

/// Entities to be evicted.
@frozen @usableFromInline
struct EvictionTask {
    /// The number of entities, besides those that are too old.
    @usableFromInline let count: Int
    /// The revision of the oldest entity that isn't too old, or 0 if none is.
    @usableFromInline let oldest: UInt64
    /// The revision from which on entities remain.
    @usableFromInline let newest: UInt64
    @usableFromInline let firstShard: Int

    @usableFromInline init(count: Int, oldest: UInt64, newest: UInt64, firstShard: Int) {
        self.count = count
        self.oldest = oldest
        self.newest = newest
        self.firstShard = firstShard
    }
}

/// What came of a task.
@frozen @usableFromInline
struct EvictionResult {
    /// The number of entities that were evicted.
    @usableFromInline var evicted = 0
    /// The number of places that were visited.
    @usableFromInline var visited = 0
    /// The number of entities that remain because they are too new.
    @usableFromInline var newer = 0

    @inlinable init() {}
}

extension TableLimit {
    /// Evicts entities.
    ///
    /// - Returns: What came of it. It may be fewer than the number in the task, if the hands have found no more twice around.
    @inlinable func evict(_ task: EvictionTask, in cache: FlatCache) -> EvictionResult {
        let isSweep = task.count == 0
        var result = EvictionResult()
        var places = [Int](repeating: 0, count: shardCount)
        var isDone = false
        while !isDone {
            let transaction = Transaction(from: .eviction)
            let changes = transaction.table(table)
            changes.entries.makeRoom(for: pieceLength)
            var chosen = 0
            isDone = true
            for step in 0..<shardCount where isSweep || result.evicted + chosen < task.count {
                let number = (task.firstShard &+ step) % shardCount
                let shard = table.shards[number]
                shard.lock()
                let capacity = shard.pointer.pointee.index.capacity
                // Twice around: once to clear the marks, and once to evict.
                let end = isSweep ? capacity : capacity &* 2
                if places[number] < end && !shard.isGated {
                    let wanted =
                        isSweep ? pieceLength / shardCount : Swift.max((task.count - result.evicted) / shardCount, 1)
                    let found = choose(
                        in: shard,
                        Swift.min(wanted, isSweep ? .max : task.count - result.evicted - chosen),
                        atMost: Swift.min(end - places[number], pieceLength),
                        &hands[number],
                        task,
                        isSweep: isSweep,
                        changes
                    )
                    places[number] += found.visited
                    result.visited += found.visited
                    result.newer += found.newer
                    chosen += found.evicted
                    if places[number] < end { isDone = false }
                }
                shard.unlock()
            }
            if chosen > 0 {
                noteEviction()
                transaction.commit(to: cache)
                result.evicted += chosen
            }
            transaction.release()
            if !isSweep && result.evicted >= task.count { isDone = true }
        }
        return result
    }

    @usableFromInline func noteEviction() { table.noteEviction() }

    /// Chooses entities of a locked shard, and adds their eviction to a transaction.
    @inlinable func choose(
        in shard: ShardReference<Value>,
        _ count: Int,
        atMost places: Int,
        _ hand: inout Int,
        _ task: EvictionTask,
        isSweep: Bool,
        _ changes: TableTransaction<Value>
    ) -> EvictionResult {
        let capacity = shard.pointer.pointee.index.capacity
        var result = EvictionResult()
        while result.visited < places && result.evicted < count {
            hand = (hand &+ 1) & (capacity &- 1)
            result.visited += 1
            if shard.pointer.pointee.index.tags[hand] == 0 { continue }
            let slot = shard.pointer.pointee.index.slots[hand]
            if !slot.isEvictable(pins: 0) { continue }
            if slot.revision >= task.newest {
                result.newer += 1
                continue
            }
            let isOld = slot.revision < task.oldest
            if !isOld {
                if isSweep { continue }
                if slot.content.pointee.usage == .used {
                    slot.content.pointee.usage = .none
                    continue
                }
            }
            changes.evict(slot)
            result.evicted += 1
        }
        return result
    }
}

extension TableTransaction {
    /// Evicts the entity of a slot, whose shard is locked, unless it is changed or needed until the commit.
    ///
    /// There must be room for an entry.
    @inlinable func evict(_ slot: Slot<Value>) {
        let place = place(of: slot)
        entries[place].condition = .eviction(at: slot.revision, pins: slot.pins - slot.markPins)
        transaction.hasChanges = true
    }
}

extension Slot {
    /// Whether nothing needs that the entity is in memory.
    ///
    /// - Parameter pins: The number of pins that don't count.
    @inlinable func isEvictable(pins: UInt32) -> Bool {
        if !isStored || self.pins != pins + markPins || isNoted { return false }
        guard let extras else { return true }
        return !extras.keepsEntity
    }

    /// Whether something needs that the entity is in memory, other than a store.
    var isHeld: Bool { isStored && (pins != markPins || extras?.keepsEntity == true) }
}

extension SlotExtras {
    /// Whether observers of the key, or snapshots, need the entity.
    ///
    /// Tracked reads don't, because the framework doesn't tell when a view ends.
    @usableFromInline var keepsEntity: Bool {
        versions != nil || observers?.list.contains { $0.keepsEntity } == true
    }
}
