/// The removals of a shard whose slots don't show them any more, so that an older answer doesn't store a removed entity
/// again.
///
/// They are the removal of all entities, and the last removals of single ones: those of slots that were dropped, and those of
/// identifiers that had no slot. The lock of the shard guards it.
@usableFromInline final class RecentRemovals {
    /// The number of removals that are remembered.
    static let limit = 256

    @exclusivity(unchecked) private var removals: [(bucket: UInt32, revision: UInt64)] = []
    /// The place of the oldest removal, once there are as many as the limit.
    @exclusivity(unchecked) private var oldest = 0
    /// The newest revision of a removal that isn't remembered any more.
    @exclusivity(unchecked) private var forgottenRevision: UInt64 = 0
    /// The newest revision of all removals of single entities.
    @exclusivity(unchecked) private(set) var newestRevision: UInt64 = 0
    /// The revision of the last commit that removed all entities, or 0 for none.
    var clearedRevision: UInt64 = 0

    /// Remembers the removal of an identifier in a bucket.
    func insert(_ bucket: UInt32, _ revision: UInt64) {
        newestRevision = max(newestRevision, revision)
        if removals.count < Self.limit { return removals.append((bucket, revision)) }
        forgottenRevision = max(forgottenRevision, removals[oldest].revision)
        removals[oldest] = (bucket, revision)
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

    /// Whether it is known that an entity was removed on its own after a revision.
    func remembers(_ bucket: UInt32, since revision: UInt64) -> Bool {
        removals.contains { $0.bucket == bucket && $0.revision > revision }
    }
}
