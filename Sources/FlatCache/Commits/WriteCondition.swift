/// The condition under which a transaction stores an entity, or evicts it.
///
/// The answer to a request must not undo changes that were made after the request.
@frozen @usableFromInline
struct WriteCondition: Sendable {
    /// The revision of the request.
    ///
    /// An entity that a later commit has stored or removed is not changed.
    @usableFromInline let since: UInt64
    /// Whether an entity that a later commit has stored is replaced nevertheless.
    ///
    /// An entity that was removed isn't stored again.
    @usableFromInline let replacesNewerWrites: Bool
    /// Whether the slot was kept since the request, so that its revision shows a removal.
    @usableFromInline let isPinned: Bool
    /// The number of pins by those who evict the entity, which is removed unless it was written since or something needs it.
    ///
    /// It is 0 for all other writes.
    @usableFromInline let evictionPins: UInt32

    @inlinable init(since: UInt64, replacesNewerWrites: Bool, isPinned: Bool, evictionPins: UInt32 = 0) {
        self.since = since
        self.replacesNewerWrites = replacesNewerWrites
        self.isPinned = isPinned
        self.evictionPins = evictionPins
    }

    /// The condition of the eviction of an entity.
    ///
    /// - Parameters:
    ///   - revision: The revision of its slot when it was chosen.
    ///   - pins: The number of pins of the slot by those who evict it.
    @inlinable static func eviction(at revision: UInt64, pins: UInt32) -> WriteCondition {
        WriteCondition(since: revision, replacesNewerWrites: false, isPinned: true, evictionPins: pins)
    }

    /// A condition that is always met, for all writes of users.
    @inlinable static var always: WriteCondition {
        WriteCondition(since: .max, replacesNewerWrites: true, isPinned: true)
    }

    /// A condition that is always met, for the change of a mutation to the entity below its layer.
    @inlinable static var confirmed: WriteCondition {
        WriteCondition(since: .max, replacesNewerWrites: false, isPinned: true)
    }

    /// A condition that is always met, for writes of delete rules.
    static var alwaysByRule: WriteCondition {
        WriteCondition(since: .max, replacesNewerWrites: true, isPinned: false)
    }

    @inlinable var isAlways: Bool { since == .max }

    /// Whether the write is of the answer to a request.
    var isOfRequest: Bool { !isAlways && evictionPins == 0 }

    /// Whether the write is the change of a mutation to the entity below its layer.
    @inlinable var isOfMutation: Bool { isAlways && !replacesNewerWrites }

    /// Whether a delete rule has made the write.
    var isOfRule: Bool { isAlways && !isPinned }

    /// Whether the entity of a slot may be stored.
    ///
    /// The shard must be locked.
    func allowsWrite(to slot: Slot, of shard: ShardReference) -> Bool {
        // An eviction is of many entities, so it is specialized for their type.
        if evictionPins != 0 {
            return slot.revision == since && slot.usage != .used && slot.isEvictable(pins: evictionPins)
        }
        return allowsStoring(in: slot, of: shard)
    }

    func allowsStoring(in slot: Slot, of shard: ShardReference) -> Bool {
        if shard.clearedRevision > since { return false }
        if slot.isConfirmed { return replacesNewerWrites || slot.writtenRevision <= since }
        if slot.writtenRevision > since { return false }
        return isPinned || !shard.mayHaveRemoved(slot, since: since)
    }
}
