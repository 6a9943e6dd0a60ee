/// A write of one entity that is made of the stored one, by the body of an update or by a merge: everything but the call of that,
/// in code that doesn't know the type.
@usableFromInline
struct EntityUpdate: ~Copyable {
    private let table: EntityTable
    /// The cache, which the caller keeps alive.
    private unowned(unsafe) let cache: FlatCache
    /// The slot, pinned by the update, or `nil` if there is none to change.
    private var slot: Slot?
    /// Whether an entity is stored where none is.
    private let mayInsert: Bool
    /// Whether a transaction must make the update.
    @usableFromInline private(set) var isTogether = false
    private let running = RunningUpdate()
    private var overtaken = Overtaken()
    /// Whether the body has run before.
    private var isRepeated = false
    /// The revision from which the body began.
    private var revision: UInt64 = 0
    /// The indexes when the body began.
    private var indexes: TableIndexes?
    /// The entity from which the body began, if its keys must be compared without a lock.
    private var stored: EntityBox?

    /// Creates an update of the entity with an identifier.
    ///
    /// - Parameters:
    ///   - id: The memory of the identifier.
    ///   - hash: Its hash.
    ///   - table: The table of the entity.
    ///   - cache: The cache, which the caller keeps alive.
    ///   - mayInsert: Whether an entity is stored where none is.
    @usableFromInline init(
        ofIDAt id: UnsafeRawPointer,
        _ hash: HashedID,
        in table: EntityTable,
        of cache: borrowing FlatCache,
        mayInsert: Bool = false
    ) {
        self.table = table
        self.cache = copy cache
        self.mayInsert = mayInsert
        isTogether = table.history.snapshotOfThread != nil
        if isTogether { return }
        slot = mayInsert ? table.pinnedSlot(forIDAt: id, hash) : table.pinnedSlotToWrite(forIDAt: id, hash)
    }

    /// Creates an update of the entity of a slot, which the caller has pinned.
    @usableFromInline init(of slot: Slot, in table: EntityTable, of cache: borrowing FlatCache) {
        self.table = table
        self.cache = copy cache
        mayInsert = false
        isTogether = table.history.snapshotOfThread != nil
        if isTogether { return }
        table.shards[HashedID(slot)].whileLocked { slot.pins += 1 }
        self.slot = slot
    }

    /// Begins a run of the body.
    ///
    /// - Returns: The memory of the entity, which the caller copies before ``beginBody(followingOwnWrites:)``. Until then
    ///   the shard is locked. It is `nil` if no entity is stored, or if ``isTogether``.
    @usableFromInline mutating func begin() -> UnsafeRawPointer? { beginWriting() ? entity : nil }

    /// Begins a run of the body.
    ///
    /// Until ``beginBody(followingOwnWrites:)``, the shard is locked.
    ///
    /// - Returns: Whether the body can run. If not, no entity is stored, or ``isTogether``, and nothing is locked.
    @usableFromInline mutating func beginWriting() -> Bool {
        guard let slot else { return false }
        let shard = table.shards[HashedID(slot)]
        shard.lock()
        shard.waitForLargeCommit()
        isTogether = slot.isLayered || table.awaitsInsertions
        guard !isTogether, slot.isStored || mayInsert else {
            self.slot = nil
            shard.unlock(unpinning: slot)
            return false
        }
        revision = slot.revision
        indexes = table.indexes
        if !table.comparesKeysUnderLock, let entity { stored = EntityBox(copyOf: entity, table.layout) }
        return true
    }

    /// The memory of the stored entity, whose shard is locked, or `nil` if there is none.
    @usableFromInline var entity: UnsafeRawPointer? {
        guard let slot, slot.isStored else { return nil }
        return UnsafeRawPointer(slot.header) + table.layout.entityOffset
    }

    /// Unlocks, so that the body can run.
    ///
    /// - Parameter followsOwnWrites: Whether the result counts as later than what the body itself writes already in the first run,
    ///   and not only from the second one on.
    @usableFromInline mutating func beginBody(followingOwnWrites followsOwnWrites: Bool = true) {
        guard let slot else { return }
        table.shards[HashedID(slot)].unlock()
        running.begin(of: followsOwnWrites || isRepeated ? UnsafeRawPointer(slot.header) : nil, at: revision)
    }

    /// Ends a run of the body that has thrown an error, or stores nothing.
    @usableFromInline mutating func fail() {
        running.endBody()
        if let slot = slot.take() { table.unpin(slot) }
    }

    /// Stores the result of the body, if the entity is unchanged since the body began.
    ///
    /// - Parameters:
    ///   - entity: The memory of the result.
    ///   - id: The memory of the identifier of the result.
    /// - Returns: Whether the result is stored, and whether an entity is in the memory, to be released. If it isn't stored, the body
    ///   must run again.
    @usableFromInline mutating func store(
        _ entity: UnsafeMutableRawPointer,
        idAt id: UnsafeRawPointer
    ) -> (Bool, isLeft: Bool) {
        guard let slot else { return (true, isLeft: true) }
        let layout = table.layout
        guard layout.areEqualIDs(id, layout.id(of: slot)) else {
            let result = MovedResult(slot: slot, running: running, cache: cache, entity: entity)
            return (table.accept(result) || again(), isLeft: true)
        }
        // The body itself may have written another entity meanwhile.
        let areKeysKept = stored.map { old in
            indexes?.areKept(from: old.address, to: entity) == true && running.expectedRevision == revision
        }
        running.endBody()
        SyncPoint.reach(.listed)
        cache.history.followClock()
        if areKeysKept ?? true {
            let shard = table.shards[HashedID(slot)]
            shard.lock()
            shard.waitToWrite(slot)
            guard slot.revision == running.expectedRevision, table.indexes === indexes, !slot.isLayered else {
                shard.unlock()
                return (again(), isLeft: true)
            }
            if areKeysKept != nil || table.keepsKeys(of: slot, inMemory: entity) {
                let new = EntitySource.moved(from: entity)
                return (true, shard.commit(new, to: slot, of: table, in: cache, unpinning: 1, old: entity))
            }
            shard.unlock()
        }
        let result = IndexedResult(slot: slot, running: running, cache: cache, entity: entity)
        return (table.accept(result) || again(), isLeft: true)
    }

    /// A result with another identifier.
    private struct MovedResult: TableVisitor {
        let slot: Slot, running: RunningUpdate, cache: FlatCache, entity: UnsafeRawPointer

        func visit<Value>(_ table: Table<Value>) -> Bool {
            let value = entity.assumingMemoryBound(to: Value.self).pointee
            return running.store(value, in: slot, of: table, storing: EntityBatch<Value>?.none, to: cache)
        }
    }

    /// A result that changes an index.
    private struct IndexedResult: TableVisitor {
        let slot: Slot, running: RunningUpdate, cache: FlatCache, entity: UnsafeRawPointer

        func visit<Value>(_ table: Table<Value>) -> Bool {
            let value = entity.assumingMemoryBound(to: Value.self).pointee
            return cache.commitWithIndexes(value, to: slot, at: running.expectedRevision, of: table)
        }
    }

    /// Notes that the entity has changed since the body began.
    private mutating func again() -> Bool {
        stored = nil
        isRepeated = true
        if let slot { overtaken.again { $0.add(slot, of: table) } }
        return false
    }

    /// Stores the result of the body and a batch of other entities in one commit.
    @usableFromInline mutating func store<Value: Cachable, Related: Cachable>(
        _ value: Value,
        with batch: EntityBatch<Related>
    ) -> Bool {
        guard let slot else { return true }
        // The type of the entity is that of the table.
        let table = unsafeDowncast(table, to: Table<Value>.self)
        return running.store(value, in: slot, of: table, storing: batch, to: cache) || again()
    }

    /// Ends the update.
    @usableFromInline mutating func end() { overtaken.end() }
}

extension EntityUpdate {
    /// Stores the result of the body, if the entity is unchanged since the body began.
    ///
    /// - Returns: Whether the result is stored. If it isn't, the body must run again.
    @inlinable mutating func store<Value: Cachable>(_ value: consuming Value) -> Bool {
        let id = value.id
        return withMemory(of: value) { entity in withUnsafePointer(to: id) { store(entity, idAt: UnsafeRawPointer($0)) }
        }
    }
}

extension RunningUpdate {
    /// Stores the result of the body, which may have another identifier, and a batch of other entities in one commit.
    ///
    /// - Returns: Whether it was stored, after which the slot is unpinned.
    fileprivate func store<Value: Cachable, Related: Cachable>(
        _ value: Value,
        in slot: Slot,
        of table: Table<Value>,
        storing batch: EntityBatch<Related>?,
        to cache: FlatCache
    ) -> Bool {
        let id = value.id
        let isSame = id == slot.id(of: Value.self)
        endBody()
        cache.history.followClock()
        guard
            isSame && batch?.store(in: cache, with: value, in: slot, of: table, at: expectedRevision) == true
                || commit(value, id, of: slot, in: table, storing: batch, to: cache)
        else { return false }
        table.unpin(slot)
        return true
    }
}

extension FlatCache {
    /// Updates the entity with an identifier, and stores a batch of other entities in the same commit.
    ///
    /// - Returns: The body's return value, or `nil` if the entity is not stored. Then nothing is stored.
    @inlinable @inline(__always)
    func update<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let hash = HashedID(id)
        let table = registry.table(of: Value.self).takeUnretainedValue()
        let update = withUnsafePointer(to: id) {
            EntityUpdate(ofIDAt: UnsafeRawPointer($0), hash, in: table, of: self)
        }
        return try run(update, of: id, storing: batch, body)
    }

    /// Runs an update, and stores a batch of other entities in the same commit.
    ///
    /// - Returns: The body's return value, or `nil` if the entity is not stored. Then nothing is stored.
    @inlinable @inline(__always)
    func run<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ update: consuming EntityUpdate,
        of id: @autoclosure () -> Value.ID,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        // The update has a reference that doesn't keep the cache alive.
        defer { withExtendedLifetime(self) { update.end() } }
        while let entity = update.begin() {
            var value = entity.assumingMemoryBound(to: Value.self).pointee
            update.beginBody()
            let result: Result
            do throws(Failure) {
                result = try body(&value)
            } catch {
                update.fail()
                throw error
            }
            if let batch {
                if update.store(value, with: batch) { return result }
            } else if update.store(consume value) {
                return result
            }
        }
        return try updateOtherwise(id(), isTogether: update.isTogether, storing: batch, body)
    }

    /// Updates an entity that isn't stored, has layers, or is seen by a running body, and whose identifier may be replaced.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - isTogether: Whether a transaction must make the update.
    ///   - batch: A batch of other entities, to be stored in the same commit.
    ///   - body: The body of the update.
    @usableFromInline
    func updateOtherwise<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        isTogether: Bool,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let table = registry.table(of: Value.self).takeUnretainedValue()
        // The layers of an entity are those of its own identifier.
        let follows = table.mayForward && (!isTogether || history.snapshotOfThread != nil)
        let current = follows ? currentID(of: Value.self, id) : id
        if isTogether { return try updateInTransaction(current, storing: batch, body) }
        return follows && current != id ? try update(current, storing: batch, body) : nil
    }

    /// Updates an entity in the transaction of the calling thread, or in one of its own, and stores a batch of others.
    private func updateInTransaction<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let snapshot = history.snapshotOfThread else {
            let result = try commitTogether { () throws(Failure) in try updateInTransaction(id, storing: batch, body) }
            guard result == nil, case let current = currentID(of: Value.self, id), current != id else { return result }
            // Another thread has replaced the identifier meanwhile.
            return try update(current, storing: batch, body)
        }
        if let transaction = snapshot.transaction {
            let table = registry.table(of: Value.self).takeUnretainedValue()
            return try transaction.table(table).update(id, HashedID(id), in: snapshot, storing: batch, body)
        }
        return try ReadContext.runOutside(of: history.object) { () throws(Failure) in
            try update(id, storing: batch, body)
        }
    }
}
