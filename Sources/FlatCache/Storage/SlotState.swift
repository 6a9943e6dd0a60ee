/// The state of an entity in a shard at one moment, without the entity.
struct SlotState {
    /// Whether the entity is stored.
    let isStored: Bool
    /// Whether the confirmed entity is in memory, which layers may hide.
    let isConfirmed: Bool
    /// Whether a store has loaded the entity, and no commit has written it since.
    var isLoaded = false
    /// The revision of the last commit that wrote the entity, or 0 if it is unknown.
    ///
    /// A commit that only changes layers isn't a write.
    let revision: UInt64
    /// The revision of the last commit that removed all entities, or 0 for none.
    let clearedRevision: UInt64

    /// Whether the entity is stored and was written after a commit.
    func hasArrived(since other: UInt64) -> Bool { isStored && !isLoaded && revision > other }

    /// Whether the entity was removed after a commit, alone or with all others, so that the answer to an earlier
    /// request must not be stored.
    func isFenced(since other: UInt64) -> Bool { clearedRevision > other || (!isStored && revision > other) }
}
