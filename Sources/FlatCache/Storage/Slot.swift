/// The one place where the entity of a key, its revision and its observers live.
///
/// A slot exists while there is an entity, an observer, a handle, a running update, a transaction or a snapshot that needs
/// it. It never leaves its key: a handle that holds the slot needs no look-up, and two handles of one key are equal because
/// they hold the same slot.
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

    /// How many need the slot to stay, entity or not: handles, running updates and transactions, and kept versions.
    @exclusivity(unchecked) @usableFromInline var pins: UInt32 = 0

    /// The revision of the commit that changed the slot last; 0 for none.
    @exclusivity(unchecked) @usableFromInline var revision: UInt64 = 0

    /// What few slots have; `nil` while there is nothing of it.
    @exclusivity(unchecked) @usableFromInline var extras: SlotExtras<Value>?

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

    /// The observers of the key; `nil` while there are none.
    @inlinable var observers: SlotObservers? { extras?.observers }

    /// Whether somebody is notified when the entity changes.
    @inlinable var isObserved: Bool {
        guard let extras else { return false }
        return extras.observers != nil || extras.trackedReads != nil
    }

    /// Whether nothing needs the slot any more.
    @inlinable var isAbandoned: Bool { !isStored && pins == 0 && extras == nil }

    /// Whether there is an entity.
    ///
    /// In code for all types, a comparison with `nil` would copy it.
    @inlinable var isStored: Bool {
        if case .none = value { false } else { true }
    }
}

/// What few slots have: observers, tracked reads, and entities that were replaced while snapshots show them.
///
/// Guarded by the lock of the slot's shard.
@_fixed_layout @usableFromInline
final class SlotExtras<Value: Cachable> {
    @exclusivity(unchecked) @usableFromInline var observers: SlotObservers?
    /// Those of the Observation framework, of an entity that is stored; `nil` while there are none.
    @exclusivity(unchecked) @usableFromInline var trackedReads: TrackedReads?
    /// The newest version that is kept.
    @exclusivity(unchecked) var versions: Version<Value>?

    @usableFromInline init() {}
}

extension Slot {
    /// What few slots have, made if there is nothing yet.
    @usableFromInline func makeExtras() -> SlotExtras<Value> {
        if let extras { return extras }
        let made = SlotExtras<Value>()
        extras = made
        return made
    }

    /// Lets go of the extras when there is nothing in them.
    func dropEmptyExtras() {
        if let extras, extras.observers == nil, extras.trackedReads == nil, extras.versions == nil { self.extras = nil }
    }

    /// Sets the observers of the key.
    func setObservers(_ observers: SlotObservers?) {
        if observers != nil { makeExtras().observers = observers } else { extras?.observers = nil }
        dropEmptyExtras()
    }

    /// The entity after all commits up to a revision; `nil` when there was none.
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
    /// The hash of the identifier of a slot, which remembers it: hashing may run user code.
    @inlinable init<Value>(_ slot: Slot<Value>) {
        bits = slot.bucket
    }
}
