extension Slot {
    /// Takes the tracked reads out of the slot, for a commit that changes the entity.
    ///
    /// Where too much is repeated they stay with an entity that stays: then those who read after the commit may be notified
    /// of it, too.
    func takeTrackedReads() -> TrackedReads? {
        guard let extras, let reads = extras.trackedReads else { return nil }
        if Repetitions.shared.areMany, isStored { return reads }
        extras.trackedReads = nil
        dropEmptyExtras()
        return reads
    }
}

extension ShardReference {
    /// The tracked reads of a slot, which is locked, made if there are none; the caller is noted as a reader.
    ///
    /// Those of an entity that isn't stored are kept by the shard, so that what is missing needs no slot.
    @inlinable func trackedReads(of slot: Slot<Value>) -> TrackedReads {
        trackedReads(of: slot, isStored: slot.isStored)
    }

    /// The tracked reads of a slot; in code for all types, the question whether there is an entity copies it.
    @usableFromInline func trackedReads(of slot: Slot<Value>, isStored: Bool) -> TrackedReads {
        let reads: TrackedReads
        if isStored {
            reads = slot.extras?.trackedReads ?? TrackedReads()
            slot.makeExtras().trackedReads = reads
        } else {
            reads = makeKept().missingReads.reads(of: slot.bucket)
        }
        reads.noteReader()
        return reads
    }

    /// Lets an insertion notify those who have read that the entity is missing.
    @inline(never) @usableFromInline func moveMissingReads(to slot: Slot<Value>) {
        guard let kept = pointer.pointee.kept, let reads = kept.missingReads.take(of: slot.bucket) else { return }
        slot.makeExtras().trackedReads = reads
        if kept.isEmpty { pointer.pointee.kept = nil }
    }
}

/// The tracked reads of the entities that aren't stored in a shard, by the buckets of their identifiers.
///
/// Guarded by the lock of the shard.
struct MissingReads {
    private var reads: [UInt32: TrackedReads] = [:]
    /// The reads of all others, once there are many: what is missing must not take memory without a limit.
    ///
    /// While there are such, nothing else is added, so that what one entity's readers wait for stands in one place.
    private var others: TrackedReads?

    private static let limit = 32

    var isEmpty: Bool { reads.isEmpty && others == nil }

    /// The reads of an entity, made if there are none.
    mutating func reads(of bucket: UInt32) -> TrackedReads {
        if let known = reads[bucket] ?? others { return known }
        let made = TrackedReads()
        if reads.count < Self.limit { reads[bucket] = made } else { others = made }
        return made
    }

    /// Takes out the reads of an entity.
    mutating func take(of bucket: UInt32) -> TrackedReads? { reads.removeValue(forKey: bucket) ?? others.take() }

    /// Puts the reads of an entity back in their place.
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
    /// Puts tracked reads back in their place.
    ///
    /// - Returns: Whether they have it.
    func putBack(_ reads: TrackedReads, at slot: Slot<Value>) -> Bool {
        if slot.isStored {
            if let others = slot.extras?.trackedReads { return others === reads }
            slot.makeExtras().trackedReads = reads
        } else {
            return makeKept().missingReads.putBack(reads, of: slot.bucket)
        }
        return true
    }
}
