/// The changes and reads of a transaction for the entities of one type, for code that knows the type.
@usableFromInline
final class TableTransaction<Value: Cachable>: EntityTransaction {
    /// The index that the transaction builds, or `nil` for none.
    @exclusivity(unchecked) @usableFromInline var builtIndex: AnyObject?
    /// The identifiers that the transaction replaces, or `nil` if it replaces none.
    @exclusivity(unchecked) var moves: TransactionMoves<Value>?
    /// The layers that the transaction changes, or `nil` if it changes none.
    @exclusivity(unchecked) @usableFromInline var layering: TransactionLayers<Value>?
    /// Determines an entry of an index, in code that is specialized for its type, or `nil` if the table isn't of an index.
    @exclusivity(unchecked) @usableFromInline var mergingEntry: ((TableTransaction, _ place: Int) -> Void)?

    init(of table: Table<Value>, in transaction: Transaction, isCleared: Bool) {
        super.init(of: table, in: transaction, isCleared: isCleared)
    }

    @inlinable var table: Table<Value> { unsafeDowncast(entityTable, to: Table<Value>.self) }

    override func receive(_ entity: UnsafeMutableRawPointer, idAt id: UnsafeRawPointer, _ hash: HashedID) {
        if receivesOtherwise {
            let value = entity.assumingMemoryBound(to: Value.self).move()
            let id = id.assumingMemoryBound(to: Value.ID.self).pointee
            receiveOtherwise(value, id, hash, if: .always, merging: .replace)
        } else {
            change(idAt: id, hash, toMemory: entity)
        }
    }

    override func mergeEntity(at place: Int) {
        if let mergingEntry { mergingEntry(self, place) } else { merge(at: place) }
    }

    override func undoLayering() { layering?.code.undo(self) }

    override func applyLayering() {
        layerCode?.apply(self)
        // Changes of indexes that were determined before are those of other results of the layers.
        if layering != nil { indexing = nil }
    }

    override var isLayeringCurrent: Bool { layerCode?.areCurrent(self) ?? true }

    override func storeLayers(at place: Int, _ commit: inout Commit, _ released: ReleasedEntities) -> Bool {
        layering?.code.store(self, place, &commit, released) ?? false
    }

    override func beginMoves() { beginMovesOfType() }

    override func finishMoves(_ commit: inout Commit, _ released: ReleasedEntities) {
        finishMovesOfType(&commit, released)
    }

    override func logMove(from place: Int) {
        if layering?[place]?.next != nil { logChange(at: lastPlace(after: place)) }
    }

    override func updateIndexes() { updateIndexesOfType() }

    override func matchInsertions(in cache: FlatCache) { matchInsertionsOfType(in: cache) }

    override func applyEarlierRemovals(in cache: FlatCache) { applyEarlierRemovalsOfType(in: cache) }

    override func overlay(of commit: LargeCommit) -> LargeOverlay { TransactionOverlay(self, of: commit) }
}

extension TableTransaction {
    /// The entity of an entry that the transaction has stored, or `nil` if there is none.
    @inlinable func entity(at place: Int) -> Value? {
        entries.values[place] ? entries.values.address(place).assumingMemoryBound(to: Value.self).pointee : nil
    }

    /// Exchanges the entity of an entry, without its condition.
    @inlinable func exchangeEntity(at place: Int, _ value: inout Value?) {
        let address = entries.values.address(place).assumingMemoryBound(to: Value.self)
        let old = entries.values[place] ? address.move() : nil
        if let new = value.take() {
            address.initialize(to: new)
            entries.values.note(place, isThere: true)
        } else {
            entries.values.note(place, isThere: false)
        }
        value = old
    }
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
    func changedValue(at place: Int, in snapshot: Snapshot) -> Value? {
        if case .some = entries[place].merge { settle(at: place, in: snapshot) }
        return entity(at: place)
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

    /// The entities as the transaction sees them.
    ///
    /// The places of entities that the transaction inserts are after all others.
    @usableFromInline func entities(in snapshot: Snapshot) -> [StoredEntity<Value>] {
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
    func changedEntity(at place: Int, in snapshot: Snapshot) -> StoredEntity<Value>? {
        guard let value = changedValue(at: place, in: snapshot) else { return nil }
        let slot = entries[place].slot
        let stored = table.withSlot(slot) { slot.confirmedEntity(of: Value.self, at: snapshot.revision)?.ordinal }
        let ordinal =
            stored ?? (layering == nil ? nil : replacedOrdinal(at: place)) ?? 1 << 63 + UInt64(entries[place].order)
        return StoredEntity(value: value, slot: SlotIdentity(slot), revision: .max, ordinal: ordinal)
    }

    /// Whether a condition can still be met when the transaction is committed.
    func mayWrite(_ id: Value.ID, _ hash: HashedID, if condition: WriteCondition) -> Bool {
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
        return entries[place].condition?.isAlways == true && entries.values[place]
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

    /// Stores the entity that a closure makes of the stored one; see ``EntityTransaction/write(idAt:_:if:in:resolving:)``.
    ///
    /// - Parameter resolver: Returns the entity to store, which must have the identifier, or `nil` to keep the stored one. Its
    ///   argument is the stored entity, or `nil` if none is stored.
    @usableFromInline func write(
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition = .always,
        in snapshot: Snapshot? = nil,
        resolving resolver: @escaping (_ stored: Value?) -> Value?
    ) {
        let layout = table.layout
        withUnsafePointer(to: id) {
            write(idAt: UnsafeRawPointer($0), hash, if: condition, in: snapshot) { stored in
                resolver(stored.map { $0.entity(of: Value.self) }).map { EntityBox($0, layout) }
            }
        }
    }

    /// Removes an entity, which need not be stored.
    @inlinable func remove(_ id: Value.ID, _ hash: HashedID) { change(id, hash, to: nil, if: .always) }

    @inlinable func change(_ id: Value.ID, _ hash: HashedID, to value: consuming Value?, if condition: WriteCondition) {
        entries.makeRoom()
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        if keepsOwnChange(at: place, condition) { return }
        change(at: place, to: value, if: condition)
    }

    /// Replaces the change of an entity.
    @inlinable func change(at place: Int, to value: consuming Value?, if condition: WriteCondition) {
        var value = value
        let isRemoval = if case .none = value { true } else { false }
        withUnsafeMutablePointer(to: &value) {
            // The value of an optional begins at the address of the optional.
            change(at: place, to: isRemoval ? .none : .moved(from: UnsafeMutableRawPointer($0)), if: condition)
            $0.initialize(to: nil)
        }
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
}

/// The changes of a transaction, for readers while they are moved into the slots.
private final class TransactionOverlay<Value: Cachable>: Overlay<Value>, @unchecked Sendable {
    // The entries don't change from the publication of the commit until the gates are opened.
    private let transaction: TableTransaction<Value>

    init(_ transaction: TableTransaction<Value>, of commit: LargeCommit) {
        self.transaction = transaction
        super.init(of: commit)
    }

    override func removes(_ slot: Slot) -> Bool {
        guard let place = transaction.entries.place(of: slot), transaction.entries[place].isChanged else {
            return transaction.isCleared
        }
        return !transaction.entries.values[place]
    }

    override func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot?) -> OverlayChange<Value>? {
        // All slots that the transaction changes exist, because it pins them.
        guard let place = slot.flatMap({ transaction.entries.place(of: $0) }), transaction.entries[place].isChanged
        else {
            return transaction.isCleared ? .removed : nil
        }
        return transaction.entity(at: place).map { .stored($0) } ?? .removed
    }
}
