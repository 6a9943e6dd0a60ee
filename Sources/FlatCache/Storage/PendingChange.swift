public import Synchronization

/// The change of one slot, without its static entity type.
@usableFromInline
protocol SlotChange: AnyObject, Sendable {
    /// The identity of the slot.
    var slotIdentity: SlotIdentity { get }

    /// The key of the slot.
    var key: FlatCacheKey { get }

    /// The revision of the commit that made the change.
    var revision: UInt64 { get }

    /// The origins of the commits that made the change.
    var commitOrigins: CommitOrigins { get }

    /// The kind of the change, or `nil` if the entity is equal before and after.
    var netChange: ChangeKind? { get }

    /// Whether an entity is stored only before or only after the change.
    var changesPresence: Bool { get }

    /// The net change of an earlier change of the same slot and this one.
    func folded(after earlier: any SlotChange) -> any SlotChange
}

/// The change of one entity by one or more commits, for observers that are notified later or together with others.
///
/// The entities are stored here once and shared by all observers. Observers use it as a ``SlotChange``, and recover the
/// type in the closure that takes it. Generic code would be slow there, because the compiler can't specialize it.
@_fixed_layout @usableFromInline
final class PendingChange<Value: Cachable>: SlotChange {
    // These are copies, because code that isn't specialized for the type needs longer to find them in the change.
    @usableFromInline let slotIdentity: SlotIdentity
    @usableFromInline let revision: UInt64
    @usableFromInline let commitOrigins: CommitOrigins
    @usableFromInline let changesPresence: Bool
    @usableFromInline let change: EntityChange<Value>
    @usableFromInline let equality: ValueEquality?
    /// The places of the old and the new entity in the order of insertion, for the observers of a whole type.
    @usableFromInline let ordinals: (old: UInt64, new: UInt64)
    /// Whether the entity is equal before and after, computed once.
    @usableFromInline let isNone = Atomic<Answer>(.unknown)

    @frozen @usableFromInline enum Answer: UInt8, AtomicRepresentable, Sendable {
        case unknown, yes, no
    }

    @inlinable init(
        _ change: EntityChange<Value>,
        _ equality: ValueEquality?,
        _ ordinals: (old: UInt64, new: UInt64) = (0, 0)
    ) {
        slotIdentity = change.slot
        revision = change.revision
        commitOrigins = change.commitOrigins
        changesPresence = (change.oldValue == nil) != (change.value == nil)
        self.change = change
        self.equality = equality
        self.ordinals = ordinals
    }

    /// Creates the initial change of an observer from the state of a locked slot.
    convenience init(initialStateOf slot: Slot) {
        self.init(
            EntityChange(of: slot, from: nil, to: slot.copy(of: Value.self), revision: slot.revision, isInitial: true),
            nil
        )
    }

    @usableFromInline var key: FlatCacheKey { change.key }

    @usableFromInline var netChange: ChangeKind? {
        if !hasNews { return nil }
        if change.oldValue == nil { return .inserted }
        if change.value != nil { return .updated }
        return change.isEviction ? .evicted : .removed
    }

    /// Whether observers must be notified.
    @inlinable var hasNews: Bool {
        let known = isNone.load(ordering: .relaxed)
        if known != .unknown { return known == .no }
        let answer = change.isNone(equality)
        isNone.store(answer ? .yes : .no, ordering: .relaxed)
        return !answer
    }

    @usableFromInline func folded(after earlier: any SlotChange) -> any SlotChange {
        guard let earlier = earlier as? PendingChange else { return self }
        let folded = PendingChange(
            EntityChange(
                of: change.slot,
                change.id,
                from: earlier.change.oldValue,
                to: change.value,
                revision: revision,
                origins: earlier.commitOrigins.union(commitOrigins),
                isInitial: earlier.change.isInitial,
                isEviction: change.isEviction
            ),
            equality,
            (earlier.ordinals.old, ordinals.new)
        )
        if isNewsOfNothing || earlier.isNewsOfNothing { folded.letReadersReadAgain() }
        return folded
    }

    /// Notifies those who have read that nothing is stored, although nothing is stored now, because their next read depends on
    /// another key.
    func letReadersReadAgain() {
        if case .none = change.oldValue, case .none = change.value { isNone.store(.no, ordering: .relaxed) }
    }

    private var isNewsOfNothing: Bool {
        guard case .none = change.oldValue, case .none = change.value else { return false }
        return isNone.load(ordering: .relaxed) == .no
    }
}
