/// What a shard knows of the entity with an identifier at one moment, without the entity.
struct SlotState {
    /// Whether the entity is there.
    let isStored: Bool
    /// The commit that stored or removed the entity last; 0 when the cache knows of none.
    let revision: UInt64
    /// The commit that removed all entities last; 0 for none.
    let clearedRevision: UInt64

    /// Whether the entity is there because somebody has stored it after a commit.
    func hasArrived(since other: UInt64) -> Bool { isStored && revision > other }

    /// Whether the entity was removed after a commit, alone or with all others, so that what was asked for before must not
    /// come back.
    func isFenced(since other: UInt64) -> Bool { clearedRevision > other || (!isStored && revision > other) }
}

extension Cached {
    /// What is known of the entity in the committed state, beside a large commit, too: nobody waits here, for others may
    /// wait for the caller.
    var slotState: SlotState {
        shard.lock()
        defer { shard.unlock() }
        let clearedRevision = shard.pointer.pointee.clearedRevision
        guard let (revision, change) = shard.unmovedChange(of: slot.id, HashedID(slot), slot) else {
            return SlotState(isStored: slot.isStored, revision: slot.revision, clearedRevision: clearedRevision)
        }
        return SlotState(isStored: change.value != nil, revision: revision, clearedRevision: clearedRevision)
    }
}

/// Under which circumstances a transaction stores an entity.
///
/// The answer to a request must not undo what has happened since the request was made.
@frozen @usableFromInline
struct WriteCondition: Sendable {
    /// The request; an entity that a later commit has stored or removed stays as it is.
    @usableFromInline let since: UInt64
    /// Whether an entity that a later commit has stored is replaced all the same.
    ///
    /// One that was removed never comes back.
    @usableFromInline let replacesNewerWrites: Bool
    /// Whether the slot was kept since the request was made, so that its revision shows a removal.
    @usableFromInline let isPinned: Bool

    @inlinable init(since: UInt64, replacesNewerWrites: Bool, isPinned: Bool) {
        self.since = since
        self.replacesNewerWrites = replacesNewerWrites
        self.isPinned = isPinned
    }

    /// Always: the condition of all that users write.
    @inlinable static var always: WriteCondition {
        WriteCondition(since: .max, replacesNewerWrites: true, isPinned: true)
    }

    @inlinable var isAlways: Bool { since == .max }

    /// Whether the entity of a slot, or of one that isn't there, may be stored, while its shard is locked.
    @usableFromInline func allowsWrite<Value>(to slot: Slot<Value>?, of shard: ShardReference<Value>) -> Bool {
        if shard.pointer.pointee.clearedRevision > since { return false }
        if let slot, slot.isStored { return replacesNewerWrites || slot.revision <= since }
        if let slot, slot.revision > since { return false }
        return isPinned || shard.pointer.pointee.droppedRevision <= since
    }
}
