public import Synchronization

/// The change of one slot, whose entity type is not known to the caller.
@usableFromInline
protocol SlotChange: AnyObject, Sendable {
    /// Identifies the slot.
    var slotIdentity: ObjectIdentifier { get }

    /// The key of the slot.
    var key: FlatCacheKey { get }

    /// The commit that made the change.
    var revision: UInt64 { get }

    /// What has happened to the entity; `nil` when it has ended as it began.
    var netChange: ChangeKind? { get }

    /// The one change that an earlier change of the same slot and this one amount to.
    func folded(after earlier: any SlotChange) -> any SlotChange
}

/// The way of one entity from one state to another, made by one commit or folded from several, for whoever is notified later
/// or together with others.
///
/// Entities are kept here once and shared by all observers, whatever their number. The observers know it only as a
/// ``SlotChange``, and get back to the type by the closure that takes it: code that is generic over the type would be
/// slow in their place, because nothing there tells the compiler which type it is for.
@_fixed_layout @usableFromInline
final class PendingChange<Value: Cachable>: SlotChange {
    @usableFromInline let change: EntityChange<Value>
    @usableFromInline let equality: ValueEquality?
    /// Whether the entity has ended as it began: asked once, whoever asks first.
    @usableFromInline let isNone = Atomic<Answer>(.unknown)

    @frozen @usableFromInline enum Answer: UInt8, AtomicRepresentable, Sendable {
        case unknown, yes, no
    }

    @inlinable init(_ change: EntityChange<Value>, _ equality: ValueEquality?) {
        self.change = change
        self.equality = equality
    }

    /// Creates the change with which an observer begins: the state of the slot, which is locked.
    convenience init(initialStateOf slot: Slot<Value>) {
        self.init(EntityChange(of: slot, from: nil, to: slot.value, revision: slot.revision, isInitial: true), nil)
    }

    @usableFromInline var slotIdentity: ObjectIdentifier { ObjectIdentifier(change.slot) }

    @usableFromInline var key: FlatCacheKey { change.key }

    @usableFromInline var revision: UInt64 { change.revision }

    @usableFromInline var netChange: ChangeKind? {
        if !hasNews { return nil }
        if change.oldValue == nil { return .inserted }
        return change.value == nil ? .removed : .updated
    }

    /// Whether there is anything to notify of.
    @inlinable var hasNews: Bool {
        let known = isNone.load(ordering: .relaxed)
        if known != .unknown { return known == .no }
        let answer = change.isNone(equality)
        isNone.store(answer ? .yes : .no, ordering: .relaxed)
        return !answer
    }

    @usableFromInline func folded(after earlier: any SlotChange) -> any SlotChange {
        guard let earlier = earlier as? PendingChange else { return self }
        return PendingChange(
            EntityChange(
                of: change.slot,
                from: earlier.change.oldValue,
                to: change.value,
                revision: revision,
                isInitial: earlier.change.isInitial
            ),
            equality
        )
    }
}
