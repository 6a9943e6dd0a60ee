public import Synchronization

/// The state of a cache after one commit, during the body of a `read` or `transaction`.
///
/// A snapshot makes no copies. Unchanged entities are read from their slots, and replaced entities are kept at their
/// slots.
@usableFromInline
final class Snapshot: @unchecked Sendable {
    // Only the thread of the body uses the variables and the transaction.

    /// The revision of the commit whose state this is.
    @usableFromInline let revision: UInt64
    let history: History
    /// The changes of a transaction, or `nil` for a `read`.
    @usableFromInline let transaction: Transaction?
    /// The recorder of the body's dependencies, or `nil` if they aren't needed.
    @exclusivity(unchecked) @usableFromInline var dependencies: Dependencies?
    /// Whether the reads of the body are tracked by the Observation framework.
    @exclusivity(unchecked) @usableFromInline private(set) var isTracked = false
    /// Whether a tracked entity has changed since.
    @exclusivity(unchecked) private var isOutdated = false
    /// Whether replaced entities are kept for the snapshot.
    var isOpen = true
    /// The tables whose observers have all commits of the snapshot in their mailboxes.
    private var settled: Set<ObjectIdentifier> = []

    init(revision: UInt64, of history: History, transaction: Transaction?) {
        self.revision = revision
        self.history = history
        self.transaction = transaction
    }

    /// The entity with an identifier as the body sees it, from the snapshot or as the transaction has changed it.
    @usableFromInline func value<Value: Cachable>(of id: Value.ID, _ hash: HashedID, in table: Table<Value>) -> Value? {
        if let transaction {
            let changes = transaction.table(table)
            if transaction.isConfirming { return changes.confirmedValue(of: id, hash, in: self) }
            return changes.value(of: id, hash, in: self)
        }
        return isTracked ? trackedValue(of: id, hash, in: table) : otherValue(of: id, hash, in: table)
    }

    private func trackedValue<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Value? {
        let (value, reads): (Value?, TrackedReads?) = table.withSlotToRead(for: id, hash) {
            trackedValue(of: $0, in: $1)
        }
        reads?.access()
        return value
    }

    /// Whether an entity is stored as the body sees it.
    @usableFromInline func contains<Value: Cachable>(
        _ id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Bool {
        if transaction != nil || !isWatched { return value(of: id, hash, in: table) != nil }
        guard let dependencies else { return trackedPresence(of: id, hash, in: table) }
        return table.withSlot(for: id, hash) { slot in
            if !dependencies.isNext(SlotIdentity(slot).ofPresence) {
                dependencies.note(slot, isPresence: true, in: table, self)
            }
            return slot.isStored(at: revision)
        }
    }

    /// Whether an entity is stored, which is tracked from now on.
    private func trackedPresence<Value: Cachable>(of id: Value.ID, _ hash: HashedID, in table: Table<Value>) -> Bool {
        let (isStored, reads) = table.withSlotToRead(for: id, hash) { slot, shard in
            guard slot.isStored, slot.revision <= revision, !TrackingProbe.isSuspended, !shard.isGated else {
                let (value, reads): (Value?, TrackedReads?) = trackedValue(of: slot, in: shard)
                return (value != nil, reads)
            }
            return (true, slot.presenceReads(in: table))
        }
        reads?.access()
        return isStored
    }

    /// The entity with an identifier in the snapshot.
    private func otherValue<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Value? {
        if dependencies != nil { return table.withSlot(for: id, hash) { notedValue(of: $0, in: table) } }
        return table.withExistingSlot(for: id, hash) { $1.visibleValue(of: id, hash, $0, at: revision) }
    }

    /// Whether the reads of the body are observed or tracked.
    @inlinable var isWatched: Bool { dependencies != nil || isTracked }

    /// Runs a body whose reads are neither observed nor tracked.
    func withoutWatching<Result>(_ body: () -> Result) -> Result {
        let (dependencies, isTracked) = (dependencies, isTracked)
        (self.dependencies, self.isTracked) = (nil, false)
        defer { (self.dependencies, self.isTracked) = (dependencies, isTracked) }
        return TrackingProbe.withoutTracking(body)
    }

    /// The entity of a slot in a locked shard without a large commit, which is observed from now on if dependencies are recorded.
    func notedValue<Value: Cachable>(of slot: Slot, in table: Table<Value>) -> Value? {
        noteRead(of: slot, in: table)
        return slot.value(of: Value.self, at: revision)
    }

    /// Notes a read of the entity of a slot in a locked shard, which is observed from now on if dependencies are recorded.
    func noteRead(of slot: Slot, in table: EntityTable) {
        slot.noteUse()
        if let dependencies, !dependencies.isNext(SlotIdentity(slot)) { dependencies.note(slot, in: table, self) }
    }

    /// The entity of a slot in a locked shard, which is tracked from now on.
    ///
    /// - Returns: The entity, and the tracked reads to access after unlocking.
    func trackedValue<Value: Cachable>(
        of slot: Slot,
        in shard: ShardReference
    ) -> (value: Value?, reads: TrackedReads?) {
        (shard.visibleValue(of: slot, at: revision), trackedReads(noting: slot, in: shard))
    }

    /// The entity of a slot as the body sees it.
    @usableFromInline func value<Value: Cachable>(of slot: Slot, in table: Table<Value>) -> Value? {
        if let transaction { return transaction.table(table).value(of: slot, in: self) }
        if dependencies != nil { return table.withSlot(slot) { notedValue(of: slot, in: table) } }
        if isTracked {
            let (value, reads): (Value?, TrackedReads?) = table.withSlotToRead(slot) { trackedValue(of: slot, in: $0) }
            reads?.access()
            return value
        }
        let shard = table.shards[HashedID(slot)]
        shard.lock()
        defer { shard.unlock() }
        return shard.visibleValue(of: slot, at: revision)
    }

    /// The entities of a type as the body sees them.
    @inlinable func values<Value: Cachable>(in table: Table<Value>) -> [Value] {
        if let transaction { return transaction.table(table).entities(in: self).map({ $0.value }) }
        var values: [Value] = []
        forEachPiece(in: table) {
            $0.value(of: Value.self, at: revision)
        } _: {
            values += $0
        }
        return values
    }

    /// The number of entities of a type as the body sees it.
    func count<Value: Cachable>(in table: Table<Value>) -> Int {
        if let transaction { return transaction.table(table).entities(in: self).count }
        noteRead(of: table, isCount: true)
        let known: Int? = table.withAllShards {
            let isCurrent = table.shards.all.allSatisfy { $0.pointer.pointee.changedRevision <= revision }
            return isCurrent ? table.storedCount : nil
        }
        if let known { return known }
        var count = 0
        table.walk(at: revision) {
            $0.isStored(at: revision) ? () : nil
        } _: {
            count += $0.count
        }
        return count
    }

    /// Records the read of all entities of a type, or only of their number.
    @usableFromInline func noteRead(of table: EntityTable, isCount: Bool = false) {
        if let dependencies {
            table.withAllShards { dependencies.note(table, isCount: isCount, self) }
        } else if isTracked {
            table.withAllShards { trackedReads(of: table, isCount: isCount) }?.access()
        }
    }

    /// Calls a closure with the entities of a type as the body sees them, in pieces, while no lock is held.
    @inlinable func forEachPiece<Value: Cachable>(in table: Table<Value>, _ piece: ([StoredEntity<Value>]) -> Void) {
        if let transaction { return piece(transaction.table(table).entities(in: self)) }
        forEachPiece(in: table, { $0.entity(of: Value.self, at: revision) }, piece)
    }

    /// Calls a closure with elements for the committed entities of a type, in pieces, while no lock is held.
    ///
    /// - Parameters:
    ///   - table: The table of the type.
    ///   - element: Makes an element of a slot. It is called while a shard is locked.
    ///   - piece: The closure to call.
    @inlinable func forEachPiece<Value: Cachable, Element>(
        in table: Table<Value>,
        _ element: (Slot) -> Element?,
        _ piece: ([Element]) -> Void
    ) {
        noteRead(of: table)
        table.walk(at: revision, element, piece)
    }
}

extension Snapshot {
    /// Waits until all commits of the snapshot to some tables are in the mailboxes of their observers.
    ///
    /// A snapshot has a commit from the moment on in which its revision is drawn, and the commit comes into the mailboxes some
    /// steps later, under the same locks.
    func settle(_ tables: [EntityTable]) {
        let new = tables.filter { settled.insert(ObjectIdentifier($0)).inserted }
        if !new.isEmpty { betweenCommits(to: new) {} }
    }

    /// Begins to track reads for the Observation framework.
    func beginTracking() {
        isTracked = true
        isOutdated = false
    }

    /// Ends the tracking that ``beginTracking()`` has begun, on the same thread.
    func endTracking() {
        isTracked = false
        // Commits that have changed entities meanwhile didn't notify this reader.
        if isOutdated { TrackedReads.notifyReaderSoon() }
    }

    /// The tracked reads of a slot in a locked shard, which is read now, or `nil` if this read isn't tracked.
    func trackedReads(noting slot: Slot, in shard: ShardReference) -> TrackedReads? {
        slot.noteUse()
        if TrackingProbe.isSuspended { return nil }
        guard slot.revision <= revision else {
            isOutdated = true
            return nil
        }
        return shard.trackedReads(of: slot)
    }

    /// The tracked reads of a table, all of whose shards are locked, or `nil` if this read isn't tracked.
    private func trackedReads(of table: EntityTable, isCount: Bool) -> TrackedReads? {
        if TrackingProbe.isSuspended { return nil }
        if table.shards.all.contains(where: { $0.pointer.pointee.changedRevision > revision }) {
            isOutdated = true
            return nil
        }
        let known = isCount ? table.trackedCounts : table.trackedReads
        let tracked =
            known.map { unsafeDowncast($0, to: TrackedTable.self) } ?? TrackedTable(table, isCount: isCount)
        if isCount { table.trackedCounts = tracked } else { table.trackedReads = tracked }
        tracked.reads.noteReader()
        return tracked.reads
    }
}

extension History {
    /// Opens a snapshot of the current state.
    func openSnapshot(for transaction: Transaction? = nil) -> Snapshot {
        Snapshot(revision: open(), of: self, transaction: transaction)
    }

    /// Closes a snapshot, and releases the entities that only it had.
    func close(_ snapshot: Snapshot) {
        guard snapshot.isOpen else { return }
        snapshot.isOpen = false
        close(snapshot.revision)
    }
}

extension HistoryReference {
    /// The snapshot that the calling thread reads, or `nil` outside of the bodies of `read` and `transaction`.
    @inlinable var snapshotOfThread: Snapshot? {
        // Relaxed ordering is sufficient, because a thread always sees its own increments.
        if counters.snapshotCount.pointee.load(ordering: .relaxed) == 0 || bodies.isEmpty { return nil }
        return ReadContext.snapshot(of: object)
    }

    /// The transaction of the calling thread, or `nil` outside of transactions.
    var transactionOfThread: Transaction? { snapshotOfThread?.transaction }
}
