extension Table {
    /// The pinned slot of an entity that is to be removed, or `nil` if it has none and its removal is remembered without one.
    ///
    /// Answers to earlier requests must not store a removed entity, also if it wasn't stored before. A removal that has no other
    /// effect than that needs no slot.
    @inlinable func pinnedSlotToRemove(for id: Value.ID, _ hash: HashedID) -> Slot? {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlot(for: id, hash) }
        defer { shard.unlock() }
        let found = shard.pointer.pointee.index.find(Value.self, id, hash)
        if found == nil, removalRules.isEmpty, !shard.hasMoreInStore {
            shard.noteRemoval(hash.bucket, history.nextRevision())
            return nil
        }
        let slot = found ?? shard.makeSlot(of: Value.self, for: id, hash)
        slot.pins += 1
        return slot
    }
}
