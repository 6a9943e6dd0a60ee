internal import Synchronization

/// The change of one entity by one or more commits, whatever its type is, for observers that are notified later or together with
/// others.
///
/// The identifier and both entities are in one allocation, which all observers share.
@usableFromInline
struct SlotChange: @unchecked Sendable {  // Entities are sendable, and what is variable is atomic.
    private let memory: Memory

    /// What a change is, before its identifier and its entities in memory.
    struct Facts: ~Copyable {
        fileprivate let layout: EntityLayout
        /// The address of the identifier.
        fileprivate let id: UnsafeMutableRawPointer
        fileprivate let slot: SlotIdentity
        fileprivate let revision: UInt64
        fileprivate let origins: CommitOrigins
        fileprivate let ordinals: (old: UInt64, new: UInt64)
        fileprivate let isInitial: Bool
        fileprivate let isEviction: Bool
        fileprivate let hasOld: Bool
        fileprivate let hasNew: Bool
        /// Whether the entity is equal before and after, computed once.
        fileprivate let isNone = Atomic(Answer.unknown)
    }

    fileprivate enum Answer: UInt8, AtomicRepresentable {
        case unknown, yes, no
    }

    /// Creates the change to the present entity of a locked slot.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - identity: The slot whose observers are notified, or `nil` if it is this one.
    ///   - layout: The layout of the entity.
    ///   - oldEntity: The entity before.
    ///   - newEntity: The entity after, or `nil` if it is that of the slot.
    ///   - oldOrdinal: The place of the old entity in the order of insertion, or `nil` if it is that of the slot.
    ///   - revision: The revision of the change, or `nil` if it is that of the slot.
    ///   - origins: The origins of the commits.
    ///   - isInitial: Whether this is the initial state of an observation.
    ///   - isEviction: Whether the newest commit has evicted the entity.
    init(
        of slot: Slot,
        for identity: SlotIdentity? = nil,
        _ layout: EntityLayout,
        from oldEntity: EntitySource,
        to newEntity: EntitySource? = nil,
        oldOrdinal: UInt64? = nil,
        revision: UInt64? = nil,
        origins: CommitOrigins,
        isInitial: Bool = false,
        isEviction: Bool = false
    ) {
        self.init(
            layout,
            identity ?? SlotIdentity(slot),
            layout.id(of: slot),
            from: oldEntity,
            to: newEntity ?? layout.entity(of: slot),
            revision ?? slot.revision,
            origins,
            (oldOrdinal ?? slot.ordinal, slot.ordinal),
            isInitial: isInitial,
            isEviction: isEviction
        )
    }

    private init(
        _ layout: EntityLayout,
        _ slot: SlotIdentity,
        _ id: UnsafeRawPointer,
        from old: EntitySource,
        to new: EntitySource,
        _ revision: UInt64,
        _ origins: CommitOrigins,
        _ ordinals: (old: UInt64, new: UInt64),
        isInitial: Bool,
        isEviction: Bool
    ) {
        memory = Memory.make(layout)
        let copy = UnsafeMutableRawPointer(memory.facts + 1).alignedUp(toMultipleOf: layout.alignment)
        layout.copyID(id, to: copy)
        memory.facts.initialize(
            to: Facts(
                layout: layout,
                id: copy,
                slot: slot,
                revision: revision,
                origins: origins,
                ordinals: ordinals,
                isInitial: isInitial,
                isEviction: isEviction,
                hasOld: layout.initialize(copy + layout.changeOffset, from: old),
                hasNew: layout.initialize(copy + layout.changeOffset + layout.entityStride, from: new)
            )
        )
    }

    /// Creates the initial change of an observer from the state of a locked slot.
    init(initialStateOf slot: Slot, _ layout: EntityLayout) {
        self.init(of: slot, layout, from: .none, origins: CommitOrigins(), isInitial: true)
    }

    private var facts: UnsafeMutablePointer<Facts> { memory.facts }

    /// The slot.
    var slot: SlotIdentity { facts.pointee.slot }

    /// The revision of the newest commit that made the change.
    var revision: UInt64 { facts.pointee.revision }

    /// The origins of the commits that made the change.
    @usableFromInline var origins: CommitOrigins { facts.pointee.origins }

    /// The places of the old and the new entity in the order of insertion.
    var ordinals: (old: UInt64, new: UInt64) { facts.pointee.ordinals }

    /// Whether the newest commit has evicted the entity.
    @usableFromInline var isEviction: Bool { facts.pointee.isEviction }

    /// Whether an entity is stored before the change.
    @usableFromInline var wasStored: Bool { facts.pointee.hasOld }

    /// Whether an entity is stored after the change.
    @usableFromInline var isStored: Bool { facts.pointee.hasNew }

    /// Whether an entity is stored only before or only after the change.
    var changesPresence: Bool { wasStored != isStored }

    /// Whether it is a change of a table.
    func isChange(in table: EntityTable) -> Bool { facts.pointee.layout === table.layout }

    /// The key of the slot.
    var key: FlatCacheKey { facts.pointee.layout.key(facts.pointee.id) }

    /// The kind of the change, which isn't ``ChangeKind/initial``, or `nil` if the entity is equal before and after.
    var netChange: ChangeKind? { hasNews ? kind : nil }

    /// The kind of the change.
    ///
    /// - Parameter isInitial: Whether the initial state of an observation is a kind of its own.
    func kind(isInitial: Bool) -> ChangeKind { isInitial && facts.pointee.isInitial ? .initial : kind }

    private var kind: ChangeKind {
        if !wasStored { return .inserted }
        if isStored { return .updated }
        return isEviction ? .evicted : .removed
    }

    /// Whether observers must be notified.
    ///
    /// `==` is user code, so it runs here, where no lock is held.
    @usableFromInline var hasNews: Bool {
        let known = facts.pointee.isNone.load(ordering: .relaxed)
        if known != .unknown { return known == .no }
        let answer = isNone
        facts.pointee.isNone.store(answer ? .yes : .no, ordering: .relaxed)
        return !answer
    }

    private var isNone: Bool {
        if facts.pointee.isInitial { return false }
        guard wasStored, isStored else { return !wasStored && !isStored }
        return facts.pointee.layout.equality?.areEqual(oldAddress, address) ?? false
    }

    /// The identifier.
    func id<Value: Cachable>(of type: Value.Type) -> Value.ID {
        withExtendedLifetime(memory) { facts.pointee.id.assumingMemoryBound(to: Value.ID.self).pointee }
    }

    /// The entity before the change, or `nil` if none was stored.
    @inlinable func oldEntity<Value: Cachable>(of type: Value.Type) -> Value? {
        withExtendedLifetime(self) { wasStored ? oldAddress.assumingMemoryBound(to: Value.self).pointee : nil }
    }

    /// The entity after the change, or `nil` if none is stored.
    @inlinable func entity<Value: Cachable>(of type: Value.Type) -> Value? {
        withExtendedLifetime(self) { isStored ? address.assumingMemoryBound(to: Value.self).pointee : nil }
    }

    @usableFromInline var oldAddress: UnsafeMutableRawPointer { facts.pointee.id + facts.pointee.layout.changeOffset }

    @usableFromInline var address: UnsafeMutableRawPointer { oldAddress + facts.pointee.layout.entityStride }

    /// The entity before the change, for another change.
    var oldSource: EntitySource { wasStored ? .copy(of: oldAddress) : .none }

    /// The net change of an earlier change of the same slot and this one.
    func folded(after earlier: SlotChange) -> SlotChange {
        let folded = SlotChange(
            facts.pointee.layout,
            slot,
            facts.pointee.id,
            from: earlier.oldSource,
            to: isStored ? .copy(of: address) : .none,
            revision,
            earlier.origins.union(origins),
            (earlier.ordinals.old, ordinals.new),
            isInitial: earlier.facts.pointee.isInitial,
            isEviction: isEviction
        )
        withExtendedLifetime((self, earlier)) {}
        if isNewsOfNothing || earlier.isNewsOfNothing { folded.letReadersReadAgain() }
        return folded
    }

    /// Notifies those who have read that nothing is stored, although nothing is stored now, because their next read depends on
    /// another key.
    func letReadersReadAgain() {
        if !wasStored && !isStored { facts.pointee.isNone.store(.no, ordering: .relaxed) }
    }

    private var isNewsOfNothing: Bool {
        !wasStored && !isStored && facts.pointee.isNone.load(ordering: .relaxed) == .no
    }

    private final class Memory: ManagedBuffer<Void, UInt64> {
        static func make(_ layout: EntityLayout) -> Memory {
            unsafeDowncast(create(minimumCapacity: layout.changeWords) { _ in }, to: Memory.self)
        }

        var facts: UnsafeMutablePointer<Facts> {
            withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Facts.self) }
        }

        deinit {
            let layout = facts.pointee.layout
            let id = facts.pointee.id
            layout.destroyID(id)
            if facts.pointee.hasOld { layout.destroy(id + layout.changeOffset) }
            if facts.pointee.hasNew { layout.destroy(id + layout.changeOffset + layout.entityStride) }
            facts.deinitialize(count: 1)
        }
    }
}
