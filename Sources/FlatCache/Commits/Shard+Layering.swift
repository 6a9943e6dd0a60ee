/// The steps of a commit that changes layers, in one locked shard.
extension ShardReference {
    /// Replaces the entity that readers see, the confirmed one and the layers of a slot in a commit of several.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard.
    ///   - value: The new entity with all layers applied, or `nil` for none.
    ///   - change: The new confirmed entity and layers.
    ///   - order: The place of the entity in the order of insertion, if none is stored.
    ///   - table: The table.
    ///   - commit: The commit that the change is part of.
    /// - Returns: The objects to release after unlocking.
    @inlinable func replace<Value: Cachable>(
        _ slot: Slot,
        with value: Value?,
        _ change: LayeredChange<Value>,
        order: UInt64,
        in table: Table<Value>,
        _ commit: inout Commit
    ) -> (value: Value?, layered: LayeredState?) {
        var value = value
        let previousRevision = slot.revision
        let layered = exchange(slot, with: &value, change, order: order, in: table, commit)
        if layered.isShown, isObserved(slot) {
            note(slot, makeChange(of: slot, from: &value, commit), previousRevision, &commit)
        }
        return (value, layered.old)
    }

    /// Replaces the entity that readers see, the confirmed one and the layers of a slot.
    ///
    /// - Returns: The old layers, to be released after unlocking, and whether readers saw an entity before or see one now.
    @inlinable func exchange<Value: Cachable>(
        _ slot: Slot,
        with value: inout Value?,
        _ change: consuming LayeredChange<Value>,
        order: UInt64,
        in table: Table<Value>,
        _ commit: borrowing Commit
    ) -> (old: LayeredState?, isShown: Bool) {
        let isWritten = change.isWritten
        let isRemoval = if case .none = value { true } else { false }
        let (layered, ordinal) = change.layered(of: slot, isShown: !isRemoval, order: order, commit)
        if !slot.isStored, slot.isLayered, slot.revision <= commit.newestSnapshot {
            keep(Value?.none, of: slot, from: slot.revision, commit)
        }
        let isShown = slot.isStored || !isRemoval
        // A store keeps what is confirmed. If only layers change, the slot isn't noted, or the store would remove an entity that
        // it alone has.
        let notes = slot.notes
        if !isWritten { slot.notes |= 3 }
        defer { if !isWritten { slot.notes = notes } }
        if isShown {
            exchange(slot, with: &value, commit, at: Int(truncatingIfNeeded: ordinal &- commit.ordinal))
        } else {
            noteChange(of: slot, commit)
        }
        return (slot.setLayered(layered, isWritten: isWritten, in: table), isShown)
    }

    /// Makes a commit of one change of an entity with layers, unlocks, notifies the observers, and releases the old entity.
    ///
    /// - Parameters:
    ///   - value: The new entity with all layers applied, or `nil` for none.
    ///   - change: The new confirmed entity and layers.
    ///   - slot: A slot of this shard, pinned by the caller. A pin is removed.
    ///   - table: The table.
    ///   - cache: The cache.
    @inlinable func commit<Value: Cachable>(
        _ value: consuming Value?,
        _ change: consuming LayeredChange<Value>,
        to slot: Slot,
        in table: Table<Value>,
        of cache: FlatCache
    ) {
        let commit = Commit(of: cache, origin: change.origin)
        let revision = commit.revision
        var value = value
        let layered = exchange(slot, with: &value, change, order: commit.ordinal, in: table, commit)
        slot.pins -= 1
        if layered.isShown, isObserved(slot) {
            notify(slot, makeChange(of: slot, from: &value, commit), commit)
        } else {
            let dropped = dropIfAbandoned(slot)
            unlock()
            SyncPoint.reach(.committed)
            withExtendedLifetime(dropped) {}
        }
        withExtendedLifetime(layered.old) {}
        cache.keepLimits(after: revision, mayEvictNewer: false)
    }
}
