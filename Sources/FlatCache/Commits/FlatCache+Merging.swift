extension FlatCache {
    /// Stores an entity of a type with a merge.
    ///
    /// - Returns: Whether an entity was stored, and not kept by the merge.
    @inlinable @inline(never)
    func set<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        let id = value.id
        let hash = HashedID(id)
        let resolve = merge.resolver(for: value)
        let table = registry.table(of: Value.self).takeUnretainedValue()
        guard let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction else {
            if table.mayHaveMergeBases || table.awaitsInsertions { return setTogether(value) }
            return commit(id, hash, resolving: resolve)
        }
        var isStored = false
        let changes = transaction.table(table)
        if changes.receivesOtherwise { return changes.receiveOtherwise(value, id, hash, if: .always, merging: merge) }
        changes.write(id, hash, in: snapshot) { stored in
            let resolved = resolve(stored)
            isStored = if case .none = resolved { false } else { true }
            return resolved
        }
        return isStored
    }

    /// Merges an entity into the stored one, or replaces that, unless none is stored under the identifier itself.
    ///
    /// - Returns: Whether an entity is stored.
    @inlinable @inline(never)
    func update<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        let id = value.id
        let hash = HashedID(id)
        let resolve = merge.resolver(for: value)
        let table = registry.table(of: Value.self).takeUnretainedValue()
        guard let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction else {
            if table.mayHaveMergeBases || table.awaitsInsertions { return updateTogether(value) }
            var isStored = false
            commit(id, hash) { (stored: Value?) in
                isStored = if case .none = stored { false } else { true }
                return isStored ? resolve(stored) : nil
            }
            return isStored
        }
        let changes = transaction.table(table)
        guard case .some = changes.value(of: id, hash, in: snapshot) else { return false }
        if changes.receivesOtherwise {
            changes.receiveOtherwise(value, id, hash, if: .always, merging: merge)
        } else {
            changes.write(id, hash, in: snapshot, resolving: resolve)
        }
        return true
    }

    @usableFromInline func setTogether<Value: Cachable>(_ value: Value) -> Bool { commitTogether { set(value) } }

    @usableFromInline func updateTogether<Value: Cachable>(_ value: Value) -> Bool { commitTogether { update(value) } }

    /// Stores the entity that a closure makes of the stored one, in a commit of its own.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entity.
    ///   - hash: Its hash.
    ///   - resolve: Returns the entity to store, which has the identifier, or `nil` to keep the stored one. It is called
    ///     again if another thread writes the entity before the result is stored. It may run user code.
    /// - Returns: Whether an entity was stored.
    @discardableResult
    @inlinable
    func commit<Value: Cachable>(_ id: Value.ID, _ hash: HashedID, resolving resolve: (Value?) -> Value?) -> Bool {
        let table = registry.table(of: Value.self).takeUnretainedValue()
        let shard = table.shards[hash]
        let slot = table.pinnedSlot(for: id, hash)
        var running: RunningUpdate?
        var overtaken = Overtaken()
        defer { overtaken.end() }
        while true {
            shard.lock()
            shard.waitForLargeCommit()
            if slot.isLayered {
                shard.unlock(unpinning: slot)
                return commitConfirmed(id, hash, in: table, resolving: resolve)
            }
            let stored = slot.copy(of: Value.self)
            let revision = slot.revision
            let indexes = table.indexes
            let comparesUnderLock = table.comparesKeysUnderLock
            shard.unlock()

            var resolved: Value?
            var areIndexesKept = true
            running?.begin(of: UnsafeRawPointer(slot.header), at: revision)
            ReadContext.runOutside(of: history.object) {
                resolved = resolve(stored)
                if !comparesUnderLock, let indexes, let resolved {
                    areIndexesKept = unsafeDowncast(indexes, to: MaintainedIndexes<Value>.self).areKept(
                        from: stored,
                        to: resolved
                    )
                }
            }
            running?.endBody()
            guard let resolved else {
                table.unpin(slot)
                return false
            }

            SyncPoint.reach(.listed)
            history.followClock()
            let expectedRevision = running?.expectedRevision ?? revision
            // The resolver itself may have written another entity meanwhile.
            var areKeysKept = areIndexesKept && (comparesUnderLock || expectedRevision == revision)
            if areKeysKept {
                shard.lock()
                shard.waitToWrite(slot)
                let isCurrent = slot.revision == expectedRevision && table.indexes === indexes && !slot.isLayered
                areKeysKept = !isCurrent || !comparesUnderLock || table.keepsKeys(of: slot, in: resolved)
                if isCurrent && areKeysKept {
                    shard.commit(resolved, to: slot, of: table, in: self, unpinning: 1)
                    return true
                }
                shard.unlock()
            }
            if !areKeysKept && commitWithIndexes(resolved, to: slot, at: expectedRevision, of: table) { return true }
            // From the second attempt on, the result counts as later than writes of the resolver itself.
            if running == nil { running = RunningUpdate() }
            overtaken.again { $0.add(slot, of: table) }
        }
    }

    /// Stores the entity that a closure makes of the confirmed one, below the layers of the key.
    ///
    /// - Returns: Whether an entity was stored.
    @inline(never) @usableFromInline
    func commitConfirmed<Value: Cachable>(
        _ id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>,
        resolving resolve: (Value?) -> Value?
    ) -> Bool {
        withoutActuallyEscaping(resolve) { resolve in
            var isStored = false
            let noting: (Value?) -> Value? = { confirmed in
                let resolved = resolve(confirmed)
                isStored = if case .some = resolved { true } else { false }
                return resolved
            }
            if commitLayers(of: id, hash, in: table, .write(noting)) != nil { return isStored }
            isStored = false
            let transaction = Transaction()
            defer { transaction.release() }
            transaction.table(table).write(id, hash, resolving: noting)
            transaction.commit(to: self)
            return isStored
        }
    }

    /// Stores an entity together with the changes of the indexes of its type, and unpins its slot.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - slot: Its slot, pinned by the caller. If no commit is made, it remains pinned.
    ///   - revision: The revision that the slot must have.
    ///   - table: Its table.
    /// - Returns: Whether the commit was made. If not, another commit has changed the slot.
    @inlinable func commitWithIndexes<Value: Cachable>(
        _ value: Value,
        to slot: Slot,
        at revision: UInt64,
        of table: Table<Value>
    ) -> Bool {
        guard let indexes = table.shards[HashedID(slot)].whileLocked({ table.indexes }) else { return false }
        let maintained = unsafeDowncast(indexes, to: MaintainedIndexes<Value>.self)
        return maintained.code.commit(self, value, slot, revision, table)
    }
}
