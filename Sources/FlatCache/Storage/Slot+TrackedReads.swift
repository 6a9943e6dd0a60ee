extension Slot {
    /// Removes and returns the tracked reads of the slot, for a commit that changes the entity.
    ///
    /// If too many notifications are being repeated, the tracked reads of an entity that remains stored stay in the
    /// slot. Then readers after the commit may also be notified of it.
    func takeTrackedReads() -> TrackedReads? {
        guard let extras, let reads = extras.trackedReads else { return nil }
        if Repetitions.shared.areMany, isStored { return reads }
        extras.trackedReads = nil
        dropEmptyExtras()
        return reads
    }
}

extension ShardReference {
    /// The tracked reads of a locked slot, created if there are none.
    ///
    /// The caller is recorded as a reader.
    ///
    /// The shard keeps the tracked reads of missing entities, so that they need no slot.
    func trackedReads(of slot: Slot) -> TrackedReads {
        let reads: TrackedReads
        if isVisible(slot) {
            reads = slot.extras?.trackedReads ?? TrackedReads()
            slot.makeExtras().trackedReads = reads
        } else {
            reads = makeKept().missingReads.reads(of: slot.bucket)
        }
        reads.noteReader()
        return reads
    }

    /// Notifies the readers of a missing entity of its insertion.
    @inline(never) func moveMissingReads(to slot: Slot) {
        guard let kept = pointer.pointee.kept, let reads = kept.missingReads.take(of: slot.bucket) else { return }
        slot.makeExtras().trackedReads = reads
        if kept.isEmpty { pointer.pointee.kept = nil }
    }
}

/// The tracked reads of the missing entities of a shard, by the buckets of their identifiers.
///
/// The lock of the shard guards it.
struct MissingReads {
    private var reads: [UInt32: TrackedReads] = [:]
    /// The reads of all other entities, if there are many, because missing entities must not use unlimited memory.
    ///
    /// While this is set, no other entry is added, so that the reads of one entity have one place.
    private var others: TrackedReads?

    private static let limit = 32

    var isEmpty: Bool { reads.isEmpty && others == nil }

    /// The reads of an entity, created if there are none.
    mutating func reads(of bucket: UInt32) -> TrackedReads {
        if let known = reads[bucket] ?? others { return known }
        let made = TrackedReads()
        if reads.count < Self.limit { reads[bucket] = made } else { others = made }
        return made
    }

    /// Removes and returns the reads of an entity.
    mutating func take(of bucket: UInt32) -> TrackedReads? { reads.removeValue(forKey: bucket) ?? others.take() }

    /// Puts the reads of an entity back into their place.
    ///
    /// - Returns: Whether the place was free.
    mutating func putBack(_ reads: TrackedReads, of bucket: UInt32) -> Bool {
        if self.reads[bucket] != nil || others != nil { return false }
        self.reads[bucket] = reads
        return true
    }

    mutating func takeAll() -> [TrackedReads] {
        defer { self = MissingReads() }
        return reads.values + (others.map { [$0] } ?? [])
    }
}

extension ShardReference {
    /// Puts tracked reads back into their place.
    ///
    /// - Returns: Whether the place was free.
    func putBack(_ reads: TrackedReads, at slot: Slot) -> Bool {
        if slot.isStored {
            if let others = slot.extras?.trackedReads { return others === reads }
            slot.makeExtras().trackedReads = reads
        } else {
            return makeKept().missingReads.putBack(reads, of: slot.bucket)
        }
        return true
    }
}
