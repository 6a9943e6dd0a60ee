/// The single place of the entity of a key, its revision and its observers, whatever the type of the entity is.
///
/// A slot exists while an entity, an observer, a handle, a running update, a transaction or a snapshot needs it. It
/// always belongs to the same key. So a handle with a slot needs no lookup, and two handles of one key are equal
/// because they have the same slot.
///
/// The memory of a slot is a ``SlotHeader``, the identifier and the entity. It is part of a chunk of its shard; see ``SlotSlab``.
/// It is reused after the slot is dropped. Code that needs a slot after it has released the lock of the shard must pin the slot.
///
/// The lock of the slot's shard guards all variables. The identifier, the bucket and the birth are constant.
@frozen @usableFromInline
struct Slot: Hashable, @unchecked Sendable {  // Guarded by the lock of its shard.
    @usableFromInline let header: UnsafeMutablePointer<SlotHeader>

    @inlinable init(_ header: UnsafeMutablePointer<SlotHeader>) {
        self.header = header
    }
}

/// The variables of a ``Slot`` that don't depend on the type of its entity.
@frozen @usableFromInline
struct SlotHeader {
    /// The state that few slots have, or `nil` if there is none.
    @usableFromInline var extras: SlotExtras?
    @usableFromInline var revision: UInt64 = 0
    @usableFromInline var ordinal: UInt64 = 0
    @usableFromInline var pins: UInt32 = 0
    /// A number that distinguishes the slots which use the same memory one after the other, of whatever shard and type.
    @usableFromInline let birth: UInt32
    @usableFromInline let bucket: UInt32
    /// The place in its chunk.
    @usableFromInline let place: UInt8
    // A read uses what follows, the identifier and the entity, which are adjacent to be in few cache lines.
    @usableFromInline var isStored = false
    @usableFromInline var notes: UInt8 = 0
    @usableFromInline var usage: SlotUsage = .none

    @inlinable init(bucket: UInt32, birth: UInt32, place: UInt8) {
        self.bucket = bucket
        self.birth = birth
        self.place = place
    }
}

extension Slot {
    /// The ``HashedID/bucket`` of the identifier, for moving the slot in its index.
    @inlinable var bucket: UInt32 { header.pointee.bucket }

    /// The number of handles, running updates, transactions and kept versions that need the slot, even without an
    /// entity, plus ``layeredBit`` if there are layers.
    @inlinable var pins: UInt32 {
        get { header.pointee.pins }
        nonmutating set { header.pointee.pins = newValue }
    }

    /// The revision of the last commit that changed the slot, or 0 for none.
    @inlinable var revision: UInt64 {
        get { header.pointee.revision }
        nonmutating set { header.pointee.revision = newValue }
    }

    /// The place of the entity in the order of insertion, or that of the last entity if none is stored.
    ///
    /// An entity that is stored where none was gets a new one, and keeps it until it is removed.
    @inlinable var ordinal: UInt64 {
        get { header.pointee.ordinal }
        nonmutating set { header.pointee.ordinal = newValue }
    }

    /// Whether an entity is stored.
    @inlinable var isStored: Bool { header.pointee.isStored }

    /// The journals that have the slot, in two bits (see ``ShardJournal``), whether a store has loaded the entity, in a third one,
    /// and the number of marks that pin the slot, in the others.
    @inlinable var notes: UInt8 {
        get { header.pointee.notes }
        nonmutating set { header.pointee.notes = newValue }
    }

    /// Whether a journal has the slot, which keeps it.
    @inlinable var isNoted: Bool { notes & 3 != 0 }

    /// The number of pins of marks, which keep the slot, but not the entity.
    @inlinable var markPins: UInt32 { UInt32(notes >> 3) }

    /// Notes a pin of a mark, or its end.
    ///
    /// More than the bits can count are as other pins.
    func noteMark(isNew: Bool) {
        if isNew, markPins < 31 { notes += 8 }
        if !isNew, markPins > 0 { notes -= 8 }
    }

    /// Whether a store has loaded the entity, and no commit has written it since.
    ///
    /// The journal of the shard keeps it current, so a cache whose entities have no journal pays nothing for it.
    var isLoaded: Bool {
        get { notes & 4 != 0 }
        nonmutating set { notes = newValue ? notes | 4 : notes & ~4 }
    }

    /// What happened to the entity, for the limits of its type.
    @inlinable var usage: SlotUsage {
        get { header.pointee.usage }
        nonmutating set { header.pointee.usage = newValue }
    }

    /// Notes that the entity is read, so that a limit of the type evicts others before.
    ///
    /// Only the first of many reads writes, so that reads on several cores don't slow each other.
    @inlinable func noteUse() {
        if usage.code < 254 { usage = .used }
    }

    /// Whether the entity was evicted, and nothing was stored since.
    var isEvicted: Bool { usage == .evicted }

    /// Whether the slot was dropped during a walk over the slots of its shard, until whose end its memory remains.
    var isDropped: Bool { revision == .max }
}

/// The identifier and the entity, for code that knows their types.
extension Slot {
    /// The address of the identifier, which a thread that has pinned the slot may also read without the lock.
    @inlinable func idAddress<Value: Cachable>(of type: Value.Type) -> UnsafeMutablePointer<Value.ID> {
        (UnsafeMutableRawPointer(header) + SlotLayout<Value>.idOffset).assumingMemoryBound(to: Value.ID.self)
    }

    /// The identifier, which a thread that has pinned the slot may also read without the lock.
    @inlinable func id<Value: Cachable>(of type: Value.Type) -> Value.ID { idAddress(of: type).pointee }

    /// The address of the entity, where an entity is only if one is stored.
    @inlinable func address<Value: Cachable>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
        (UnsafeMutableRawPointer(header) + SlotLayout<Value>.entityOffset).assumingMemoryBound(to: Value.self)
    }

    /// A copy of the entity, or `nil` if none is stored.
    @inlinable func copy<Value: Cachable>(of type: Value.Type) -> Value? { isStored ? address(of: type).pointee : nil }

    /// A stored property of the entity, without a copy of the rest, or `nil` if no entity is stored.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - offset: The offset of the property in the entity, from its key path.
    @inlinable func field<Value: Cachable, Field>(of type: Value.Type, at offset: Int) -> Field? {
        isStored
            ? (UnsafeRawPointer(address(of: type)) + offset).assumingMemoryBound(to: Field.self).pointee : nil
    }

    /// Puts an entity into the slot, or removes the entity.
    ///
    /// - Parameter value: The new entity, or `nil` for none. It becomes the old entity.
    @inlinable func exchange<Value: Cachable>(_ value: inout Value?) {
        let address = address(of: Value.self)
        let isRemoval = if case .none = value { true } else { false }
        let wasStored = isStored
        header.pointee.isStored = !isRemoval
        withUnsafeMutablePointer(to: &value) { other in
            // The value of an optional begins at the address of the optional.
            let entity = UnsafeMutableRawPointer(other).assumingMemoryBound(to: Value.self)
            // `swap` and `moveInitialize` also copy what is between the end of an entity and the next one in an array, which
            // an optional can lack.
            if wasStored, !isRemoval {
                let old = address.move()
                address.initialize(to: entity.move())
                entity.initialize(to: old)
            } else if wasStored {
                other.initialize(to: address.move())
            } else if !isRemoval {
                address.initialize(to: entity.move())
                other.initialize(to: nil)
            }
        }
    }
}

/// Where the parts of a slot with entities of a type are.
@usableFromInline
enum SlotLayout<Value: Cachable> {
    /// The distance from the beginning of a slot to its identifier.
    @inlinable static var idOffset: Int {
        aligned(MemoryLayout<SlotHeader>.size, to: MemoryLayout<Value.ID>.alignment)
    }

    /// The distance from the beginning of a slot to its entity.
    @inlinable static var entityOffset: Int {
        aligned(idOffset &+ MemoryLayout<Value.ID>.size, to: MemoryLayout<Value>.alignment)
    }

    /// The alignment of a slot.
    static var alignment: Int {
        Swift.max(MemoryLayout<SlotHeader>.alignment, MemoryLayout<Value.ID>.alignment, MemoryLayout<Value>.alignment)
    }

    /// The distance between two slots.
    static var stride: Int { aligned(entityOffset + MemoryLayout<Value>.size, to: alignment) }

    @inlinable static func aligned(_ offset: Int, to alignment: Int) -> Int {
        (offset &+ alignment &- 1) & ~(alignment &- 1)
    }
}

/// The state that few slots have, and what depends on it.
extension Slot {
    /// The revision of the last commit that stored or removed the confirmed entity, or 0 if a limit has evicted it or a store has
    /// loaded it since.
    var writtenRevision: UInt64 { isEvicted || isLoaded ? 0 : confirmedRevision }

    /// The state that few slots have, or `nil` if there is none.
    @inlinable var extras: SlotExtras? {
        _read { yield header.pointee.extras }
        nonmutating _modify { yield &header.pointee.extras }
    }

    /// The observers of the key, or `nil` if there are none.
    @inlinable var observers: SlotObservers? { header.pointee.extras?.observers }

    /// Whether a change of the entity notifies any observer.
    @inlinable var isObserved: Bool {
        guard let extras = header.pointee.extras else { return false }
        return extras.observers != nil || extras.trackedReads != nil
    }

    /// Whether the slot isn't needed any more.
    var isAbandoned: Bool { !isStored && pins == 0 && !isNoted && (extras?.isUnneeded ?? true) }
}

/// What happened to the entity of a slot, for the limits of its type.
@frozen @usableFromInline
struct SlotUsage: Equatable {
    @usableFromInline let code: UInt8

    @inlinable init(code: UInt8) {
        self.code = code
    }

    /// It wasn't read since it was stored.
    @inlinable static var none: SlotUsage { SlotUsage(code: 0) }

    /// It was read.
    @inlinable static var used: SlotUsage { SlotUsage(code: 254) }

    /// It isn't stored, because it was evicted.
    @inlinable static var evicted: SlotUsage { SlotUsage(code: 255) }

    /// It wasn't read since a hand has come by, while a round was the newest one.
    ///
    /// - Parameter round: The number of the round, of which the lowest seven bits count.
    @inlinable static func passed(in round: UInt64) -> SlotUsage {
        SlotUsage(code: UInt8(truncatingIfNeeded: round & 127) &+ 1)
    }

    /// Whether the entity may be evicted in a round, because it wasn't read since before the round.
    @inlinable func isOlder(than round: UInt64) -> Bool {
        if code == 0 { return true }
        if code > 128 { return false }
        // Few rounds run at the same time.
        let distance = (UInt8(truncatingIfNeeded: round & 127) &- (code &- 1)) & 127
        return distance > 0 && distance < 64
    }
}

/// The identity of a slot, which no later slot has, even in the same memory.
///
/// It is unique until four billion later slots were created.
@frozen @usableFromInline
struct SlotIdentity: Hashable, Sendable {
    @usableFromInline let address: UInt
    @usableFromInline let birth: UInt32

    @inlinable init(_ slot: Slot) {
        address = UInt(bitPattern: slot.header)
        birth = slot.header.pointee.birth
    }

    /// The identity of an object beside slots, unique while the object exists.
    init(_ object: AnyObject) {
        address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        birth = 0
    }

    private init(address: UInt, birth: UInt32) {
        self.address = address
        self.birth = birth
    }

    /// The identity of the presence of the entities, without their contents.
    var ofPresence: SlotIdentity { SlotIdentity(address: address | 1, birth: birth) }
}

/// The state that few slots have: observers, tracked reads, layers, and replaced entities of open snapshots.
///
/// The lock of the slot's shard guards it.
@_fixed_layout @usableFromInline
final class SlotExtras {
    @exclusivity(unchecked) @usableFromInline var observers: SlotObservers?
    /// The tracked reads of a stored entity, or `nil` if there are none.
    @exclusivity(unchecked) @usableFromInline var trackedReads: TrackedReads?
    /// The newest kept version.
    @exclusivity(unchecked) @usableFromInline var versions: Version?
    /// The confirmed entity and the layers, or `nil` if there are no layers.
    @exclusivity(unchecked) @usableFromInline var layered: LayeredState?
    /// The slots to which observers have moved, which this slot pins.
    @exclusivity(unchecked) var heirs: [Slot] = []
    /// The last write of the confirmed entity, if it isn't the last change that readers see: later commits have changed nothing but
    /// layers, of which none is left, or it is the removal of an entity that wasn't stored.
    @exclusivity(unchecked) var writeBelowLayers: WriteBelowLayers?

    @inlinable init() {}

    /// Whether they have nothing that must be kept after the entity is removed.
    var isUnneeded: Bool {
        observers == nil && trackedReads == nil && versions == nil && layered == nil && heirs.isEmpty
    }
}

/// The last write of a confirmed entity, if another revision is the one that readers see.
@frozen @usableFromInline
struct WriteBelowLayers {
    /// The revision of the write.
    @usableFromInline let written: UInt64
    /// The revision of the slot, as long as this is the last write.
    @usableFromInline let revision: UInt64

    @inlinable init(written: UInt64, revision: UInt64) {
        self.written = written
        self.revision = revision
    }
}

extension Slot {
    /// The extras of the slot, created if there are none.
    func makeExtras() -> SlotExtras {
        if let extras { return extras }
        let made = SlotExtras()
        extras = made
        return made
    }

    /// Releases the extras if they are empty.
    func dropEmptyExtras() {
        if let extras, extras.isUnneeded, extras.writeBelowLayers?.revision != revision { self.extras = nil }
    }

    /// Sets the observers of the key.
    func setObservers(_ observers: SlotObservers?) {
        if observers != nil { makeExtras().observers = observers } else { extras?.observers = nil }
        dropEmptyExtras()
    }

    /// The entity after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    @inlinable func value<Value: Cachable>(of type: Value.Type, at snapshot: UInt64) -> Value? {
        revision <= snapshot ? copy(of: type) : keptValue(at: snapshot)
    }

    @usableFromInline func keptValue<Value: Cachable>(at snapshot: UInt64) -> Value? {
        version(at: snapshot)?.value?.entity(of: Value.self)
    }

    /// Whether an entity was stored after all commits up to a revision.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    func isStored(at snapshot: UInt64) -> Bool {
        revision <= snapshot ? isStored : version(at: snapshot)?.value != nil
    }

    /// The kept version of a snapshot, or `nil` if none was stored.
    func version(at snapshot: UInt64) -> Version? {
        var version = extras?.versions
        while let kept = version {
            if kept.from <= snapshot && snapshot < kept.until { return kept }
            version = kept.older
        }
        return nil
    }
}

extension HashedID {
    /// The hash of the identifier of a slot, which stores it because hashing may run user code.
    @inlinable init(_ slot: Slot) {
        bits = slot.bucket
    }
}
