public import Synchronization

/// The change of one slot, whose entity type is not known to the caller.
@usableFromInline
protocol SlotChange: AnyObject, Sendable {
    /// Identifies the slot.
    var slotIdentity: ObjectIdentifier { get }

    /// The commit that made the change.
    var revision: UInt64 { get }

    /// Whether there is anything to tell, and what.
    var netChange: NetChange? { get }

    /// The observers to tell.
    var receivers: [any SlotObserver] { get }

    /// The one change that an earlier change of the same slot and this one amount to.
    func folded(after earlier: any SlotChange) -> any SlotChange
}

/// The three things that can happen to an entity.
@usableFromInline
enum NetChange {
    case inserted, updated, removed
}

/// The way of one entity from one state to another, made by one commit or folded from several.
///
/// Entities are kept here once and shared by all observers, whatever their number. The observers know it only as a
/// ``SlotChange``, and get back to the type by the closure that takes it: code that is generic over the type would be
/// slow in their place, because nothing there tells the compiler which type it is for.
@usableFromInline
final class Transition<Value: Cachable>: SlotChange, @unchecked Sendable {
    // `newValue` is assigned only by the commit that made the transition, under the lock of the slot's shard, before it
    // is published; `equality` is atomic; everything else is constant.
    @usableFromInline let slot: Slot<Value>
    @usableFromInline let revision: UInt64
    @exclusivity(unchecked) @usableFromInline var oldValue: Value?
    @exclusivity(unchecked) @usableFromInline var newValue: Value?
    /// Whether this is the first state that an observer is told.
    @usableFromInline let isInitial: Bool
    @usableFromInline let areEqual: EntityEquality?
    @usableFromInline let receivers: [any SlotObserver]
    @usableFromInline let equality = Atomic<UInt8>(Equality.unknown)

    /// Whether old and new value are equal: asked once, whoever asks first.
    @usableFromInline enum Equality {
        @usableFromInline static var unknown: UInt8 { 0 }
        @usableFromInline static var equal: UInt8 { 1 }
        @usableFromInline static var different: UInt8 { 2 }
    }

    @inlinable init(
        of slot: Slot<Value>,
        from oldValue: consuming Value?,
        to newValue: Value?,
        revision: UInt64,
        isInitial: Bool,
        areEqual: EntityEquality?,
        receivers: [any SlotObserver]
    ) {
        self.slot = slot
        self.oldValue = oldValue
        self.newValue = newValue
        self.revision = revision
        self.isInitial = isInitial
        self.areEqual = areEqual
        self.receivers = receivers
    }

    /// Creates the transition with which an observer begins: the state of the slot.
    convenience init(initialStateOf slot: Slot<Value>) {
        self.init(
            of: slot,
            from: nil,
            to: slot.value,
            revision: slot.revision,
            isInitial: true,
            areEqual: nil,
            receivers: []
        )
    }

    @inlinable var slotIdentity: ObjectIdentifier { ObjectIdentifier(slot) }

    @inlinable var netChange: NetChange? {
        switch (oldValue == nil, newValue == nil) {
        case (true, true): nil
        case (true, false): .inserted
        case (false, true): .removed
        case (false, false): isUnchanged ? nil : .updated
        }
    }

    /// Whether two entities that are both there are equal; `==` is user code, and runs here, outside the locks.
    @inlinable var isUnchanged: Bool {
        guard let areEqual else { return false }
        let known = equality.load(ordering: .relaxed)
        if known != Equality.unknown { return known == Equality.equal }
        let result = withUnsafePointer(to: &oldValue) { old in
            withUnsafePointer(to: &newValue) { new in
                areEqual.areEqual(UnsafeRawPointer(old), UnsafeRawPointer(new))
            }
        }
        equality.store(result ? Equality.equal : Equality.different, ordering: .relaxed)
        return result
    }

    @usableFromInline func folded(after earlier: any SlotChange) -> any SlotChange {
        guard let earlier = earlier as? Transition else { return self }
        return Transition(
            of: slot,
            from: earlier.oldValue,
            to: newValue,
            revision: revision,
            isInitial: earlier.isInitial,
            areEqual: areEqual,
            receivers: []
        )
    }
}

/// Compares two entities of one type.
@usableFromInline
class EntityEquality: @unchecked Sendable {  // Has no state.
    fileprivate init() {}

    /// Returns whether two entities are equal, which are there, in memory that holds optional ones.
    @usableFromInline func areEqual(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool { false }

    /// The equality of a type, or `nil` when it isn't `Equatable`.
    ///
    /// The conformance is looked up once for a table instead of once for a comparison, which takes six times as long.
    static func of<Value>(_ type: Value.Type) -> EntityEquality? {
        func open<Equal: Equatable>(_: Equal.Type) -> EntityEquality { EqualityOfType<Equal>() }
        guard let type = type as? any Equatable.Type else { return nil }
        return open(type)
    }
}

private final class EqualityOfType<Value: Equatable>: EntityEquality, @unchecked Sendable {
    override func areEqual(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
        // A value that is there begins where its optional begins.
        lhs.assumingMemoryBound(to: Value.self).pointee == rhs.assumingMemoryBound(to: Value.self).pointee
    }
}
