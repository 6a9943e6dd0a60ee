/// The single place of the entity of a key, its revision and its observers.
///
/// A slot exists while an entity, an observer, a handle, a running update, a transaction or a snapshot needs it. It
/// always belongs to the same key. So a handle with a slot needs no lookup, and two handles of one key are equal
/// because they have the same slot.
///
/// The lock of the slot's shard guards all variables. It makes the exclusivity checks of the runtime unnecessary. They
/// are disabled because they would cost a quarter of a read.
///
/// Its layout is fixed like the layout of a frozen structure, although classes can't be frozen, so that inlined code
/// can create and access slots even with library evolution. Otherwise an insertion and a write would take twice as long
/// there.
@_fixed_layout @usableFromInline
final class Slot<Value: Cachable>: @unchecked Sendable {  // Guarded by the lock of its shard.
    // A read uses only the first two variables, which are adjacent to be in few cache lines.
    @usableFromInline let id: Value.ID

    /// The entity, or `nil` if none is stored.
    @exclusivity(unchecked) @usableFromInline var value: Value?

    /// The ``HashedID/bucket`` of the identifier, for moving the slot in its index.
    @usableFromInline let bucket: UInt32

    /// The number of handles, running updates, transactions and kept versions that need the slot, even without an
    /// entity.
    @exclusivity(unchecked) @usableFromInline var pins: UInt32 = 0

    /// The revision of the last commit that changed the slot, or 0 for none.
    @exclusivity(unchecked) @usableFromInline var revision: UInt64 = 0

    /// The state that few slots have, or `nil` if there is none.
    @exclusivity(unchecked) @usableFromInline var extras: SlotExtras<Value>?

    @inlinable init(id: Value.ID, bucket: UInt32) {
        self.id = id
        self.bucket = bucket
    }

    /// A stored property of the entity, without a copy of the rest, or `nil` if no entity is stored.
    ///
    /// - Parameter offset: The offset of the property in the entity, from its key path.
    @inlinable func field<Field>(at offset: Int) -> Field? {
        withUnsafePointer(to: &value) { value in
            if value.pointee == nil { return nil }
            // The value of an optional begins at the address of the optional.
            return (UnsafeRawPointer(value) + offset).assumingMemoryBound(to: Field.self).pointee
        }
    }

    /// A copy of the entity, made by the copy function of its type.
    ///
    /// The generic copy function of optionals takes twice as long.
    @inlinable var copy: Value? { field(at: 0) }

    /// The observers of the key, or `nil` if there are none.
    @inlinable var observers: SlotObservers? { extras?.observers }

    /// Whether a change of the entity notifies any observer.
    @inlinable var isObserved: Bool {
        guard let extras else { return false }
        return extras.observers != nil || extras.trackedReads != nil
    }

    /// Whether the slot isn't needed any more.
    @inlinable var isAbandoned: Bool { !isStored && pins == 0 && extras == nil }

    /// Whether an entity is stored.
    ///
    /// In unspecialized code, a comparison with `nil` would copy it.
    @inlinable var isStored: Bool {
        if case .none = value { false } else { true }
    }
}

/// The state that few slots have: observers, tracked reads, and replaced entities of open snapshots.
///
/// The lock of the slot's shard guards it.
@_fixed_layout @usableFromInline
final class SlotExtras<Value: Cachable> {
    @exclusivity(unchecked) @usableFromInline var observers: SlotObservers?
    /// The tracked reads of a stored entity, or `nil` if there are none.
    @exclusivity(unchecked) @usableFromInline var trackedReads: TrackedReads?
    /// The newest kept version.
    @exclusivity(unchecked) var versions: Version<Value>?

    @usableFromInline init() {}
}

extension Slot {
    /// The extras of the slot, created if there are none.
    @usableFromInline func makeExtras() -> SlotExtras<Value> {
        if let extras { return extras }
        let made = SlotExtras<Value>()
        extras = made
        return made
    }

    /// Releases the extras if they are empty.
    func dropEmptyExtras() {
        if let extras, extras.observers == nil, extras.trackedReads == nil, extras.versions == nil { self.extras = nil }
    }

    /// Sets the observers of the key.
    func setObservers(_ observers: SlotObservers?) {
        if observers != nil { makeExtras().observers = observers } else { extras?.observers = nil }
        dropEmptyExtras()
    }

    /// The entity after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    @inlinable func value(at snapshot: UInt64) -> Value? {
        revision <= snapshot ? copy : version(at: snapshot)
    }

    @usableFromInline func version(at snapshot: UInt64) -> Value? {
        var version = extras?.versions
        while let kept = version {
            if kept.from <= snapshot && snapshot < kept.until { return kept.value }
            version = kept.older
        }
        return nil
    }
}

extension HashedID {
    /// The hash of the identifier of a slot, which stores it because hashing may run user code.
    @inlinable init<Value>(_ slot: Slot<Value>) {
        bits = slot.bucket
    }
}
