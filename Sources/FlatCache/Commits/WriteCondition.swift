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
