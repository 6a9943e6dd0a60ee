internal import Synchronization

/// The change of one slot, whose entity type is not known to the caller.
@usableFromInline
protocol SlotChange: AnyObject, Sendable {
    /// Identifies the slot.
    var slotIdentity: ObjectIdentifier { get }

    /// Whether there is anything to tell, and what.
    var netChange: NetChange? { get }

    /// Puts the change into the mailboxes of its observers; changes for observers of several keys are gathered.
    func publish(_ posts: inout KeySetPosts)

    /// Lets the observers deliver what is in their mailboxes.
    func deliver()

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
/// Entities are kept here once and shared by all observers, whatever their number.
final class Transition<Value: Cachable>: SlotChange, @unchecked Sendable {
    // `newValue` is assigned only by the commit that made the transition, under the lock of the slot's shard, before it
    // is published; `equality` is atomic; everything else is constant.
    let slot: Slot<Value>
    let revision: UInt64
    let oldValue: Value?
    var newValue: Value?
    /// Whether this is the first state that an observer is told.
    let isInitial: Bool
    private let areEqual: EntityEquality<Value>?
    private let receivers: [any SlotObserver<Value>]
    private let equality = Atomic(Equality.unknown.rawValue)

    private enum Equality: UInt8 {
        case unknown, equal, different
    }

    /// Creates the transition that a commit makes, to be sent to the observers of the slot.
    init(
        of slot: Slot<Value>,
        from oldValue: Value?,
        to newValue: Value?,
        revision: UInt64,
        observers: SlotObservers<Value>
    ) {
        self.slot = slot
        self.oldValue = oldValue
        self.newValue = newValue
        self.revision = revision
        isInitial = false
        areEqual = observers.areEqual
        receivers = observers.list
    }

    /// Creates the transition with which an observer begins: the state of the slot.
    init(initialStateOf slot: Slot<Value>) {
        self.slot = slot
        oldValue = nil
        newValue = slot.value
        revision = slot.revision
        isInitial = true
        areEqual = nil
        receivers = []
    }

    /// Folds a transition and the one that follows it into one.
    init(folding earlier: Transition, _ later: Transition) {
        slot = later.slot
        oldValue = earlier.oldValue
        newValue = later.newValue
        revision = later.revision
        isInitial = earlier.isInitial
        areEqual = later.areEqual
        receivers = []
    }

    var slotIdentity: ObjectIdentifier { ObjectIdentifier(slot) }

    var netChange: NetChange? {
        switch (oldValue, newValue) {
        case (nil, nil): nil
        case (nil, _): .inserted
        case (_, nil): .removed
        case (let old?, let new?): isEqual(old, new) ? nil : .updated
        }
    }

    /// Compares once, whoever asks first; `==` is user code, and runs here, outside the locks.
    private func isEqual(_ old: Value, _ new: Value) -> Bool {
        guard let areEqual else { return false }
        switch Equality(rawValue: equality.load(ordering: .relaxed)) {
        case .equal: return true
        case .different: return false
        case .unknown, nil:
            let result = areEqual(old, new)
            equality.store((result ? Equality.equal : .different).rawValue, ordering: .relaxed)
            return result
        }
    }

    func publish(_ posts: inout KeySetPosts) {
        for receiver in receivers { receiver.post(self, &posts) }
    }

    func deliver() {
        for receiver in receivers { receiver.deliver() }
    }

    func folded(after earlier: any SlotChange) -> any SlotChange {
        guard let earlier = earlier as? Transition else { return self }
        return Transition(folding: earlier, self)
    }
}

/// Compares two entities of one type.
typealias EntityEquality<Value> = @Sendable (Value, Value) -> Bool

/// A function that compares entities of a type, or `nil` when the type isn't `Equatable`.
///
/// The conformance is looked up once for a table instead of once for a comparison, which takes six times as long.
func makeEquality<Value>(of type: Value.Type) -> EntityEquality<Value>? {
    func open<Equal: Equatable>(_: Equal.Type) -> EntityEquality<Value> {
        { lhs, rhs in
            // `Equal` is `Value` under another name: the casts only change how the compiler sees it.
            withUnsafePointer(to: lhs) { lhs in
                withUnsafePointer(to: rhs) { rhs in
                    UnsafeRawPointer(lhs).assumingMemoryBound(to: Equal.self).pointee
                        == UnsafeRawPointer(rhs).assumingMemoryBound(to: Equal.self).pointee
                }
            }
        }
    }
    guard let type = type as? any Equatable.Type else { return nil }
    return open(type)
}
