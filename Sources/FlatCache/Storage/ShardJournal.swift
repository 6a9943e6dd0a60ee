internal import Synchronization

/// The slots of a shard whose entities have changed since a store took the last changes.
///
/// A commit notes a slot under the lock of the shard, which it holds anyway, and no entity is copied or encoded. When a store
/// takes the changes, a new journal begins, and the slots of the old one are read in a snapshot. So an entity that has changed
/// often is read once. Two journals can have a slot: the one that is being written, and the current one. Each has a bit of
/// ``Slot/notes``, which keeps the slot.
///
/// The lock of the shard guards it.
@_fixed_layout @usableFromInline
final class ShardJournal {
    /// The noted slots, each once.
    @exclusivity(unchecked) var slots: [Slot] = []
    /// The bit of the current journal, 1 or 2.
    @exclusivity(unchecked) @usableFromInline var bit: UInt8 = 1
    /// The slots whose entities the store doesn't have because they can't be written, each with a pin.
    var unwritable: Set<Slot> = []
    /// Whether all entities were removed, before the noted changes.
    private(set) var isCleared = false
    /// Whether the store has entities that aren't in memory.
    var hasMore: Bool
    let signal: JournalSignal
    /// Whether a store takes the changes.
    ///
    /// If not, the journal only distinguishes loaded entities from written ones.
    let isTaken: Bool

    init(_ signal: JournalSignal, hasMore: Bool, isTaken: Bool = true) {
        self.signal = signal
        self.hasMore = hasMore
        self.isTaken = isTaken
        // No slot has this bit, so all changes are passed on.
        if !isTaken { bit = 0 }
    }

    /// Notes that the entity of a slot has changed, unless the store has or keeps it nevertheless.
    @inlinable func note(_ slot: Slot, _ origin: OriginNumber) {
        if slot.notes & bit != 0 { return }
        if origin.isRecorded { add(slot) } else { noteUnrecorded(slot, origin) }
    }

    /// Notes that an entity has changed that the store has or keeps nevertheless.
    @inline(never) @usableFromInline func noteUnrecorded(_ slot: Slot, _ origin: OriginNumber) {
        slot.isLoaded = origin == .load && slot.isStored
        // It isn't evicted, so another process has written it.
        if !unwritable.isEmpty, unwritable.remove(slot) != nil { slot.pins -= 1 }
    }

    /// Adds a slot that the journal doesn't have.
    @usableFromInline func add(_ slot: Slot) {
        slot.isLoaded = false
        if bit == 0 { return }
        slot.notes |= bit
        slots.append(slot)
        signal.raise()
    }

    /// Notes that all entities were removed.
    func noteCleared() {
        if !isTaken { return }
        isCleared = true
        signal.raise()
    }

    /// Begins a new journal.
    ///
    /// - Returns: The slots and the bit of the old one.
    func turn() -> (slots: [Slot], bit: UInt8, isCleared: Bool) {
        defer {
            slots = []
            isCleared = false
            bit ^= 3
        }
        return (slots, bit, isCleared)
    }
}

/// The signal that a journal of a cache isn't empty.
@usableFromInline
final class JournalSignal: Sendable {
    private let isRaised = Atomic(false)
    private let onRaise: @Sendable () -> Void

    /// Creates a signal.
    ///
    /// - Parameter onRaise: A closure that is called while the lock of a shard is held, once until ``lower()``. It must not use
    ///   the cache.
    init(_ onRaise: @escaping @Sendable () -> Void) {
        self.onRaise = onRaise
    }

    func raise() {
        if isRaised.load(ordering: .relaxed) || isRaised.exchange(true, ordering: .relaxed) { return }
        onRaise()
    }

    /// Allows the next call, before the journals are taken.
    func lower() { isRaised.store(false, ordering: .relaxed) }
}

extension ShardReference {
    /// Whether a store has entities that aren't in memory.
    var hasMoreInStore: Bool { pointer.pointee.journal?.hasMore == true }
}

extension EntityTable {
    /// Whether a store takes the changes.
    var hasJournal: Bool { shards[0].whileLocked { shards[0].pointer.pointee.journal?.isTaken == true } }

    /// Whether all entities were removed since a store took the last changes.
    var isClearPending: Bool {
        shards.all.contains { shard in shard.whileLocked { shard.pointer.pointee.journal?.isCleared == true } }
    }

    /// Whether a store has entities that aren't in memory.
    var hasMoreInStore: Bool {
        shards[0].whileLocked { shards[0].hasMoreInStore }
    }

    /// Notes that entities are about to be evicted.
    ///
    /// From then on a store may have entities that aren't in memory.
    @usableFromInline func noteEviction() {
        if hasEvicted.load(ordering: .relaxed) { return }
        noteMoreInStore()
        hasEvicted.store(true, ordering: .relaxed)
    }

    /// Notes that a store has entities that aren't in memory.
    func noteMoreInStore() {
        withAllShards {
            for shard in shards.all { shard.pointer.pointee.journal?.hasMore = true }
        }
    }

    /// Notes that an entity was marked as stale.
    ///
    /// An entity whose confirmed state isn't in memory isn't noted, because the store would take it for removed.
    func noteInvalidation(of slot: Slot) {
        withSlot(slot) {
            if slot.isConfirmed { shards[HashedID(slot)].pointer.pointee.journal?.note(slot, .user) }
        }
    }

    /// Notes that all entities were marked as stale.
    func noteInvalidation() {
        shards[0].whileLocked { shards[0].pointer.pointee.journal?.signal.raise() }
    }
}

extension Table {
    /// Whether an entity was changed since a store took the last changes.
    func isNoted(_ id: Value.ID) -> Bool { withSlot(for: id, HashedID(id)) { $0.isNoted } }

    /// The identifiers of removed entities that a store may still have.
    var unwrittenRemovals: [Value.ID] {
        var ids: [Value.ID] = []
        visitSlots { if $0.isNoted && !$0.isStored { ids.append($0.id(of: Value.self)) } }
        return ids
    }
}
