/// The changes and reads of a transaction for the entities of one table.
///
/// Entries are keyed by slot. A slot is found once and pinned, so no identifier is hashed or compared when the changes
/// are looked up or committed.
@usableFromInline
class EntityTransaction {
    @usableFromInline final let entityTable: EntityTable
    /// The transaction, which keeps this object alive.
    @usableFromInline unowned(unsafe) final let transaction: Transaction
    @exclusivity(unchecked) @usableFromInline final var entries: TransactionEntries
    /// Whether all entities are removed, before the changes are made.
    @exclusivity(unchecked) @usableFromInline final var isCleared: Bool
    /// The snapshot, if the result of the transaction depends on all of its entities of the type, or `nil`.
    @exclusivity(unchecked) final var wholeRead: UInt64?
    /// The number of places in the order of insertion that were given to entities.
    @exclusivity(unchecked) private(set) final var orderCount: UInt32 = 0
    /// The known places of entities in the order of insertion, by the places of their entries, or `nil` if there are none.
    @exclusivity(unchecked) @usableFromInline final var knownOrdinals: [Int: UInt64]?
    /// Whether entities depend on the stored ones.
    @exclusivity(unchecked) final var hasMerges = false
    /// Whether the table has the entries of an index.
    @exclusivity(unchecked) @usableFromInline final var isOfIndex = false
    /// Whether layers are changed or applied.
    @exclusivity(unchecked) final var hasLayering = false
    /// Whether identifiers are replaced.
    @exclusivity(unchecked) final var hasMoves = false
    /// The rules for entities that refer to a removed one, or `nil` if they weren't needed yet.
    @exclusivity(unchecked) private var removalRules: [RemovalRule]?
    /// The number of the rules, or -1 if they weren't needed yet.
    @exclusivity(unchecked) private(set) final var ruleCount = -1
    /// The changes of the indexes, or `nil` if there are none.
    @exclusivity(unchecked) final var indexing: IndexingTransaction?
    /// The keys of entities in the state that the transaction reads, by the indexes that weren't complete in that state.
    @exclusivity(unchecked) final var earlierKeys: [ObjectIdentifier: AnyObject] = [:]
    /// The changes, for the indexes that were asked, or `nil` if none was.
    @exclusivity(unchecked) final var changeLog: ChangeLog?
    /// Whether a commit has already unpinned the slots of the entries.
    @exclusivity(unchecked) final var areSlotsGivenBack = false
    /// Whether the gates of the shards are closed for the commit, while the shards are unlocked.
    @exclusivity(unchecked) @usableFromInline final var areGatesClosed = false
    /// The shards that were read or changed.
    @exclusivity(unchecked) final var shards: ShardMask
    /// The memory for what the commit replaces, allocated before locking.
    @exclusivity(unchecked) final var released: ReleasedEntities?

    init(of table: EntityTable, in transaction: Transaction, isCleared: Bool) {
        entityTable = table
        self.transaction = transaction
        self.isCleared = isCleared
        shards = isCleared ? .all : ShardMask()
        entries = TransactionEntries(table.layout)
    }

    // What follows needs the type.

    /// Stores an entity in place of the one with its identifier, as one that comes in.
    ///
    /// - Parameters:
    ///   - entity: The memory of the entity, which is moved out of it.
    ///   - id: The memory of its identifier.
    ///   - hash: The hash of the identifier.
    func receive(_ entity: UnsafeMutableRawPointer, idAt id: UnsafeRawPointer, _ hash: HashedID) {}

    /// Determines the entity of an entry that depends on the stored one.
    func mergeEntity(at place: Int) {}

    /// Restores what the transaction has written, after layers were applied to it.
    func undoLayering() {}

    /// Applies the layers of entities to what the transaction has written.
    func applyLayering() {}

    /// Whether layers were applied to the stored entities.
    ///
    /// The shards must be locked, or their gates closed.
    var isLayeringCurrent: Bool { true }

    /// Makes the change of an entity with layers, while its shard is locked, and unpins its slot.
    ///
    /// - Returns: Whether the entry is of such an entity. If not, nothing is changed.
    func storeLayers(at place: Int, _ commit: inout Commit, _ released: ReleasedEntities) -> Bool { false }

    /// Takes the observers of the replaced identifiers, whose shards are locked.
    func beginMoves() {}

    /// Adds the observers to the slots of the new identifiers, whose shards are locked, and notifies them.
    func finishMoves(_ commit: inout Commit, _ released: ReleasedEntities) {}

    /// Lets an index look at the entity again that has replaced one.
    func logMove(from place: Int) {}

    /// Writes the changes of the indexes of the table into the transaction.
    func updateIndexes() {}

    /// Lets stored entities take the place of inserted ones that have equal matching keys, at the end of the body.
    func matchInsertions(in cache: FlatCache) {}

    /// Applies the delete rules of removals since the request to the entities of an answer, at the end of the body.
    ///
    /// When the entities were removed, the rules couldn't find those that refer to them, because these weren't stored yet.
    func applyEarlierRemovals(in cache: FlatCache) {}

    /// The changes, for readers while they are moved into the slots.
    func overlay(of commit: LargeCommit) -> LargeOverlay { LargeOverlay(of: commit) }
}

extension EntityTransaction {
    /// The place of the entry of a slot in a locked shard, created if there is none.
    @usableFromInline final func place(of slot: Slot) -> Int {
        if let place = entries.place(of: slot) { return place }
        shards.insert(HashedID(slot).shard)
        slot.pins += 1
        return entries.append(slot)
    }

    /// The place of the entry of an identifier in memory, created if there is none.
    @usableFromInline final func place(ofIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Int {
        entries.makeRoom()
        let slot = entityTable.lockedSlot(forIDAt: id, hash)
        defer { entityTable.shards[hash].unlock() }
        return place(of: slot)
    }

    /// Records that the result of the transaction depends on all entities of the type.
    final func noteReadOfAll(in snapshot: Snapshot) {
        wholeRead = snapshot.revision
        shards = .all
    }

    /// Whether the transaction has itself changed an entity that only changes by other commits would keep.
    @usableFromInline final func keepsOwnChange(at place: Int, _ condition: WriteCondition) -> Bool {
        if condition.isAlways || condition.replacesNewerWrites { return false }
        return entries[place].condition?.isAlways ?? isCleared
    }

    /// Replaces the change of an entity.
    ///
    /// - Parameters:
    ///   - id: The memory of the identifier.
    ///   - hash: Its hash.
    ///   - new: The new entity, which is moved out of its memory.
    final func change(idAt id: UnsafeRawPointer, _ hash: HashedID, toMemory new: UnsafeMutableRawPointer) {
        change(at: place(ofIDAt: id, hash), to: .moved(from: new), if: .always)
    }

    /// Replaces the change of an entity.
    ///
    /// - Parameters:
    ///   - place: The place of the entry.
    ///   - new: The new entity, or none if it is removed.
    ///   - condition: The condition of the change.
    @usableFromInline final func change(at place: Int, to new: EntitySource, if condition: WriteCondition) {
        transaction.hasChanges = true
        let before = (value: entries.values.take(place), merge: entries[place].merge)
        if transaction.isNested { noteUndo(at: place, EntryChange(of: entries[place], before.value)) }
        entries.values.set(place, new)
        entries[place].condition = condition
        entries[place].merge = nil
        if before.value == nil, entries.values[place] { noteOrder(at: place) }
        noteChange(at: place)
        // What was before is released when the entries are consistent again.
        withExtendedLifetime(before) {}
    }

    /// Notes that layers are changed or applied.
    @usableFromInline final func noteLayering() { hasLayering = true }

    /// Gives an entity the last place in the order of insertion.
    @usableFromInline final func noteOrder(at place: Int) {
        entries[place].order = orderCount
        orderCount &+= 1
    }

    /// Notes that the change of an entity is another one.
    final func noteChange(at place: Int) {
        if changeLog == nil { return }
        logChange(at: place)
        if hasMoves { logMove(from: place) }
    }

    /// Adds an action that restores a change of an entity.
    final func noteUndo(at place: Int, _ before: EntryChange) {
        transaction.addUndo { [self] in
            let undone = entries.dropChange(at: place)
            if let value = before.value { entries.values.set(place, .copy(of: value.address)) }
            entries[place].condition = before.condition
            entries[place].merge = before.merge
            entries[place].order = before.order
            noteChange(at: place)
            withExtendedLifetime(undone) {}
        }
    }

    /// The change of an entity that another one has replaced.
    struct EntryChange {
        let value: EntityBox?
        let condition: WriteCondition?
        let merge: PendingMerge?
        let order: UInt32

        init(of entry: TransactionEntry, _ value: EntityBox?) {
            self.value = value
            condition = entry.condition
            merge = entry.merge
            order = entry.order
        }
    }

    /// The place of an entity in the order of insertion, relative to the first one of a commit.
    final func order(at place: Int, after first: UInt64) -> Int {
        knownOrdinals?[place].map { Int(truncatingIfNeeded: $0 &- first) } ?? Int(entries[place].order)
    }

    /// Removes all entities.
    final func removeAll() {
        transaction.hasChanges = true
        let before = entries.takeChanges()
        if transaction.isNested {
            transaction.addUndo { [self, isCleared] in
                let undone = entries.takeChanges()
                self.isCleared = isCleared
                changeLog?.addAll()
                entries.restore(before)
                withExtendedLifetime(undone) {}
            }
        }
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
    @usableFromInline final func expect(_ slot: Slot, _ revision: UInt64) {
        entries.makeRoom()
        entityTable.withSlot(slot) { entries[place(of: slot)].readRevision = revision }
    }

    /// The rules for entities that refer to a removed one.
    ///
    /// The commit isn't made if other rules were added since.
    final var rules: [RemovalRule] {
        if let removalRules { return removalRules }
        let rules = entityTable.shards[0].whileLocked { entityTable.removalRules }
        removalRules = rules
        ruleCount = rules.count
        return rules
    }

    final var hasRules: Bool { !rules.isEmpty }

    /// Drops all changes, to determine them again.
    final func dropChanges(isCleared: Bool) {
        let dropped = entries.takeChanges()
        changeLog?.addAll()
        hasMerges = false
        self.isCleared = isCleared
        if isCleared { shards = .all }
        withExtendedLifetime(dropped) {}
    }

    /// Whether the condition of a write is met, while its shard is locked.
    @usableFromInline final func isConditionMet(at place: Int) -> Bool {
        guard let condition = entries[place].condition, !condition.isAlways else { return true }
        let slot = entries[place].slot
        return condition.allowsWrite(to: slot, of: entityTable.shards[HashedID(slot)])
    }
}
