/// The changes that a transaction makes to the entities of one type, and what it has read of them.
@_fixed_layout @usableFromInline
final class TableDraft<Value: Cachable> {
    @usableFromInline let table: Table<Value>
    /// Lives as long as the transaction, and this with it.
    @usableFromInline unowned let draft: Draft
    @exclusivity(unchecked) @usableFromInline var changes: [HashedKey: Change] = [:]
    /// Whether all entities are removed, before the changes are made.
    @exclusivity(unchecked) @usableFromInline var isCleared: Bool
    /// The identifiers on whose entities the result of the transaction depends.
    @exclusivity(unchecked) @usableFromInline var reads: Set<HashedKey> = []
    /// Whether it depends on all entities.
    @usableFromInline var hasReadAll = false
    /// The shards of what was read or changed.
    @exclusivity(unchecked) @usableFromInline var shards: ShardMask

    /// An identifier with the hash that it has in the table, so that it is not hashed again.
    @frozen @usableFromInline struct HashedKey: Hashable {
        @usableFromInline let id: Value.ID
        @usableFromInline let hash: HashedID

        @inlinable init(_ id: Value.ID, _ hash: HashedID) {
            self.id = id
            self.hash = hash
        }

        @inlinable static func == (lhs: Self, rhs: Self) -> Bool { lhs.hash.bits == rhs.hash.bits && lhs.id == rhs.id }

        @inlinable func hash(into hasher: inout Hasher) { hasher.combine(hash.bits) }
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

    /// The entity as the transaction sees it.
    @inlinable func value(of id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        let key = HashedKey(id, hash)
        if let change = changes[key] { return change.value }
        if isCleared { return nil }
        reads.insert(key)
        shards.insert(hash.shard)
        return snapshot.committedValue(of: id, hash, in: table)
    }

    /// The entities as the transaction sees them.
    func values(in snapshot: Snapshot) -> [Value] {
        var values: [Value] = []
        if !isCleared {
            hasReadAll = true
            shards = .all
            values = snapshot.committedValues(in: table).filter { value in
                changes[HashedKey(value.id, HashedID(value.id))] == nil
            }
        }
        for change in changes.values {
            if let value = change.value { values.append(value) }
        }
        return values
    }

    /// Stores an entity, if a condition holds when the transaction is committed.
    @inlinable func write(_ value: Value, _ hash: HashedID, if condition: WriteCondition = .always) {
        change(HashedKey(value.id, hash), to: .stored(value, condition))
    }

    /// Removes an entity, which need not be there.
    @inlinable func remove(_ id: Value.ID, _ hash: HashedID) {
        change(HashedKey(id, hash), to: .removed)
    }

    @inline(never) @inlinable func change(_ key: HashedKey, to change: Change) {
        draft.hasChanges = true
        if draft.isNested { noteUndo(of: key) }
        shards.insert(key.hash.shard)
        // What is replaced goes when the dictionary is whole again: its release can run user code.
        let replaced = changes.updateValue(change, forKey: key)
        withExtendedLifetime(replaced) {}
    }

    @usableFromInline func noteUndo(of key: HashedKey) {
        draft.addUndo { [change = changes[key]] in
            let undone = self.changes[key]
            self.changes[key] = change
            withExtendedLifetime(undone) {}
        }
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
        if value.id == id {
            write(value, hash)
        } else {
            remove(id, hash)
            write(value, HashedID(value.id))
        }
        return result
    }

    /// Removes all entities.
    func removeAll() {
        draft.hasChanges = true
        if draft.isNested {
            draft.addUndo { [changes, isCleared] in
                let undone = self.changes
                self.changes = changes
                self.isCleared = isCleared
                withExtendedLifetime(undone) {}
            }
        }
        let replaced = changes
        changes = [:]
        isCleared = true
        shards = .all
        withExtendedLifetime(replaced) {}
    }

    /// Whether everything that was read is still as in the snapshot, while the shards are locked.
    @inlinable func isCurrent(in snapshot: Snapshot) -> Bool {
        if hasReadAll { return snapshot.isCurrent(table) }
        return reads.allSatisfy { snapshot.isCurrent($0.id, $0.hash, in: table) }
    }

    /// Whether the entity of a slot is stored or removed for certain.
    @inlinable func replaces(_ slot: Slot<Value>) -> Bool {
        switch changes[HashedKey(slot.id, HashedID(slot.id))] {
        case .stored(_, let condition)?: condition.since == .max
        case .removed?: true
        case nil: false
        }
    }

    /// Makes the changes, while the shards are locked.
    ///
    /// - Returns: What was replaced, to be released after unlocking, for its release can run user code.
    @inlinable func store(_ commit: inout Commit) -> [any Sendable] {
        let removed = isCleared ? table.removeAll(&commit, isReplaced: replaces) : nil
        var replaced: [Value] = []
        for (key, change) in changes {
            let shard = table.shards[key.hash]
            let old: Value?
            switch change {
            case .stored(let value, let condition):
                if condition.since != .max {
                    let slot = shard.pointer.pointee.index.find(key.id, key.hash)?.takeUnretainedValue()
                    guard condition.allowsWrite(to: slot, of: shard) else { continue }
                }
                old = shard.replace(shard.slot(for: key.id, key.hash), with: value, &commit)
            case .removed: old = shard.remove(key.id, key.hash, &commit)
            }
            if let old { replaced.append(old) }
        }
        return [replaced, removed as any Sendable]
    }
}

/// The draft of a table whose entity type is not known to the caller.
///
/// Made of closures, not by a protocol, because closures are specialized where the type is known.
@frozen @usableFromInline
struct ErasedTableDraft {
    /// The draft itself.
    @usableFromInline let object: AnyObject
    @usableFromInline let insertLocks: (inout LockSet) -> Void
    @usableFromInline let isCurrent: (Snapshot) -> Bool
    @usableFromInline let store: (inout Commit) -> [any Sendable]

    @inlinable init<Value>(_ draft: TableDraft<Value>) {
        object = draft
        insertLocks = { $0.insert(draft.shards, of: draft.table) }
        isCurrent = { draft.isCurrent(in: $0) }
        store = { draft.store(&$0) }
    }
}
