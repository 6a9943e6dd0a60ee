internal import Synchronization

/// The changes of the indexes of a table in a transaction.
struct IndexingTransaction {
    /// The indexes that the transaction keeps current.
    let indexes: TableIndexes
    /// The revisions of the slots from whose entities the changes were determined, by the places of their entries.
    let revisions: [UInt64]
    /// The places of writes whose conditions aren't met.
    let omitted: Set<Int>
    /// The places in the order of insertion at which the indexes have entities that appear again, by the places of their entries.
    let ordinals: [Int: UInt64]
}

/// The indexes of a table, for the commits that change them.
@usableFromInline
class MaintainedIndexes<Value: Cachable>: TableIndexes, @unchecked Sendable {  // Constant.
    @usableFromInline final let code: IndexingCode<Value>
    /// The steps that prepare the changes of each index by a commit of one entity.
    @usableFromInline final let preparations: [EntryPreparation<Value>]

    init(_ code: IndexingCode<Value>, _ preparations: [EntryPreparation<Value>], _ comparisons: [KeyComparison]?) {
        self.code = code
        self.preparations = preparations
        super.init(comparisons)
    }

    /// Whether a commit that replaces an entity changes no index.
    ///
    /// It may run user code, so no lock may be held.
    ///
    /// - Parameters:
    ///   - old: The stored entity, or `nil` if none is stored.
    ///   - new: The entity that replaces it.
    @usableFromInline func areKept(from old: Value?, to new: Value) -> Bool { false }

    override func areKept(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> Bool {
        areKept(
            from: old.assumingMemoryBound(to: Value.self).pointee,
            to: new.assumingMemoryBound(to: Value.self).pointee
        )
    }

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

/// The steps of commits of an indexed type, as closures, because closures are specialized for the type where the index is
/// declared.
@frozen @usableFromInline
struct IndexingCode<Value: Cachable>: Sendable {
    /// Stores an entity and the changes of the indexes, if the slot has a revision, and then unpins the slot.
    @usableFromInline let commit: @Sendable (FlatCache, Value, Slot, UInt64, Table<Value>) -> Bool
    /// Determines the changes of a transaction.
    @usableFromInline let changes: @Sendable (TableTransaction<Value>) -> IndexedChanges<Value>
    /// The identifiers of the entities of a snapshot, in the order of their insertion.
    @usableFromInline let ids: @Sendable (Table<Value>, Snapshot) -> [Value.ID]
    /// Adds entities to an index that is being built, as they are stored at the commit.
    @usableFromInline let build: @Sendable ([Value.ID], Table<Value>, _ index: AnyObject, FlatCache) -> Void

    @inlinable init() {
        commit = { cache, value, slot, revision, table in
            cache.commitIndexed(value, to: slot, at: revision, of: table)
        }
        changes = { $0.indexedChanges() }
        ids = { table, snapshot in
            var found: [(ordinal: UInt64, id: Value.ID)] = []
            table.walk(at: snapshot.revision) {
                $0.isStored ? ($0.ordinal, $0.id(of: Value.self)) : nil
            } _: {
                found += $0
            }
            found.sort { $0.ordinal < $1.ordinal }
            return found.map { $0.id }
        }
        build = { ids, table, index, cache in
            let transaction = Transaction()
            let changes = transaction.table(table)
            for id in ids { changes.build(id, into: index) }
            transaction.commit(to: cache)
            transaction.release()
        }
    }
}

/// The change of an entity, for the indexes of its table.
@frozen @usableFromInline
struct IndexedChange<Value: Cachable> {
    @usableFromInline let id: Value.ID
    /// The stored entity, or `nil` if none is stored or the index doesn't know it.
    @usableFromInline let old: Value?
    /// The entity that replaces it, or `nil` if it is removed.
    @usableFromInline let new: Value?
    /// The place of the stored entity in the order of insertion, or `nil` if none is stored.
    @usableFromInline let ordinal: UInt64?
    /// The place of a new entity among those of the transaction.
    @usableFromInline let order: UInt32

    @inlinable init(id: Value.ID, old: Value?, new: Value?, ordinal: UInt64?, order: UInt32) {
        self.id = id
        self.old = old
        self.new = new
        self.ordinal = ordinal
        self.order = order
    }
}

/// The changes of a transaction, for the indexes of a table.
@frozen @usableFromInline
struct IndexedChanges<Value: Cachable> {
    @usableFromInline var list: [IndexedChange<Value>] = []
    /// The revisions of the slots, by the places of their entries, or the maximum for entries without a change.
    @usableFromInline var revisions: [UInt64]
    /// The places of writes whose conditions aren't met.
    @usableFromInline var omitted: Set<Int> = []
    /// The places in the order of insertion of entities that appear again, by the places of their entries.
    @usableFromInline var ordinals: [Int: UInt64] = [:]

    @inlinable init(count: Int) {
        revisions = [UInt64](repeating: .max, count: count)
    }
}

extension Table {
    /// The indexes that commits keep current, or `nil` if there are none.
    ///
    /// A commit checks ``indexes`` again under a lock.
    var maintainedIndexes: MaintainedIndexes<Value>? {
        guard mayHaveIndexes.load(ordering: .relaxed) else { return nil }
        return shards[0].whileLocked { indexes }.map { unsafeDowncast($0, to: MaintainedIndexes<Value>.self) }
    }
}

extension TableTransaction {
    func updateIndexesOfType() {
        guard let indexes = table.maintainedIndexes else { return }
        // The comparisons of another type can have written this one. If all were made again, they would write it again.
        if indexes === indexing?.indexes, areIndexesCurrent(whileLocked: { table.withSlot($0, $1) }) { return }
        ReadContext.runOutside(of: table.history.object) {
            let changes = indexes.code.changes(self)
            indexing = IndexingTransaction(
                indexes: indexes,
                revisions: changes.revisions,
                omitted: changes.omitted,
                ordinals: changes.ordinals
            )
            indexes.write(changes.list, isCleared: isCleared, in: transaction)
        }
    }

    /// The changes of the stored entities by all entries.
    @inlinable func indexedChanges() -> IndexedChanges<Value> {
        var changes = IndexedChanges<Value>(count: entries.list.count)
        let isBuilding = builtIndex != nil
        for place in entries.list.indices where isBuilding || entries[place].isChanged {
            let slot = entries[place].slot
            var isMet = true
            var ordinal: UInt64?
            let stored: Value? = table.withSlot(slot) {
                changes.revisions[place] = slot.revision
                isMet = isConditionMet(at: place)
                ordinal = slot.isStored ? slot.ordinal : nil
                return slot.copy(of: Value.self)
            }
            if ordinal == nil, layering != nil {
                ordinal = restoredOrdinal(at: place)
                changes.ordinals[place] = ordinal
            }
            if ordinal == nil, case .some(let known) = knownOrdinals { ordinal = known[place] }
            if isMet {
                let change = IndexedChange(
                    id: slot.id(of: Value.self),
                    old: isCleared || isBuilding ? nil : stored,
                    new: isBuilding ? stored : entity(at: place),
                    ordinal: ordinal,
                    order: entries[place].order
                )
                changes.list.append(change)
            } else {
                changes.omitted.insert(place)
            }
        }
        return changes
    }

    /// Adds an entity to the index that is being built, as it is stored at the commit.
    @inlinable func build(_ id: Value.ID, into index: AnyObject) {
        builtIndex = index
        transaction.hasChanges = true
        entries.makeRoom()
        _ = table.withSlot(for: id, HashedID(id)) { place(of: $0) }
    }
}

extension EntityTransaction {
    /// Whether the indexes and the entities from which their changes were determined are the current ones.
    ///
    /// The shards must be locked, or their gates closed.
    final var areIndexesCurrent: Bool {
        entityTable.indexes === indexing?.indexes && areIndexesCurrent { $1() }
    }

    /// Whether the entities from which the changes of the indexes were determined are the current ones.
    ///
    /// - Parameter read: Calls a closure while the shard of a slot is locked.
    final func areIndexesCurrent(whileLocked read: (Slot, () -> Bool) -> Bool) -> Bool {
        guard let indexing else { return true }
        // Layers and merges that are made again can have read more entities.
        guard entries.list.count == indexing.revisions.count else { return false }
        return entries.list.indices.allSatisfy { place in
            let revision = indexing.revisions[place]
            if revision == .max { return true }
            let slot = entries[place].slot
            return read(slot) {
                let isUnchanged = revision == slot.revision || transaction.overlooksOwnWrites(of: slot, since: revision)
                return isUnchanged && isConditionMet(at: place) != indexing.omitted.contains(place)
            }
        }
    }
}
