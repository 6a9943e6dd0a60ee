/// An update of the entity of a slot: everything but the call of its body.
///
/// The loop around the body is compiled for each closure, and these steps once for each type.
@frozen @usableFromInline
struct EntityUpdate<Value: Cachable>: ~Copyable {
    @usableFromInline let table: Table<Value>
    /// The cache, which the caller keeps alive.
    @usableFromInline unowned(unsafe) let cache: FlatCache
    /// The slot, pinned by the update, or `nil` if there is none to change.
    @usableFromInline var slot: Slot?
    /// The identifier of an entity that must be updated in a transaction, or `nil`.
    @usableFromInline var idInTransaction: Value.ID?
    @usableFromInline let running = RunningUpdate()
    @usableFromInline var overtaken = Overtaken()
    /// The revision from which the body began.
    @usableFromInline var revision: UInt64 = 0
    /// The indexes when the body began.
    @usableFromInline var indexes: TableIndexes?
    /// The entity from which the body began, if its keys must be compared without a lock.
    @usableFromInline var stored: Value?

    /// Creates an update of the entity with an identifier.
    @inlinable init(of id: Value.ID, in cache: borrowing FlatCache) {
        table = cache.registry.table(of: Value.self).takeUnretainedValue()
        self.cache = copy cache
        if table.mayForward {
            pinForwarded(id)
        } else if case .some = table.history.snapshotOfThread {
            idInTransaction = id
        } else {
            slot = table.pinnedSlotToWrite(for: id, HashedID(id))
        }
    }

    /// Creates an update of the entity of a handle.
    @inlinable init(of handle: Cached<Value>, in cache: borrowing FlatCache) {
        table = handle.table
        self.cache = copy cache
        if case .some = table.history.snapshotOfThread {
            idInTransaction = handle.id
        } else {
            handle.shard.lock()
            handle.slot.pins += 1
            handle.shard.unlock()
            slot = handle.slot
        }
    }

    /// Pins the slot of an identifier, or of the one that has replaced it.
    @usableFromInline mutating func pinForwarded(_ id: Value.ID) {
        if table.history.snapshotOfThread != nil { return idInTransaction = cache.currentID(of: Value.self, id) }
        slot = table.pinnedSlotToWrite(for: id, HashedID(id))
        guard slot == nil, case let current = cache.currentID(of: Value.self, id), current != id else { return }
        pinForwarded(current)
    }

    /// Begins a run of the body.
    ///
    /// - Returns: The entity for the body to change, or `nil` if none is stored or ``idInTransaction`` is set.
    @inline(never) @inlinable mutating func begin() -> Value? {
        guard let slot else { return nil }
        let shard = table.shards[HashedID(slot)]
        shard.lock()
        shard.waitForLargeCommit()
        guard !slot.isLayered, !table.awaitsInsertions, let value = slot.copy(of: Value.self) else {
            return beginOtherwise(shard)
        }
        revision = slot.revision
        indexes = table.indexes
        let comparesUnderLock = table.comparesKeysUnderLock
        shard.unlock()

        if !comparesUnderLock { stored = value }
        running.begin(of: UnsafeRawPointer(slot.header), at: revision)
        return value
    }

    /// Begins the update of an entity that is missing or below layers, whose shard is locked.
    @usableFromInline mutating func beginOtherwise(_ shard: ShardReference) -> Value? {
        guard let slot = slot.take() else { return nil }
        let isBelow = slot.isLayered || table.awaitsInsertions
        let id = slot.id(of: Value.self)
        shard.unlock(unpinning: slot)
        if isBelow {
            idInTransaction = id
            return nil
        }
        guard table.mayForward, case let current = cache.currentID(of: Value.self, id), current != id else {
            return nil
        }
        pinForwarded(current)
        return begin()
    }

    /// Ends a run of the body that has thrown an error.
    @usableFromInline mutating func fail() {
        running.endBody()
        if let slot = slot.take() { table.unpin(slot) }
    }

    /// Stores the result of the body, if the entity is unchanged since the body began.
    ///
    /// - Returns: Whether the result is stored. If it isn't, the body must run again.
    @inline(never) @inlinable mutating func store(_ value: consuming Value) -> Bool {
        guard let slot else { return true }
        let id = value.id
        guard id == slot.id(of: Value.self) else { return store(value, with: EntityBatch<Value>?.none) }
        let comparesUnderLock = if case .none = stored { true } else { false }
        let areKeysKept = comparesUnderLock || keepsKeys(value)
        running.endBody()
        cache.history.followClock()
        guard areKeysKept else { return storeWithIndexes(value) }
        let shard = table.shards[HashedID(slot)]
        shard.lock()
        shard.waitToWrite(slot)
        let isCurrent = slot.revision == running.expectedRevision && table.indexes === indexes && !slot.isLayered
        guard isCurrent else {
            shard.unlock()
            return again()
        }
        guard !comparesUnderLock || table.keepsKeys(of: slot, in: value) else {
            shard.unlock()
            return storeWithIndexes(value)
        }
        shard.commit(value, to: slot, of: cache, unpinning: 1)
        return true
    }

    /// Notes that the entity has changed since the body began.
    @usableFromInline mutating func again() -> Bool {
        stored = nil
        if let slot { overtaken.again { $0.add(slot, of: table) } }
        return false
    }

    /// Whether the result of the body has the keys of the entity from which the body began.
    ///
    /// It calls code of the keys' types, so no lock may be held.
    @usableFromInline func keepsKeys(_ value: Value) -> Bool {
        let maintained = indexes.map { unsafeDowncast($0, to: MaintainedIndexes<Value>.self) }
        // The body itself may have written another entity meanwhile.
        return maintained?.areKept(from: stored, to: value) == true && running.expectedRevision == revision
    }

    /// Stores a result that changes an index.
    ///
    /// It isn't specialized, because every type would have a copy.
    @_semantics("optimize.sil.specialize.generic.never")
    @usableFromInline mutating func storeWithIndexes(_ value: Value) -> Bool {
        guard let slot else { return true }
        return cache.commitWithIndexes(value, to: slot, at: running.expectedRevision, of: table) || again()
    }

    /// Stores the result of the body, which may have another identifier, and a batch of other entities in one commit.
    @usableFromInline mutating func store<Related>(_ value: Value, with batch: EntityBatch<Related>?) -> Bool {
        guard let slot else { return true }
        let id = value.id
        let isSame = id == slot.id(of: Value.self)
        running.endBody()
        cache.history.followClock()
        guard
            isSame
                && batch?.store(in: cache, with: value, in: slot, of: table, at: running.expectedRevision) == true
                || running.commit(value, id, of: slot, in: table, storing: batch, to: cache)
        else {
            return again()
        }
        table.unpin(slot)
        return true
    }

    /// Ends the update.
    @inlinable mutating func end() { overtaken.end() }
}

extension FlatCache {
    /// Runs an update, and stores a batch of other entities in the same commit.
    ///
    /// - Returns: The body's return value, or `nil` if the entity is not stored. Then nothing is stored.
    @inlinable
    func run<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ update: consuming EntityUpdate<Value>,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        // The update has a reference that doesn't keep the cache alive.
        defer { withExtendedLifetime(self) { update.end() } }
        while true {
            guard var value = update.begin() else {
                guard let id = update.idInTransaction else { return nil }
                return try updateInTransaction(id, storing: batch, body)
            }
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
    }

    /// Updates an entity in the transaction of the calling thread, or in one of its own, and stores a batch of others.
    @usableFromInline
    func updateInTransaction<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let snapshot = history.snapshotOfThread else {
            let result = try commitTogether { () throws(Failure) in try updateInTransaction(id, storing: batch, body) }
            guard result == nil, case let current = currentID(of: Value.self, id), current != id else { return result }
            // Another thread has replaced the identifier meanwhile.
            return try run(EntityUpdate(of: current, in: self), storing: batch, body)
        }
        if let transaction = snapshot.transaction {
            let table = registry.table(of: Value.self).takeUnretainedValue()
            return try transaction.table(table).update(id, HashedID(id), in: snapshot, storing: batch, body)
        }
        return try ReadContext.runOutside(of: history.object) { () throws(Failure) in
            try run(EntityUpdate(of: id, in: self), storing: batch, body)
        }
    }
}
