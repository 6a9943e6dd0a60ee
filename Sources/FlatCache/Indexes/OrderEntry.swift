/// The entities of an index in the order of their keys, stored like an entity.
///
/// Entities with equal keys are in the order of their insertion.
@frozen @usableFromInline
struct OrderEntry<Value: Cachable, Key: Sendable>: IndexContents {
    /// The number of the index.
    @usableFromInline let id: Int
    @usableFromInline var members = ListTree<OrderMember<Value.ID, Key>>()

    /// Creates an entry without entities.
    @inlinable init(id: Int) {
        self.id = id
    }

    @inlinable var isEmpty: Bool { members.isEmpty }
}

/// An entity in the order of an index.
@frozen @usableFromInline
struct OrderMember<ID: Hashable & Sendable, Key: Sendable>: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let id: ID
    /// The place of the entity in the order of insertion, or 0 if it wasn't known when the entry was made.
    @usableFromInline let ordinal: UInt64

    @inlinable init(key: Key, id: ID, ordinal: UInt64) {
        self.key = key
        self.id = id
        self.ordinal = ordinal
    }
}

extension OrderEntry {
    /// The places of the members between those whose keys are before a range, and those that are after it.
    @inlinable func places(isBefore: (Key) -> Bool, isNotAfter: (Key) -> Bool) -> Range<Int> {
        let start = members.partition { isBefore($0.key) }
        // Keys without a consistent order have no consistent places.
        return start..<Swift.max(start, members.partition { isNotAfter($0.key) })
    }
}
