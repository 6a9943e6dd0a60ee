public import Synchronization

/// The state of a cache after one commit, for as long as the body of a `read` or `transaction` runs.
///
/// Nothing is copied when a snapshot is opened. What has not changed since is read where it is stored; the entities that
/// have been replaced since are kept at their slots.
@usableFromInline
final class Snapshot: @unchecked Sendable {
    // The variables and the draft are used only by the thread of the body.

    /// The commit whose state this is.
    @usableFromInline let revision: UInt64
    let history: History
    /// The changes of a transaction; `nil` for a `read`.
    @usableFromInline let draft: Draft?
    /// What notes on which entities the result of the body depends; `nil` when nobody wants to know.
    @exclusivity(unchecked) @usableFromInline var dependencies: Dependencies?
    /// Whether the Observation framework is to know what the body reads.
    @exclusivity(unchecked) @usableFromInline private(set) var isTracked = false
    /// Whether something that the framework is to know was changed since.
    @exclusivity(unchecked) private var isOutdated = false
    /// Whether replaced entities are kept for the snapshot.
    var isOpen = true

    init(revision: UInt64, of history: History, draft: Draft?) {
        self.revision = revision
        self.history = history
        self.draft = draft
    }

    /// The entity of an identifier as the body sees it: at the time of the snapshot, or as the transaction has changed it.
    @inline(never) @inlinable func value<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Value? {
        if let draft { return draft.table(table).value(of: id, hash, in: self) }
        if isWatched {
            let (value, reads) = table.withSlot(for: id, hash) { watchedValue(of: $0, in: table) }
            reads?.access()
            return value
        }
        guard let shard = table.shardToRead(hash) else { return otherValue(of: id, hash, in: table) }
        defer { shard.unlock() }
        return shard.pointer.pointee.index.find(id, hash)?._withUnsafeGuaranteedRef { $0.value(at: revision) }
    }

    /// The entity of an identifier that is compared without a lock, or beside a large commit.
    @usableFromInline func otherValue<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Value? {
        let slot = table.pinnedExistingSlot(for: id, hash)
        let shard = table.shards[hash]
        shard.lock()
        defer { shard.unlock(unpinning: slot) }
        return shard.visibleValue(of: id, hash, slot, at: revision)
    }

    /// Whether somebody is notified when something changes that the body reads.
    @inlinable var isWatched: Bool { dependencies != nil || isTracked }

    /// The entity of a slot, whose shard is locked, and which is watched from now on.
    ///
    /// - Returns: The entity, and what must be accessed after unlocking.
    @inlinable func watchedValue<Value: Cachable>(
        of slot: Slot<Value>,
        in table: Table<Value>
    ) -> (value: Value?, reads: TrackedReads?) {
        guard let dependencies else {
            return (slot.value(at: revision), trackedReads(of: slot, isStored: slot.isStored, in: table))
        }
        if !dependencies.isNext(ObjectIdentifier(slot)) { dependencies.note(slot, in: table, self) }
        return (slot.value(at: revision), nil)
    }

    /// The entity of a slot as the body sees it.
    @inline(never) @inlinable func value<Value: Cachable>(of slot: Slot<Value>, in table: Table<Value>) -> Value? {
        if let draft { return draft.table(table).value(of: slot, in: self) }
        if isWatched {
            let (value, reads) = table.withSlot(slot) { watchedValue(of: slot, in: table) }
            reads?.access()
            return value
        }
        let hash = HashedID(slot)
        let shard = table.shards[hash]
        shard.lock()
        defer { shard.unlock() }
        return shard.isGated ? shard.visibleValue(of: slot.id, hash, slot, at: revision) : slot.value(at: revision)
    }

    /// The entities of a type as the body sees them.
    func values<Value: Cachable>(in table: Table<Value>) -> [Value] {
        if let draft { return draft.table(table).values(in: self) }
        return committedSlots(in: table) { $1 }
    }

    /// The number of entities of a type as the body sees it.
    func count<Value: Cachable>(in table: Table<Value>) -> Int {
        draft == nil ? committedSlots(in: table) { _, _ in () }.count : values(in: table).count
    }

    /// Goes through the entities of a type at the time of the snapshot.
    func committedSlots<Value: Cachable, Element>(
        in table: Table<Value>,
        _ element: (Slot<Value>, Value) -> Element?
    ) -> [Element] {
        if let dependencies {
            table.withAllShards { dependencies.note(table, self) }
        } else if isTracked {
            table.withAllShards { trackedReads(of: table) }?.access()
        }
        return table.walk(at: revision, element)
    }
}

extension Snapshot {
    /// Lets the Observation framework know what is read from now on.
    func beginTracking() {
        isTracked = true
        isOutdated = false
    }

    /// Ends what ``beginTracking()`` has begun, on the same thread.
    func endTracking() {
        isTracked = false
        // Those who have changed something meanwhile didn't know of this reader.
        if isOutdated { TrackedReads.notifyReaderSoon() }
    }

    /// The tracked reads of a slot, whose shard is locked; `nil` if the framework isn't to know of this one.
    @usableFromInline func trackedReads<Value: Cachable>(
        of slot: Slot<Value>,
        isStored: Bool,
        in table: Table<Value>
    ) -> TrackedReads? {
        if TrackingProbe.isSuspended { return nil }
        guard slot.revision <= revision else {
            isOutdated = true
            return nil
        }
        return table.shards[HashedID(slot)].trackedReads(of: slot, isStored: isStored)
    }

    /// The tracked reads of a table, all of whose shards are locked; `nil` if the framework isn't to know of this one.
    private func trackedReads<Value: Cachable>(of table: Table<Value>) -> TrackedReads? {
        if TrackingProbe.isSuspended { return nil }
        if table.shards.all.contains(where: { $0.pointer.pointee.changedRevision > revision }) {
            isOutdated = true
            return nil
        }
        let tracked = table.trackedReads.map { unsafeDowncast($0, to: TrackedTable<Value>.self) } ?? TrackedTable(table)
        table.trackedReads = tracked
        tracked.reads.noteReader()
        return tracked.reads
    }
}

extension History {
    /// Opens a snapshot of the current state.
    func openSnapshot(for draft: Draft? = nil) -> Snapshot {
        Snapshot(revision: open(), of: self, draft: draft)
    }

    /// Keeps no more entities for a snapshot, and releases those that only it has shown.
    func close(_ snapshot: Snapshot) {
        guard snapshot.isOpen else { return }
        snapshot.isOpen = false
        close(snapshot.revision)
    }
}

extension HistoryReference {
    /// The snapshot that the calling thread reads instead of the current state, or `nil` outside of the bodies of `read`
    /// and `transaction`.
    @inlinable var snapshotOfThread: Snapshot? {
        // Relaxed is enough: a thread always sees what it has counted itself.
        if counters.snapshotCount.pointee.load(ordering: .relaxed) == 0 || bodies.isEmpty { return nil }
        return RunningBody.snapshot(of: object)
    }

    /// The changes of the transaction that the calling thread is in, or `nil` outside of transactions.
    @inlinable var draftOfThread: Draft? { snapshotOfThread?.draft }
}
