/// The steps of a commit in one locked shard.
extension ShardReference {
    /// Replaces the entity of a slot, in code that knows its type.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard.
    ///   - value: The new entity, or `nil` to remove it. It becomes the old entity, to be released after unlocking. A
    ///     slot without an entity may be abandoned afterwards.
    ///   - commit: The commit that the change is part of.
    ///   - place: The place of the entity among those that the part of the commit may insert.
    @inlinable func exchange<Value: Cachable>(
        _ slot: Slot,
        with value: inout Value?,
        _ commit: borrowing Commit,
        at place: Int = 0
    ) {
        let previousRevision = slot.revision
        let wasStored = slot.isStored
        slot.exchange(&value)
        noteExchange(of: slot, wasStored: wasStored, commit, at: place)
        if wasStored, previousRevision <= commit.newestSnapshot {
            keep(value, of: slot, from: previousRevision, commit)
        }
    }

    /// Gives a slot whose entity was replaced the revision of the commit, and notes the change for those who count or keep it.
    @usableFromInline func noteExchange(
        of slot: Slot,
        wasStored: Bool,
        _ commit: borrowing Commit,
        at place: Int
    ) {
        if !slot.isStored || !wasStored { noteAppearance(of: slot, commit, at: place) }
        noteChange(of: slot, commit)
    }

    /// Counts a slot whose entity was inserted or removed.
    private func noteAppearance(of slot: Slot, _ commit: borrowing Commit, at place: Int) {
        if slot.isStored {
            pointer.pointee.storedCount &+= 1
            slot.usage = .none
            slot.ordinal = commit.ordinal &+ UInt64(truncatingIfNeeded: place)
            guard let kept = pointer.pointee.kept else { return }
            kept.limit?.noteInsertion()
            if kept.hasMissingReads { moveMissingReads(to: slot) }
        } else {
            pointer.pointee.storedCount &-= 1
            let isEviction = commit.origin == .eviction
            slot.usage = isEviction ? .evicted : .none
            pointer.pointee.kept?.limit?.noteRemoval(isEviction: isEviction)
        }
    }

    /// Replaces the entity of a slot in a commit of several, and records the change for observers.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard.
    ///   - value: The new entity, or `nil` to remove it.
    ///   - place: The place of the entity among those that the part of the commit may insert.
    ///   - commit: The commit that the change is part of.
    /// - Returns: The old entity, to be released after unlocking, or `nil` if there was none or the commit has taken it
    ///   for the observers.
    @inlinable func replace<Value: Cachable>(
        _ slot: Slot,
        with value: consuming Value?,
        at place: Int = 0,
        _ commit: inout Commit
    ) -> Value? {
        var value = value
        let previousRevision = slot.revision
        exchange(slot, with: &value, commit, at: place)
        if isObserved(slot) { note(slot, makeChange(of: slot, from: &value, commit), previousRevision, &commit) }
        return value
    }

    /// Whether a change of the entity of a slot notifies any observer.
    @inlinable func isObserved(_ slot: Slot) -> Bool { slot.isObserved || pointer.pointee.watchers != nil }

    /// The change of a slot by a commit, for observers.
    ///
    /// - Parameter old: The replaced entity, which is moved into the change.
    @usableFromInline func makeChange<Value: Cachable>(
        of slot: Slot,
        from old: inout Value?,
        _ commit: borrowing Commit
    ) -> SlotChange {
        let (revision, origin) = (commit.revision, commit.origin)
        guard case .some = old else { return makeChange(of: slot, table.layout, from: .none, revision, origin) }
        return withUnsafeMutablePointer(to: &old) {
            // The value of an optional begins at the address of the optional.
            let old = EntitySource.moved(from: UnsafeMutableRawPointer($0))
            let change = makeChange(of: slot, table.layout, from: old, revision, origin)
            $0.initialize(to: nil)
            return change
        }
    }

    /// The change of a slot by a commit, for observers.
    ///
    /// - Parameter old: The replaced entity.
    private func makeChange(
        of slot: Slot,
        _ layout: EntityLayout,
        from old: EntitySource,
        _ revision: UInt64,
        _ origin: OriginNumber
    ) -> SlotChange {
        SlotChange(
            of: slot,
            layout,
            from: old,
            revision: revision,
            origins: CommitOrigins(origin),
            isEviction: origin == .eviction
        )
    }

    /// Replaces the entity of a slot in a commit of several, and records the change for observers, in code that doesn't know its type.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard.
    ///   - new: The new entity, or none to remove it.
    ///   - place: The place of the entity among those that the part of the commit may insert.
    ///   - commit: The commit that the change is part of.
    ///   - released: Where the old entity is left, unless observers need it.
    func replace(
        _ slot: Slot,
        with new: EntitySource,
        at place: Int,
        _ commit: inout Commit,
        _ released: ReleasedEntities
    ) {
        let (old, layout, previousRevision) = (released.next, released.layout, slot.revision)
        let wasStored = exchange(slot, with: new, old: old, layout, commit, at: place)
        if isObserved(slot) {
            let (revision, origin) = (commit.revision, commit.origin)
            let change = makeChange(of: slot, layout, from: wasStored ? .moved(from: old) : .none, revision, origin)
            note(slot, change, previousRevision, &commit)
        } else if wasStored {
            released.add()
        }
    }

    /// Replaces the entity of a slot, in code that doesn't know its type.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard. Without an entity, it may be abandoned afterwards.
    ///   - new: The new entity, or none to remove it.
    ///   - old: Memory for the old entity. It can be that of the new one.
    ///   - layout: The layout of the entities.
    ///   - commit: The commit that the change is part of.
    ///   - place: The place of the entity among those that the part of the commit may insert.
    /// - Returns: Whether there was an old entity.
    @inline(__always) private func exchange(
        _ slot: Slot,
        with new: EntitySource,
        old: UnsafeMutableRawPointer,
        _ layout: EntityLayout,
        _ commit: borrowing Commit,
        at place: Int
    ) -> Bool {
        let (previousRevision, wasStored) = (slot.revision, slot.isStored)
        layout.exchange(slot, with: new, old: old)
        noteExchange(of: slot, wasStored: wasStored, commit, at: place)
        if wasStored, previousRevision <= commit.newestSnapshot {
            keep(EntityBox(copyOf: old, layout), of: slot, from: previousRevision, commit)
        }
        return wasStored
    }

    /// Records the change of an observed slot in a commit of several.
    @usableFromInline func note(
        _ slot: Slot,
        _ change: SlotChange,
        _ previousRevision: UInt64,
        _ commit: inout Commit
    ) {
        var observers = slot.observers?.list ?? []
        if let reads = slot.takeTrackedReads() { observers.append(TrackedChange(reads, of: slot, in: table)) }
        var noted = change
        // If one commit writes an entity twice, the second write counts.
        if previousRevision == commit.revision, let earlier = commit.earlierChange(of: change.slot) {
            noted = change.folded(after: earlier)
            commit.keep(change)
        }
        commit.add(noted, observers, pointer.pointee.watchers)
    }

    /// Notes the removal of the entity of a slot that has none, which only answers to earlier requests see.
    ///
    /// Nothing has changed for readers, so transactions that have read the slot don't run again. If the store may have the entity,
    /// it removes it.
    func noteRemoval(of slot: Slot, _ commit: borrowing Commit) {
        slot.usage = .none
        if hasMoreInStore { return noteChange(of: slot, commit) }
        slot.makeExtras().writeBelowLayers = WriteBelowLayers(written: commit.revision, revision: slot.revision)
    }

    /// Gives a slot the revision of a commit that changes it, and notes the change for the store and for running bodies.
    ///
    /// The slot can be without an entity: its confirmed entity or layers change, or an entity is removed that only the store may
    /// have.
    @inline(__always) @usableFromInline func noteChange(of slot: Slot, _ commit: borrowing Commit) {
        let previousRevision = slot.revision
        slot.revision = commit.revision
        if isGated {
            OwnWrites.note(UnsafeRawPointer(pointer), from: pointer.pointee.changedRevision, to: commit.revision)
        }
        pointer.pointee.changedRevision = commit.revision
        pointer.pointee.journal?.note(slot, commit.origin)
        if slot.pins != 0 {
            RunningUpdate.followOwnWrite(of: slot.header, from: previousRevision, to: commit.revision)
        }
    }

    /// Makes a commit of one change, unlocks, and notifies the observers.
    ///
    /// - Parameters:
    ///   - new: The new entity, or none to remove it.
    ///   - slot: A slot of this shard.
    ///   - table: The table of the shard.
    ///   - cache: The cache.
    ///   - pins: The number of pins to remove from the slot.
    ///   - old: Memory for the old entity, to be released. It can be that of the new one.
    ///   - leavesOld: Whether the old entity is left in its memory even if observers need it.
    /// - Returns: Whether the old entity is in its memory.
    @usableFromInline func commit(
        _ new: EntitySource,
        to slot: Slot,
        of table: EntityTable,
        in cache: FlatCache,
        unpinning pins: UInt32,
        old: UnsafeMutableRawPointer,
        leavesOld: Bool = false
    ) -> Bool {
        let commit = Commit(of: cache)
        let revision = commit.revision
        let wasStored = exchange(slot, with: new, old: old, table.layout, commit, at: 0)
        slot.pins -= pins
        var isLeft = wasStored
        if isObserved(slot) {
            isLeft = wasStored && leavesOld
            let replaced: EntitySource = isLeft ? .copy(of: old) : wasStored ? .moved(from: old) : .none
            notify(slot, makeChange(of: slot, table.layout, from: replaced, revision, commit.origin), commit)
        } else {
            let dropped = slot.isStored ? nil : dropIfAbandoned(slot)
            unlock()
            SyncPoint.reach(.committed)
            withExtendedLifetime(dropped) {}
        }
        cache.keepLimits(after: revision, mayEvictNewer: false)
        return isLeft
    }

    /// Makes a commit of one change, unlocks, notifies the observers, and releases the old entity.
    ///
    /// - Parameters:
    ///   - value: The new entity.
    ///   - slot: A slot of this shard.
    ///   - table: The table of the shard.
    ///   - cache: The cache.
    ///   - pins: The number of pins to remove from the slot.
    @inlinable func commit<Value: Cachable>(
        _ value: consuming Value,
        to slot: Slot,
        of table: Table<Value>,
        in cache: FlatCache,
        unpinning pins: UInt32
    ) {
        withMemory(of: value) {
            ((), isLeft: commit(.moved(from: $0), to: slot, of: table, in: cache, unpinning: pins, old: $0))
        }
    }

    /// Unlocks, and notifies the observers of the only slot that a commit has changed.
    @usableFromInline func notify(_ slot: Slot, _ change: SlotChange, _ commit: consuming Commit) {
        let cache = commit.owner
        guard pointer.pointee.watchers == nil, let only = slot.observers?.only, slot.extras?.trackedReads == nil,
            !Delivery.isRunning
        else {
            note(slot, change, 0, &commit)
            let dropped = dropIfAbandoned(slot)
            commit.finish(isOfOne: true) { unlock() }
            withExtendedLifetime(dropped) {}
            return
        }
        let observer = unsafeDowncast(only, to: EntityObserver.self)
        let (hasTurn, replaced) = observer.takeTurn(orPost: change)
        unlock()
        SyncPoint.reach(.committed)
        withExtendedLifetime(replaced) {}
        Delivery.run(in: cache) {
            let isLeft = hasTurn ? observer.deliver(first: change) : observer.deliver()
            return isLeft ? observer : nil
        }
    }

    /// Keeps an entity that a commit replaces for the snapshots that have it.
    @_semantics("optimize.sil.specialize.generic.never") @usableFromInline func keep<Value: Cachable>(
        _ value: Value?,
        of slot: Slot,
        from previousRevision: UInt64,
        _ commit: borrowing Commit
    ) {
        keep(value.map { EntityBox($0, table.layout) }, of: slot, from: previousRevision, commit)
    }

    private func keep(
        _ value: EntityBox?,
        of slot: Slot,
        from previousRevision: UInt64,
        _ commit: borrowing Commit
    ) {
        let until = commit.revision
        if pointer.pointee.kept?.holdsVersions != true {
            let history = commit.owner.takeUnretainedValue().history.object
            guard history.register(table.keeper(of: self), from: previousRevision, until: until) else { return }
        }
        makeKept().keep(
            value,
            of: slot,
            from: previousRevision,
            until: until,
            limit: min(commit.newestSnapshot, until - 1)
        )
    }
}
