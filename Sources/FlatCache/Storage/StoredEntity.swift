/// An entity with its place in a table, in one state of the cache.
@frozen @usableFromInline
struct StoredEntity<Value: Cachable> {
    @usableFromInline let value: Value
    @usableFromInline let slot: SlotIdentity
    /// The revision of the commit that stored the entity.
    @usableFromInline let revision: UInt64
    /// The place of the entity in the order of insertion.
    @usableFromInline let ordinal: UInt64

    @inlinable init(value: Value, slot: SlotIdentity, revision: UInt64, ordinal: UInt64) {
        self.value = value
        self.slot = slot
        self.revision = revision
        self.ordinal = ordinal
    }
}

extension Slot {
    /// The entity after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    @inlinable func entity<Value: Cachable>(of type: Value.Type, at snapshot: UInt64) -> StoredEntity<Value>? {
        guard revision <= snapshot else { return keptEntity(at: snapshot) }
        return copy(of: type).map {
            StoredEntity(value: $0, slot: SlotIdentity(self), revision: revision, ordinal: ordinal)
        }
    }

    @usableFromInline func keptEntity<Value: Cachable>(at snapshot: UInt64) -> StoredEntity<Value>? {
        guard let version = version(at: snapshot), let value = version.value?.entity(of: Value.self) else { return nil }
        return StoredEntity(
            value: value,
            slot: SlotIdentity(self),
            revision: version.from,
            ordinal: version.ordinal
        )
    }
}
