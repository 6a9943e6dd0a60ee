public import Synchronization

/// The entities of one type in one cache.
@usableFromInline
final class Table<Value: Cachable>: Sendable {
    /// The place among the tables of the cache, which orders their locks.
    @usableFromInline let ordinal: Int
    @usableFromInline let shards = Shards<Value>()
    /// Tells equal entities, so that observers don't hear of writes that change nothing; `nil` when the type isn't
    /// `Equatable`.
    @usableFromInline let equality: ValueEquality?
    @usableFromInline let history: HistoryReference
    /// Keeps what `history` refers to alive for handles, which may outlive the cache.
    private let owner: History
    /// Whether entities of the table may have to be fetched although they are there, because they can grow old.
    @usableFromInline let mayBeStale = Atomic(false)
    /// What fetches entities of the type; made when a fetcher is set or an entity fetched.
    let fetchQueue = AtomicLazyReference<ErasedFetchQueue>()

    init(ordinal: Int, history: History) {
        self.ordinal = ordinal
        owner = history
        self.history = HistoryReference(history)
        equality = .of(Value.self)
    }

    deinit {
        shards.destroy()
    }

    /// Runs a body with the slot of an identifier, made if there is none, while its shard is locked.
    ///
    /// A slot that nothing needs after the body is dropped.
    func withSlot<Result>(for id: Value.ID, _ body: (Slot<Value>) -> Result) -> Result {
        let hash = HashedID(id)
        let shard = shards[hash]
        shard.lock()
        let slot = shard.slot(for: id, hash).takeUnretainedValue()
        let result = body(slot)
        shard.dropIfAbandoned(slot)
        shard.unlock()
        return result
    }

    /// Runs a body while the shard of a slot is locked, then drops the slot if nothing needs it any more.
    func withSlot<Result>(_ slot: Slot<Value>, _ body: () -> Result) -> Result {
        let shard = shards[HashedID(slot.id)]
        shard.lock()
        let result = body()
        shard.dropIfAbandoned(slot)
        shard.unlock()
        return result
    }

    /// All entities, as the calling thread sees them.
    var values: [Value] {
        history.snapshotOfThread?.values(in: self) ?? collect { $0.value }
    }

    /// The identifiers of all entities, as the calling thread sees them.
    var ids: [Value.ID] {
        history.snapshotOfThread?.values(in: self).map(\.id) ?? collect { $0.value == nil ? nil : $0.id }
    }

    /// Collects something from each slot, while all shards are locked.
    func collect<Element>(_ element: (Slot<Value>) -> Element?) -> [Element] {
        withAllShards { shards in
            var elements: [Element] = []
            elements.reserveCapacity(shards.reduce(0) { $0 + $1.pointer.pointee.storedCount })
            for shard in shards {
                shard.pointer.pointee.index.forEach { slot, _ in
                    if let element = slot._withUnsafeGuaranteedRef(element) { elements.append(element) }
                }
            }
            return elements
        }
    }

    /// Runs a body while all shards are locked, so that it sees the state between two commits.
    func withAllShards<Result>(_ body: ([ShardReference<Value>]) -> Result) -> Result {
        var locks = LockSet()
        locks.insertAll(of: self)
        locks.lock()
        defer { locks.unlock() }
        return body((0..<shardCount).map { shards[$0] })
    }
}

/// A table whose entity type is not known to the caller.
@usableFromInline
protocol ErasedTable: AnyObject, Sendable {
    var entityType: any Cachable.Type { get }

    /// Whether the entities are the library's own, and not counted among those of users.
    var isBookkeeping: Bool { get }

    /// The number of entities.
    var count: Int { get }

    /// Adds the locks of all shards.
    func insertLocks(into locks: inout LockSet)

    /// Removes every entity, while all shards are locked.
    ///
    /// - Returns: What must be released after unlocking, for its release can run user code.
    func removeAll(_ commit: inout Commit) -> any AnyObject & Sendable

    /// Makes room in a transaction for changes of the table.
    func join(_ draft: Draft)

    /// Removes every entity in a transaction.
    func removeAll(in draft: Draft)

    /// Lets go of entities and observers when the cache goes; handles and subscriptions may still refer to slots.
    func close()
}

extension Table: ErasedTable {
    @usableFromInline var entityType: any Cachable.Type { Value.self }

    @usableFromInline var count: Int {
        if let snapshot = history.snapshotOfThread { return snapshot.values(in: self).count }
        return withAllShards { $0.reduce(0) { $0 + $1.pointer.pointee.storedCount } }
    }

    @usableFromInline var isBookkeeping: Bool { Value.self is any Bookkeeping.Type }

    @usableFromInline func insertLocks(into locks: inout LockSet) {
        locks.insertAll(of: self)
    }

    @usableFromInline func removeAll(_ commit: inout Commit) -> any AnyObject & Sendable {
        removeAll(&commit) { _ in false }
    }

    /// Removes every entity, while all shards are locked.
    ///
    /// - Parameters:
    ///   - commit: The commit that the removals are part of.
    ///   - isReplaced: Whether the commit is going to store or remove the entity of a slot by itself, so that whoever watches
    ///     the table is told of one change.
    /// - Returns: What must be released after unlocking, for its release can run user code.
    @usableFromInline func removeAll(
        _ commit: inout Commit,
        isReplaced: (Slot<Value>) -> Bool
    ) -> any AnyObject & Sendable {
        let removed = RemovedEntities<Value>()
        for number in 0..<shardCount {
            let shard = shards[number]
            let old = shard.pointer.pointee.index
            let isWatched = shard.pointer.pointee.watchers != nil
            shard.pointer.pointee.index = SlotIndex()
            var remainingCount = 0
            old.forEach { reference, tag in
                let slot = reference.takeUnretainedValue()
                if isWatched && isReplaced(slot) {
                    shard.pointer.pointee.index.insert(slot, tag: tag)
                    if slot.value != nil { remainingCount += 1 }
                    return
                }
                // Nobody else refers to the other slots: their entities go with the old index.
                guard slot.observers != nil || slot.pins != 0 || commit.history != nil || isWatched else { return }
                if slot.value != nil { removed.values.append(shard.replace(reference, with: nil, &commit)) }
                if !slot.isAbandoned { shard.pointer.pointee.index.insert(slot, tag: tag) }
            }
            shard.pointer.pointee.storedCount = remainingCount
            shard.pointer.pointee.clearedRevision = commit.revision
            removed.indexes.append(old)
        }
        return removed
    }

    @usableFromInline func join(_ draft: Draft) {
        _ = draft.table(self)
    }

    @usableFromInline func removeAll(in draft: Draft) {
        draft.table(self).removeAll()
    }

    @usableFromInline func close() {
        fetchQueue.load()?.close()
        for number in 0..<shardCount {
            let shard = shards[number]
            shard.lock()
            let old = shard.pointer.pointee.index
            shard.pointer.pointee.index = SlotIndex()
            shard.pointer.pointee.storedCount = 0
            var observers = shard.pointer.pointee.watchers?.list ?? []
            shard.pointer.pointee.watchers = nil
            var values: [Value?] = []
            old.forEach { reference, _ in
                let slot = reference.takeUnretainedValue()
                // Nobody else refers to the other slots: their entities go with the old index.
                guard slot.observers != nil || slot.pins != 0 else { return }
                observers += slot.observers?.list ?? []
                slot.observers = nil
                values.append(slot.value)
                slot.value = nil
            }
            shard.unlock()
            old.destroy()
            for observer in observers { observer.finish() }
        }
    }
}

/// What the removal of all entities of a type leaves behind, released with it.
private final class RemovedEntities<Value: Cachable>: @unchecked Sendable {  // Only the removing thread refers to it.
    var values: [Value?] = []
    var indexes: [SlotIndex<Value>] = []

    deinit {
        for index in indexes { index.destroy() }
    }
}
