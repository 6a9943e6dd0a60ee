/// A part of a table, with a lock and the slots that it guards.
///
/// The hash of an identifier chooses the shard.
///
/// Its size is two cache lines, which processors fetch together.
@frozen @usableFromInline
struct Shard {
    /// The lock is first in memory, so that a reference to the shard is also a reference to its lock.
    @usableFromInline var lock = LockPrimitive()
    @usableFromInline var index = SlotIndex()
    var slab = SlotSlab()
    /// The number of slots that hold an entity.
    @usableFromInline var storedCount = 0
    /// The observers of all keys of the type, the same in all shards, or `nil` if there are none.
    @usableFromInline var watchers: SlotObservers?
    /// The current large commits and reservations, or `nil` if there are none.
    @usableFromInline var gate: ShardGate?
    /// The state that snapshots, tracked reads and limits need, or `nil` if they need none.
    @usableFromInline var kept: KeptVersions?
    /// The revision of the newest commit that changed the shard.
    @usableFromInline var changedRevision: UInt64 = 0
    /// The removals that slots don't show any more, or `nil` before the first.
    var removals: RecentRemovals?
    /// The changes that a store takes, or `nil` if none keeps the entities.
    var journal: ShardJournal?

    /// The table, which owns the shard.
    fileprivate let table: Unmanaged<EntityTable>

    fileprivate init(of table: EntityTable) {
        self.table = .passUnretained(table)
    }
}

/// A reference to a shard in the memory of its table, which the owner of the reference keeps alive.
///
/// Every method except ``lock()`` requires that the lock is held, and none runs user code. Identifiers are compared
/// only if their comparison is built in. Values that may be the user's are returned to the caller, to be released after
/// unlocking.
@frozen @usableFromInline
struct ShardReference: @unchecked Sendable {  // The shard is guarded by its lock.
    @usableFromInline let pointer: UnsafeMutablePointer<Shard>

    @inlinable init(_ pointer: UnsafeMutablePointer<Shard>) {
        self.pointer = pointer
    }

    @inlinable var lockReference: LockReference {
        LockReference(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: LockPrimitive.self))
    }

    /// The table, which owns the shard.
    var table: EntityTable { pointer.pointee.table._withUnsafeGuaranteedRef { $0 } }

    @inlinable func lock() { lockReference.lock() }

    @inlinable func unlock() { lockReference.unlock() }

    /// Whether a large commit or a reservation is active in this shard, so that reads and writes need the slow path.
    @inlinable var isGated: Bool { pointer.pointee.gate != nil }

    /// The slot of an identifier in memory that may be compared under the lock, created if there is none.
    @inline(__always) func slot(forIDAt id: UnsafeRawPointer, _ hash: HashedID, _ layout: EntityLayout) -> Slot {
        pointer.pointee.index.find(id, hash, layout) ?? makeSlot(forIDAt: id, hash, layout)
    }

    /// Whether the slots whose identifiers have a hash are still those of an earlier search.
    func hasCandidates(_ slots: [Slot], _ hash: HashedID) -> Bool {
        let candidates = pointer.pointee.index.candidates(hash)
        return candidates.count == slots.count && candidates.allSatisfy(slots.contains)
    }

    /// Creates the slot of an identifier in memory that has none.
    @inline(never) func makeSlot(forIDAt id: UnsafeRawPointer, _ hash: HashedID, _ layout: EntityLayout) -> Slot {
        let count = pointer.pointee.index.count
        let slot = pointer.pointee.slab.make(layout, bucket: hash.bucket, count: count)
        pointer.pointee.index.insert(slot, tag: hash.tag)
        layout.copyID(id, to: UnsafeMutableRawPointer(slot.header) + layout.idOffset)
        return slot
    }

    /// Removes a pin, and the slot if it isn't needed any more.
    ///
    /// - Returns: An object to be released after unlocking, if the slot was dropped.
    @usableFromInline func unpin(_ slot: Slot) -> AnyObject? {
        slot.pins -= 1
        return dropIfAbandoned(slot)
    }

    /// Removes a slot from the index if it isn't needed any more.
    ///
    /// - Returns: An object to be released after unlocking, if the slot was dropped.
    @usableFromInline func dropIfAbandoned(_ slot: Slot) -> AnyObject? {
        slot.isAbandoned ? drop(slot) : nil
    }

    /// Removes a pin from a slot and unlocks.
    @usableFromInline func unlock(unpinning slot: Slot?) {
        let dropped = slot.flatMap { unpin($0) }
        unlock()
        withExtendedLifetime(dropped) {}
    }

    /// Drops a slot if it isn't needed any more, and unlocks.
    @usableFromInline func unlock(dropping slot: Slot) {
        let dropped = dropIfAbandoned(slot)
        unlock()
        withExtendedLifetime(dropped) {}
    }

    /// Drops an abandoned slot, which nothing refers to any more.
    ///
    /// - Returns: An object to be released after unlocking.
    func drop(_ slot: Slot) -> AnyObject? {
        if slot.writtenRevision > 0 { noteRemoval(slot.bucket, slot.writtenRevision) }
        pointer.pointee.index.remove(slot)
        return free(slot)
    }

    /// Frees the memory of a slot that isn't in the index any more, now or at the end of the walks over the shard.
    ///
    /// - Returns: An object to be released after unlocking.
    func free(_ slot: Slot) -> AnyObject? {
        slot.extras = nil
        if keepsForWalks(slot) { return nil }
        return pointer.pointee.slab.free(slot, table.layout, count: pointer.pointee.index.count)
    }

    private func keepsForWalks(_ slot: Slot) -> Bool {
        guard let kept = pointer.pointee.kept, kept.walks > 0 else { return false }
        slot.revision = .max
        kept.dropped.append(slot)
        return true
    }

    /// Notes the removal of an identifier that has no slot.
    func noteRemoval(_ bucket: UInt32, _ revision: UInt64) { makeRemovals().insert(bucket, revision) }

    private func makeRemovals() -> RecentRemovals {
        if let removals = pointer.pointee.removals { return removals }
        let made = RecentRemovals()
        pointer.pointee.removals = made
        return made
    }

    /// The revision of the last commit that removed all entities, or 0 for none.
    var clearedRevision: UInt64 { pointer.pointee.removals?.clearedRevision ?? 0 }

    /// Notes that a commit has removed all entities.
    func noteCleared(_ revision: UInt64, _ origin: OriginNumber) {
        makeRemovals().clearedRevision = revision
        if origin.isRecorded { pointer.pointee.journal?.noteCleared() }
    }

    /// The newest revision of a removal that no slot shows any more.
    ///
    /// A missing entity was not removed after it.
    var droppedRevision: UInt64 { pointer.pointee.removals?.newestRevision ?? 0 }

    /// Whether the entity of a new slot may have been removed after a revision.
    func mayHaveRemoved(_ slot: Slot, since revision: UInt64) -> Bool {
        pointer.pointee.removals?.mayHaveRemoved(slot.bucket, since: revision) ?? false
    }

    /// Whether it is known that the confirmed entity of a slot was removed after a revision.
    func wasRemoved(_ slot: Slot, since revision: UInt64) -> Bool {
        if slot.isConfirmed { return false }
        return clearedRevision > revision || slot.writtenRevision > revision
            || pointer.pointee.removals?.remembers(slot.bucket, since: revision) == true
    }

    /// Whether it isn't known if the entity of a new slot was removed after a revision.
    func hasForgotten(_ slot: Slot, since revision: UInt64) -> Bool {
        slot.writtenRevision == 0 && pointer.pointee.removals?.hasForgotten(slot.bucket, since: revision) == true
    }
}

/// The shards of a table, in memory that the table owns.
///
/// Each has its own cache lines, so that cores that use different shards don't slow each other.
@frozen @usableFromInline
struct Shards: @unchecked Sendable {  // Each shard is guarded by its lock.
    @usableFromInline let memory: UnsafeMutableRawPointer

    /// The distance between two shards, a multiple of the two cache lines that processors fetch together.
    @inlinable static var stride: Int { (MemoryLayout<Shard>.stride + 127) & ~127 }

    /// Takes memory for shards, until ``destroy()``.
    init() {
        memory = .allocate(byteCount: Self.stride * shardCount, alignment: 128)
    }

    /// Creates the empty shards of a table.
    func create(for table: EntityTable) {
        for index in 0..<shardCount {
            let shard = memory + index * Self.stride
            shard.initializeMemory(as: Shard.self, to: Shard(of: table))
            _ = LockReference(initializing: shard.assumingMemoryBound(to: LockPrimitive.self))
        }
    }

    /// Frees all memory, after the last use of a shard.
    func destroy() {
        for shard in all {
            let index = shard.pointer.pointee.index
            let layout = shard.table.layout
            index.forEach { slot, _ in
                if slot.isStored { layout.destroyEntity(of: slot) }
                slot.extras = nil
                _ = shard.pointer.pointee.slab.free(slot, layout, count: 0)
            }
            index.deallocate()
            shard.pointer.pointee.slab.destroy()
            shard.lockReference.destroy()
            shard.pointer.deinitialize(count: 1)
        }
        memory.deallocate()
    }

    @inlinable subscript(index: Int) -> ShardReference {
        ShardReference((memory + index &* Self.stride).assumingMemoryBound(to: Shard.self))
    }

    @inlinable subscript(hash: HashedID) -> ShardReference { self[hash.shard] }

    /// The shards in the order in which their locks are taken.
    @inlinable var all: [ShardReference] { (0..<shardCount).map { self[$0] } }
}
