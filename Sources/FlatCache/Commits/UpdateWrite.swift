/// What an update stores when its body has returned, if that is more than the entity in its place: the changed entity,
/// others with it, and the removal of the old one if the body has changed the identifier.
@frozen @usableFromInline
struct UpdateWrite<Value: Cachable, Related: Cachable> {
    @usableFromInline let value: Value
    @usableFromInline let slot: Slot<Value>
    @usableFromInline let shard: ShardReference<Value>
    /// Where the entity goes, if its identifier has changed, and what goes into the same commit.
    @usableFromInline let moved: EntityBatch<Value>?
    @usableFromInline let related: EntityBatch<Related>?
    @usableFromInline let locks: LockSet

    @inlinable init(of value: Value, from slot: Slot<Value>, table: Table<Value>, batch: EntityBatch<Related>?) {
        self.value = value
        self.slot = slot
        let hash = HashedID(slot.id)
        shard = table.shards[hash]
        moved = value.id == slot.id ? nil : EntityBatch(CollectionOfOne(value), table: table)
        related = batch
        var locks = LockSet()
        locks.insert(hash.shard, of: table)
        moved?.insertLocks(into: &locks)
        batch?.insertLocks(into: &locks)
        self.locks = locks
    }

    /// Stores everything; the changed entity last, so that it counts if it is among the others too.
    ///
    /// - Returns: What was replaced, to be released after unlocking.
    @inlinable func store(_ commit: inout Commit) -> (Value?, [Value], [Related]) {
        let related = related?.store(&commit) ?? []
        let replaced = shard.replace(.passUnretained(slot), with: moved == nil ? value : nil, &commit)
        let overwritten = moved?.store(&commit) ?? []
        return (replaced, overwritten, related)
    }
}
