/// The changes that a transaction makes to the entities of one type, and what it has read of them.
///
/// Everything stands under the slot of its key, which is found once and pinned: so no identifier is hashed or compared
/// when the changes are looked up, nor when they are committed.
@_fixed_layout @usableFromInline
final class TableDraft<Value: Cachable>: TableDraftPart {
    @usableFromInline let table: Table<Value>
    /// Lives as long as the transaction, and this with it.
    @usableFromInline unowned let draft: Draft
    @exclusivity(unchecked) @usableFromInline var entries: [ObjectIdentifier: Entry] = [:]
    /// Whether all entities are removed, before the changes are made.
    @exclusivity(unchecked) @usableFromInline var isCleared: Bool
    /// The snapshot on whose entities the result of the transaction depends, all of them; `nil` if it doesn't.
    @exclusivity(unchecked) var wholeRead: UInt64?
    /// Whether a large commit has given back the slots, which the entries still name.
    var areSlotsGivenBack = false
    /// The shards of what was read or changed.
    @exclusivity(unchecked) @usableFromInline var shards: ShardMask

    /// What the transaction knows of an entity.
    @frozen @usableFromInline struct Entry {
        /// The slot, which the entry pins.
        @usableFromInline let slot: Slot<Value>
        /// The revision of the slot that was read; `nil` when it wasn't.
        @usableFromInline var readRevision: UInt64?
        @usableFromInline var change: Change?

        @inlinable init(_ slot: Slot<Value>) {
            self.slot = slot
        }
    }

    @frozen @usableFromInline enum Change {
        case stored(Value, WriteCondition)
        case removed

        @inlinable var value: Value? {
            switch self {
            case .stored(let value, _): value
            case .removed: nil
            }
        }
    }

    @inlinable init(of table: Table<Value>, in draft: Draft, isCleared: Bool) {
        self.table = table
        self.draft = draft
        self.isCleared = isCleared
        shards = isCleared ? .all : ShardMask()
    }

    @usableFromInline var count: Int { entries.count }
}

extension TableDraft {
    /// The entity of an identifier as the transaction sees it.
    @inlinable func value(of id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        value(in: snapshot, hash) { table.withSlot(for: id, hash, $0) }
    }

    /// The entity of a slot as the transaction sees it.
    @inlinable func value(of slot: Slot<Value>, in snapshot: Snapshot) -> Value? {
        value(in: snapshot, HashedID(slot)) { body in table.withSlot(slot) { body(slot) } }
    }

    /// The entity of a slot as the transaction sees it, which depends on it from now on.
    ///
    /// - Parameter withSlot: Calls a body with the slot while its shard is locked.
    @inlinable func value(
        in snapshot: Snapshot,
        _ hash: HashedID,
        _ withSlot: ((Slot<Value>) -> (Slot<Value>, Value?)) -> (Slot<Value>, Value?)
    ) -> Value? {
        shards.insert(hash.shard)
        let (slot, committed) = withSlot { slot in
            let key = ObjectIdentifier(slot)
            if entries[key] == nil { insert(slot) }
            guard !isCleared, entries[key]?.change == nil else { return (slot, nil) }
            if entries[key]?.readRevision == nil { entries[key]?.readRevision = min(slot.revision, snapshot.revision) }
            return (slot, slot.value(at: snapshot.revision))
        }
        return entries[ObjectIdentifier(slot)]?.change.map(\.value) ?? committed
    }

    /// Adds an entry for a slot whose shard is locked.
    @inlinable func insert(_ slot: Slot<Value>) {
        slot.pins += 1
        entries[ObjectIdentifier(slot)] = Entry(slot)
    }

    /// The entities as the transaction sees them.
    func values(in snapshot: Snapshot) -> [Value] {
        var values: [Value] = []
        if !isCleared {
            wholeRead = snapshot.revision
            shards = .all
            values = snapshot.committedSlots(in: table) { slot, value in
                entries[ObjectIdentifier(slot)]?.change == nil ? value : nil
            }
        }
        for entry in entries.values {
            if let value = entry.change?.value { values.append(value) }
        }
        return values
    }

    /// Stores an entity, if a condition holds when the transaction is committed.
    @inlinable func write(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition = .always
    ) {
        change(id, hash, to: .stored(value, condition))
    }

    /// Removes an entity, which need not be there.
    @inlinable func remove(_ id: Value.ID, _ hash: HashedID) { change(id, hash, to: .removed) }

    @inlinable func change(_ id: Value.ID, _ hash: HashedID, to change: Change) {
        shards.insert(hash.shard)
        let slot = table.withSlot(for: id, hash) { slot in
            if entries[ObjectIdentifier(slot)] == nil { insert(slot) }
            return slot
        }
        self.change(slot, to: change)
    }

    /// Changes the entity of a slot that has an entry.
    @inlinable func change(_ slot: Slot<Value>, to change: Change) {
        draft.hasChanges = true
        let replaced = replaceChange(of: slot, with: change)
        if draft.isNested { noteUndo(of: slot, replaced) }
    }

    @usableFromInline func noteUndo(of slot: Slot<Value>, _ change: Change?) {
        draft.addUndo { [self] in withExtendedLifetime(replaceChange(of: slot, with: change)) {} }
    }

    /// Replaces what is to become of an entity.
    ///
    /// - Returns: What was to become of it, to be released when the entries are whole again.
    @inlinable func replaceChange(of slot: Slot<Value>, with change: Change?) -> Change? {
        let key = ObjectIdentifier(slot)
        guard var entry = entries[key] else { return nil }
        let replaced = entry.change
        entry.change = change
        withExtendedLifetime(entries.updateValue(entry, forKey: key)) {}
        return replaced
    }

    /// Changes an entity, and stores others with it; the body runs once, on what the transaction sees.
    @inline(never) @inlinable func update<Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        _ hash: HashedID,
        in snapshot: Snapshot,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard var value = value(of: id, hash, in: snapshot) else { return nil }
        let result = try body(&value)
        batch?.store(in: draft)
        let newID = value.id
        if newID != id { remove(id, hash) }
        write(value, newID, newID == id ? hash : HashedID(newID))
        return result
    }

    /// Removes all entities.
    func removeAll() {
        draft.hasChanges = true
        let before = entries
        if draft.isNested {
            draft.addUndo { [self, isCleared] in
                let undone = entries
                self.isCleared = isCleared
                for key in undone.keys { entries[key]?.change = before[key]?.change }
                withExtendedLifetime(undone) {}
            }
        }
        for key in before.keys { entries[key]?.change = nil }
        isCleared = true
        shards = .all
        withExtendedLifetime(before) {}
    }

    /// Makes the transaction depend on a slot being as it was.
    ///
    /// - Parameters:
    ///   - slot: The slot, pinned by the caller.
    ///   - revision: The revision that it had.
    @usableFromInline func expect(_ slot: Slot<Value>, _ revision: UInt64) {
        shards.insert(HashedID(slot).shard)
        table.withSlot(slot) {
            if entries[ObjectIdentifier(slot)] == nil { insert(slot) }
            entries[ObjectIdentifier(slot)]?.readRevision = revision
        }
    }
}
