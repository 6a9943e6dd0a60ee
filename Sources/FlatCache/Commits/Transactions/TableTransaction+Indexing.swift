internal import Synchronization

/// The changes of the indexes of a table in a transaction.
@usableFromInline
struct IndexingTransaction<Value: Cachable> {
    /// The indexes that the transaction keeps current.
    let indexes: MaintainedIndexes<Value>
    /// The revisions of the slots from whose entities the changes were determined, by the places of their entries.
    let revisions: [UInt64]
    /// The places of writes whose conditions aren't met.
    let omitted: Set<Int>
}

/// The indexes of a table, for the commits that change them.
@usableFromInline
class MaintainedIndexes<Value: Cachable>: TableIndexes<Value>, @unchecked Sendable {  // Constant.
    /// Writes changes into a transaction, in place of those that were written before.
    ///
    /// It runs user code, so no lock may be held.
    ///
    /// - Parameters:
    ///   - changes: The changes of all entities.
    ///   - isCleared: Whether all other entities are removed.
    ///   - transaction: The transaction.
    func write(_ changes: [IndexedChange<Value>], isCleared: Bool, in transaction: Transaction) {}
}

/// The change of an entity, for the indexes of its table.
struct IndexedChange<Value: Cachable> {
    let id: Value.ID
    /// The stored entity, or `nil` if none is stored.
    let old: Value?
    /// The entity that replaces it, or `nil` if it is removed.
    let new: Value?
    /// The place of the stored entity in the order of insertion, or `nil` if none is stored.
    let ordinal: UInt64?
    /// The place of a new entity among those of the transaction.
    let order: UInt32
    /// The index that is being built, and doesn't know the stored entity, or `nil` for none.
    let builtIndex: BuiltIndex?
}

/// An index that is being built.
@usableFromInline
class BuiltIndex {}

extension TableTransaction {
    @usableFromInline func updateIndexes() {
        guard table.mayHaveIndexes.load(ordering: .relaxed) else { return }
        let indexes = table.shards[0].whileLocked { table.indexes }
        guard let indexes = indexes.map({ unsafeDowncast($0, to: MaintainedIndexes<Value>.self) }) else { return }
        ReadContext.runOutside(of: table.history.object) {
            var changes: [IndexedChange<Value>] = []
            var revisions = [UInt64](repeating: .max, count: entries.list.count)
            var omitted: Set<Int> = []
            for place in entries.list.indices where entries[place].isChanged || builtIndex != nil {
                if let change = indexedChange(at: place, &revisions[place]) {
                    changes.append(change)
                } else {
                    omitted.insert(place)
                }
            }
            indexing = IndexingTransaction(indexes: indexes, revisions: revisions, omitted: omitted)
            indexes.write(changes, isCleared: isCleared, in: transaction)
        }
    }

    /// The change of the stored entity by an entry, or `nil` if the condition of the write isn't met.
    ///
    /// - Parameter revision: A variable that is set to the revision of the slot.
    private func indexedChange(at place: Int, _ revision: inout UInt64) -> IndexedChange<Value>? {
        let entry = entries[place]
        let slot = entry.slot
        var isMet = true
        let stored: (value: Value, ordinal: UInt64)? = table.withSlot(slot) {
            revision = slot.revision
            isMet = isConditionMet(at: place)
            return slot.copy.map { ($0, slot.ordinal) }
        }
        guard isMet else { return nil }
        return IndexedChange(
            id: slot.id,
            old: isCleared ? nil : stored?.value,
            new: entry.isChanged ? entries.values[place] : stored?.value,
            ordinal: stored?.ordinal,
            order: entry.order,
            builtIndex: entry.isChanged ? nil : builtIndex
        )
    }

    /// Whether the condition of a write is met, while its shard is locked.
    private func isConditionMet(at place: Int) -> Bool {
        guard let condition = entries[place].condition, !condition.isAlways else { return true }
        let slot = entries[place].slot
        return condition.allowsWrite(to: slot, of: table.shards[HashedID(slot)])
    }

    /// Whether the indexes and the entities from which their changes were determined are the current ones.
    ///
    /// The shards must be locked, or their gates closed.
    var areIndexesCurrent: Bool {
        guard table.indexes === indexing?.indexes else { return false }
        guard let indexing else { return true }
        return entries.list.indices.allSatisfy { place in
            let revision = indexing.revisions[place]
            if revision == .max { return true }
            return revision == entries[place].slot.revision
                && isConditionMet(at: place) != indexing.omitted.contains(place)
        }
    }

    /// Adds an entity to the index that is being built, as it is stored at the commit.
    func build(_ id: Value.ID, into index: BuiltIndex) {
        builtIndex = index
        transaction.hasChanges = true
        entries.makeRoom()
        _ = table.withSlot(for: id, HashedID(id)) { place(of: $0) }
    }

    /// Drops all changes, to determine them again.
    func dropChanges(isCleared: Bool) {
        let dropped = entries
        for place in entries.list.indices { entries.dropChange(at: place) }
        hasMerges = false
        self.isCleared = isCleared
        if isCleared { shards = .all }
        withExtendedLifetime(dropped) {}
    }
}
