/// The one place where the entity of a key, its revision and its observers live.
///
/// A slot exists while there is an entity, an observer, a handle or a running update for its key. It never leaves its
/// key: a handle that holds the slot needs no look-up, and two handles of one key are equal because they hold the same
/// slot.
///
/// Everything mutable is guarded by the lock of the shard that the slot belongs to. That lock makes the runtime's own
/// exclusivity checks superfluous; they are switched off because they would cost a quarter of a read.
///
/// Its layout is fixed, as that of a frozen structure, which classes can't be: with library evolution, too, code that is
/// inlined makes slots and reaches into them. Otherwise an insertion and a write would take twice as long there.
@_fixed_layout @usableFromInline
final class Slot<Value: Cachable>: @unchecked Sendable {  // Guarded by the lock of its shard.
    // The first two are all that a read touches: they stand together, to be in as few cache lines as can be.
    @usableFromInline let id: Value.ID

    /// The entity; `nil` while none is stored.
    @exclusivity(unchecked) @usableFromInline var value: Value?

    /// What ``HashedID/bucket`` was, for moving the slot in its index.
    @usableFromInline let bucket: UInt32

    /// The number of handles and running updates that need the slot to stay, entity or not.
    @exclusivity(unchecked) @usableFromInline var pins: UInt32 = 0

    /// The revision of the commit that changed the slot last; 0 for none.
    @exclusivity(unchecked) @usableFromInline var revision: UInt64 = 0

    /// The observers of the key; `nil` while there are none.
    @exclusivity(unchecked) @usableFromInline var observers: SlotObservers?

    @inlinable init(id: Value.ID, bucket: UInt32) {
        self.id = id
        self.bucket = bucket
    }

    /// A stored property of the entity, without a copy of the rest; `nil` when there is no entity.
    ///
    /// - Parameter offset: Where the property is in the entity, from its key path.
    @inlinable func field<Field>(at offset: Int) -> Field? {
        withUnsafePointer(to: &value) { value in
            if value.pointee == nil { return nil }
            // A value that is there begins where its optional begins.
            return (UnsafeRawPointer(value) + offset).assumingMemoryBound(to: Field.self).pointee
        }
    }

    /// A copy of the entity, made by the copying code of its own type; that of optionals in general takes twice as long.
    @inlinable var copy: Value? { field(at: 0) }

    /// Whether nothing needs the slot any more.
    @inlinable var isAbandoned: Bool { value == nil && observers == nil && pins == 0 }
}
