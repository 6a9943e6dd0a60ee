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

extension ShardReference {
    /// What is known of a slot, or of one that isn't there, while the shard is locked.
    func state(of slot: Slot<Value>?) -> SlotState {
        SlotState(
            isStored: slot?.value != nil,
            revision: slot?.revision ?? 0,
            clearedRevision: pointer.pointee.clearedRevision
        )
    }
}

extension Table {
    /// What is known of the entity with an identifier, in the committed state.
    func state(of id: Value.ID) -> SlotState {
        let hash = HashedID(id)
        let shard = shards[hash]
        let slot = pinnedSlotToWrite(for: id, hash)
        shard.lock()
        shard.waitForLargeCommit()
        let state = shard.state(of: slot)
        let dropped = slot.flatMap { shard.unpin($0) }
        shard.unlock()
        withExtendedLifetime(dropped) {}
        return state
    }
}

extension Cached {
    /// What is known of the entity in the committed state.
    var slotState: SlotState {
        shard.lock()
        defer { shard.unlock() }
        shard.waitForLargeCommit()
        return shard.state(of: slot)
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
    /// Whether the slot was kept since the request was made, so that its revision tells of a removal.
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

    /// Whether the entity of a slot, or of one that isn't there, may be stored, while its shard is locked.
    @usableFromInline func allowsWrite<Value>(to slot: Slot<Value>?, of shard: ShardReference<Value>) -> Bool {
        if shard.pointer.pointee.clearedRevision > since { return false }
        if let slot, slot.value != nil { return replacesNewerWrites || slot.revision <= since }
        if let slot, slot.revision > since { return false }
        return isPinned || shard.pointer.pointee.droppedRevision <= since
    }
}
