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
