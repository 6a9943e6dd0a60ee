/// The removals of a shard whose slots don't show them any more, so that an older answer doesn't store a removed entity
/// again.
///
/// They are the removal of all entities, and those of the slots that were dropped last. The lock of the shard guards it.
@usableFromInline final class RecentRemovals {
    /// The number of slots that are remembered.
    static let limit = 256

    private var slots: [(bucket: UInt32, revision: UInt64)] = []
    /// The place of the oldest slot, once there are as many as the limit.
    private var oldest = 0
    /// The newest revision of a slot that isn't remembered any more.
    private var forgottenRevision: UInt64 = 0
    /// The newest revision of all dropped slots.
    private(set) var newestRevision: UInt64 = 0
    /// The revision of the last commit that removed all entities, or 0 for none.
    var clearedRevision: UInt64 = 0

    /// Remembers a slot with the revision of its removal.
    func insert(_ bucket: UInt32, _ revision: UInt64) {
        newestRevision = max(newestRevision, revision)
        if slots.count < Self.limit { return slots.append((bucket, revision)) }
        forgottenRevision = max(forgottenRevision, slots[oldest].revision)
        slots[oldest] = (bucket, revision)
        oldest = (oldest + 1) % Self.limit
    }

    /// Whether an entity may have been removed on its own after a revision.
    ///
    /// Identifiers of one bucket aren't distinguished, because that would compare them under the lock. So the answer can be
    /// wrong for one in four billion.
    func mayHaveRemoved(_ bucket: UInt32, since revision: UInt64) -> Bool {
        if newestRevision <= revision { return false }
        return forgottenRevision > revision || remembers(bucket, since: revision)
    }

    /// Whether it isn't known if an entity was removed on its own after a revision, because there were too many removals.
    func hasForgotten(_ bucket: UInt32, since revision: UInt64) -> Bool {
        forgottenRevision > revision && !remembers(bucket, since: revision)
    }

    private func remembers(_ bucket: UInt32, since revision: UInt64) -> Bool {
        slots.contains { $0.bucket == bucket && $0.revision > revision }
    }
}
