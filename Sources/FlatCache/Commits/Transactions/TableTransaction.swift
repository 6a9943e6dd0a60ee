/// The changes and reads of a transaction for the entities of one type.
///
/// Entries are keyed by slot. A slot is found once and pinned, so no identifier is hashed or compared when the changes
/// are looked up or committed.
@_fixed_layout @usableFromInline
final class TableTransaction<Value: Cachable>: ErasedTableTransaction {
    @usableFromInline let table: Table<Value>
    /// The transaction, which keeps this object alive.
    @usableFromInline unowned(unsafe) let transaction: Transaction
    @exclusivity(unchecked) @usableFromInline var entries = TransactionEntries<Value>()
    /// Whether all entities are removed, before the changes are made.
    @exclusivity(unchecked) @usableFromInline var isCleared: Bool
    /// The snapshot, if the result of the transaction depends on all of its entities of the type, or `nil`.
    @exclusivity(unchecked) var wholeRead: UInt64?
    /// The number of places in the order of insertion that were given to entities.
    @exclusivity(unchecked) @usableFromInline var orderCount: UInt32 = 0
    /// The known places of entities in the order of insertion, by the places of their entries, or `nil` if there are none.
    @exclusivity(unchecked) @usableFromInline var knownOrdinals: [Int: UInt64]?
    /// Whether entities depend on the stored ones.
    @exclusivity(unchecked) @usableFromInline var hasMerges = false
    /// Whether the table has the entries of an index.
    @exclusivity(unchecked) @usableFromInline var isOfIndex = false
    /// The rules for entities that refer to a removed one, or `nil` if they weren't needed yet.
    @exclusivity(unchecked) private(set) var removalRules: [RemovalRule]?
    /// The number of the rules, or -1 if they weren't needed yet.
    private var ruleCount = -1
    /// The changes of the indexes, or `nil` if there are none.
    @exclusivity(unchecked) var indexing: IndexingTransaction<Value>?
    /// The keys of entities in the state that the transaction reads, by the indexes that weren't complete in that state.
    @exclusivity(unchecked) var earlierKeys: [ObjectIdentifier: AnyObject] = [:]
    /// The changes, for the indexes that were asked, or `nil` if none was.
    @exclusivity(unchecked) @usableFromInline var changeLog: ChangeLog?
    /// The index that the transaction builds, or `nil` for none.
    @exclusivity(unchecked) @usableFromInline var builtIndex: AnyObject?
    /// The identifiers that the transaction replaces, or `nil` if it replaces none.
    @exclusivity(unchecked) @usableFromInline var moves: TransactionMoves<Value>?
    /// The layers that the transaction changes, or `nil` if it changes none.
    @exclusivity(unchecked) @usableFromInline var layering: TransactionLayers<Value>?
    /// Whether a commit has already unpinned the slots of the entries.
    @exclusivity(unchecked) @usableFromInline var areSlotsGivenBack = false
    /// Whether the gates of the shards are closed for the commit, while the shards are unlocked.
    @exclusivity(unchecked) @usableFromInline var areGatesClosed = false
    /// The shards that were read or changed.
    @exclusivity(unchecked) @usableFromInline var shards: ShardMask
    /// The steps of the commit, as closures, because closures are specialized for the type where the transaction is
    /// created, and methods of a protocol aren't.
    @exclusivity(unchecked) @usableFromInline var code: Code

    @frozen @usableFromInline struct Code {
        @usableFromInline let areReadsCurrent: (TableTransaction) -> Bool
        @usableFromInline let store: (TableTransaction, inout Commit) -> [any Sendable]
        @usableFromInline let storeCopy: (TableTransaction, _ place: Int, inout Commit, inout Released) -> Void
        @usableFromInline var merge: (TableTransaction, _ place: Int) -> Void
        @usableFromInline let areMergesCurrent: (TableTransaction) -> Bool

        @inlinable init() {
            areReadsCurrent = { $0.areReadsCurrent }
            store = { $0.storeAll(&$1) }
            storeCopy = { transaction, place, commit, released in
                if let layering = transaction.layering, layering.code.store(transaction, place, &commit, &released) {
                    return
                }
                var value = transaction.entries.values[place]
                transaction.store(&value, place, &commit, &released)
            }
            merge = { $0.mergeEntity(at: $1) }
            areMergesCurrent = { $0.areResultsCurrent }
        }
    }

    /// The reads and changes of one entity, without the new entity.
    @frozen @usableFromInline struct Entry {
        /// The slot, which the entry pins.
        @usableFromInline let slot: Slot
        /// The revision of the slot that was read, or `nil` if it wasn't read.
        @usableFromInline var readRevision: UInt64?
        /// The condition of the change, or `nil` if the entity isn't changed.
        @usableFromInline var condition: WriteCondition?
        /// The place among the entities that the transaction has stored, in the order of the first writes since they were
        /// missing in it.
        @usableFromInline var order: UInt32 = 0
        /// The writes whose result is the new entity, or `nil` if it doesn't depend on the stored one.
        @usableFromInline var merge: PendingMerge<Value>?

        @inlinable init(_ slot: Slot) {
            self.slot = slot
        }

        @inlinable var isChanged: Bool {
            if case .none = condition { false } else { true }
        }
    }

    @inlinable init(of table: Table<Value>, in transaction: Transaction, isCleared: Bool) {
        self.table = table
        self.transaction = transaction
        self.isCleared = isCleared
        shards = isCleared ? .all : ShardMask()
        code = Code()
    }

    @usableFromInline var count: Int { entries.list.count }

    @usableFromInline var insertionCount: Int { Int(orderCount) }
}

extension TableTransaction {
    /// The entity with an identifier as the transaction sees it.
    @usableFromInline func value(of id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        var place = -1
        entries.makeRoom()
        let committed = table.withSlot(for: id, hash) { committedValue(of: $0, in: snapshot, &place) }
        return entries[place].isChanged ? changedValue(at: place, in: snapshot) : committed
    }

    /// The entity of a slot as the transaction sees it.
    func value(of slot: Slot, in snapshot: Snapshot) -> Value? {
        var place = -1
        entries.makeRoom()
        let committed = table.withSlot(slot) { committedValue(of: slot, in: snapshot, &place) }
        return entries[place].isChanged ? changedValue(at: place, in: snapshot) : committed
    }

    /// The new entity of an entry.
    @inlinable func changedValue(at place: Int, in snapshot: Snapshot) -> Value? {
        if case .some = entries[place].merge { settle(at: place, in: snapshot) }
        return entries.values[place]
    }

    /// The entity of a slot in a locked shard, or `nil` if the transaction has changed it.
    ///
    /// The transaction depends on the stored entity from now on, unless it has replaced or removed it.
    ///
    /// - Parameter place: A variable that is set to the place of the entry.
    func committedValue(of slot: Slot, in snapshot: Snapshot, _ place: inout Int) -> Value? {
        slot.noteUse()
        place = self.place(of: slot)
        let isChanged = isCleared || entries[place].isChanged
        if isChanged, case .none = entries[place].merge { return nil }
        if case .none = entries[place].readRevision {
            entries[place].readRevision = min(slot.revision, snapshot.revision)
        }
        return isChanged ? nil : slot.confirmedValue(of: Value.self, at: snapshot.revision)
    }

    /// The place of the entry of a slot in a locked shard, created if there is none.
    @inlinable func place(of slot: Slot) -> Int {
        if let place = entries.place(of: slot) { return place }
        shards.insert(HashedID(slot).shard)
        slot.pins += 1
        return entries.append(Entry(slot))
    }

    /// Records that the result of the transaction depends on all entities of the type.
    @usableFromInline func noteReadOfAll(in snapshot: Snapshot) {
        wholeRead = snapshot.revision
        shards = .all
    }

    /// The entities as the transaction sees them.
    ///
    /// The places of entities that the transaction inserts are after all others.
    @inlinable func entities(in snapshot: Snapshot) -> [StoredEntity<Value>] {
        var entities: [StoredEntity<Value>] = []
        if !isCleared {
            noteReadOfAll(in: snapshot)
            snapshot.forEachPiece(in: table) { slot -> StoredEntity<Value>? in
                guard let entity = slot.confirmedEntity(of: Value.self, at: snapshot.revision) else { return nil }
                return entries[slot]?.isChanged == true ? nil : entity
            } _: {
                entities += $0
            }
        }
        for place in entries.list.indices {
            if let entity = changedEntity(at: place, in: snapshot) { entities.append(entity) }
        }
        return entities
    }

    /// The new entity of an entry, or `nil` if there is none.
    ///
    /// An entity that replaces a stored one, even one that the transaction has removed, has its place in the order of
    /// insertion.
    @inlinable func changedEntity(at place: Int, in snapshot: Snapshot) -> StoredEntity<Value>? {
        guard let value = changedValue(at: place, in: snapshot) else { return nil }
        let slot = entries[place].slot
        let stored = table.withSlot(slot) { slot.confirmedEntity(of: Value.self, at: snapshot.revision)?.ordinal }
        let ordinal =
            stored ?? (layering == nil ? nil : replacedOrdinal(at: place)) ?? 1 << 63 + UInt64(entries[place].order)
        return StoredEntity(value: value, slot: SlotIdentity(slot), revision: .max, ordinal: ordinal)
    }

    /// Whether a condition can still be met when the transaction is committed.
    @inlinable func mayWrite(_ id: Value.ID, _ hash: HashedID, if condition: WriteCondition) -> Bool {
        if condition.isAlways { return true }
        entries.makeRoom()
        return table.withSlot(for: id, hash) { slot in
            !keepsOwnChange(at: place(of: slot), condition)
                && condition.allowsWrite(to: slot, of: table.shards[hash])
        }
    }

    /// Whether an entity of a response may be there after the commit, whose condition can still prevent it.
    func mayHave(_ id: Value.ID, _ hash: HashedID, if condition: WriteCondition) -> Bool {
        if mayWrite(id, hash, if: condition) || table.value(of: id, hash) != nil { return true }
        // The body itself can have stored it, which no condition prevents.
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        return entries[place].condition?.isAlways == true && entries.values[place] != nil
    }

    /// Stores an entity, if a condition is met when the transaction is committed.
    @inlinable func write(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition = .always
    ) {
        change(id, hash, to: value, if: condition)
    }

    /// Removes an entity, which need not be stored.
    @inlinable func remove(_ id: Value.ID, _ hash: HashedID) { change(id, hash, to: nil, if: .always) }

    @inlinable func change(_ id: Value.ID, _ hash: HashedID, to value: consuming Value?, if condition: WriteCondition) {
        entries.makeRoom()
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        if keepsOwnChange(at: place, condition) { return }
        change(at: place, to: value, if: condition)
    }

    /// Whether the transaction has itself changed an entity that only changes by other commits would keep.
    @inlinable func keepsOwnChange(at place: Int, _ condition: WriteCondition) -> Bool {
        if condition.isAlways || condition.replacesNewerWrites { return false }
        return entries[place].condition?.isAlways ?? isCleared
    }

    /// Replaces the change of an entity.
    @inlinable func change(at place: Int, to value: consuming Value?, if condition: WriteCondition) {
        transaction.hasChanges = true
        var condition: WriteCondition? = condition
        var merge: PendingMerge<Value>?
        let wasAbsent = if case .none = entries.values[place] { true } else { false }
        let order = entries[place].order
        exchange(&value, &condition, &merge, at: place)
        if wasAbsent, case .some = entries.values[place] { noteOrder(at: place) }
        if transaction.isNested { noteUndo(at: place, value, condition, merge, order) }
    }

    /// Gives an entity the last place in the order of insertion.
    @inlinable func noteOrder(at place: Int) {
        entries[place].order = orderCount
        orderCount &+= 1
    }

    /// Notes the place in the order of insertion at which an entity appears that isn't stored.
    func noteOrdinal(_ ordinal: UInt64, of id: Value.ID) {
        entries.makeRoom()
        let place = table.withSlot(for: id, HashedID(id)) { self.place(of: $0) }
        var ordinals = knownOrdinals ?? [:]
        knownOrdinals = nil
        ordinals[place] = ordinal
        knownOrdinals = ordinals
    }

    /// The place of an entity in the order of insertion, relative to the first one of a commit.
    @inlinable func order(at place: Int, after first: UInt64) -> Int {
        if case .some = knownOrdinals { return knownOrder(at: place, after: first) }
        return Int(entries[place].order)
    }

    @usableFromInline func knownOrder(at place: Int, after first: UInt64) -> Int {
        knownOrdinals?[place].map { Int(truncatingIfNeeded: $0 &- first) } ?? Int(entries[place].order)
    }

    @usableFromInline func noteUndo(
        at place: Int,
        _ value: Value?,
        _ condition: WriteCondition?,
        _ merge: PendingMerge<Value>?,
        _ order: UInt32
    ) {
        transaction.addUndo { [self] in
            var undone = (value: value, condition: condition, merge: merge)
            entries[place].order = order
            exchange(&undone.value, &undone.condition, &undone.merge, at: place)
        }
    }

    /// Replaces the change of an entity.
    ///
    /// The previous change is released when the entries are consistent again.
    @inlinable func exchange(
        _ value: inout Value?,
        _ condition: inout WriteCondition?,
        _ merge: inout PendingMerge<Value>?,
        at place: Int
    ) {
        swap(&entries.values[place], &value)
        swap(&entries[place].condition, &condition)
        swap(&entries[place].merge, &merge)
        if case .some = changeLog {
            logChange(at: place)
            if case .some = moves { logMove(from: place) }
        }
    }

    /// Changes an entity, and stores others with it.
    ///
    /// The body runs once, on the state of the transaction.
    func update<Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        _ hash: HashedID,
        in snapshot: Snapshot,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard var value = value(of: id, hash, in: snapshot) else { return nil }
        let result = try body(&value)
        batch?.store(in: transaction)
        let newID = value.id
        if newID != id { remove(id, hash) }
        write(value, newID, newID == id ? hash : HashedID(newID))
        return result
    }

    /// Removes all entities.
    func removeAll() {
        transaction.hasChanges = true
        let before = entries
        if transaction.isNested {
            transaction.addUndo { [self, isCleared] in
                let undone = entries
                self.isCleared = isCleared
                changeLog?.addAll()
                for place in undone.list.indices {
                    entries.dropChange(at: place)
                    guard place < before.list.count else { continue }
                    entries.values[place] = before.values[place]
                    entries[place].condition = before[place].condition
                    entries[place].merge = before[place].merge
                    entries[place].order = before[place].order
                }
                withExtendedLifetime(undone) {}
            }
        }
        for place in before.list.indices { entries.dropChange(at: place) }
        changeLog?.addAll()
        isCleared = true
        shards = .all
        withExtendedLifetime(before) {}
    }

    /// Makes the transaction depend on the revision of a slot.
    ///
    /// - Parameters:
    ///   - slot: The slot, pinned by the caller.
    ///   - revision: The revision that it had.
    @usableFromInline func expect(_ slot: Slot, _ revision: UInt64) {
        entries.makeRoom()
        table.withSlot(slot) { entries[place(of: slot)].readRevision = revision }
    }
}

extension TableTransaction {
    /// The rules for entities that refer to a removed one.
    ///
    /// The commit isn't made if other rules were added since.
    var rules: [RemovalRule] {
        if let removalRules { return removalRules }
        let rules = table.shards[0].whileLocked { table.removalRules }
        removalRules = rules
        ruleCount = rules.count
        return rules
    }

    var hasRules: Bool { !rules.isEmpty }

    /// Whether the rules that the transaction has applied are those of the table, which is locked.
    var areRulesCurrent: Bool { ruleCount < 0 || ruleCount == table.removalRules.count }
}
