/// An entity with its place in a table, in one state of the cache.
struct StoredEntity<Value: Cachable> {
    let value: Value
    let slot: SlotIdentity
    /// The revision of the commit that stored the entity.
    let revision: UInt64
    /// The place of the entity in the order of insertion.
    let ordinal: UInt64
}

extension Slot {
    /// The entity after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    func entity(at snapshot: UInt64) -> StoredEntity<Value>? {
        if revision <= snapshot {
            return copy.map { StoredEntity(value: $0, slot: SlotIdentity(self), revision: revision, ordinal: ordinal) }
        }
        return version(at: snapshot).map {
            StoredEntity(value: $0.value, slot: SlotIdentity(self), revision: $0.from, ordinal: $0.ordinal)
        }
    }
}
