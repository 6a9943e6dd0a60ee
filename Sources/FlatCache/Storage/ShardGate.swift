internal import Synchronization

/// The large commits and reservations of a shard, which other threads must read or wait for.
///
/// The lock of the shard guards it.
@usableFromInline
final class ShardGate {
    /// A large commit, which readers read after it is published, and for whose end writers wait.
    var overlay: LargeOverlay?
    /// The reservations of bodies, for whose ends writers of the reserved slots wait.
    var reserved: [Reserved] = []

    var isEmpty: Bool { overlay == nil && reserved.isEmpty }

    /// The hold that the calling thread must wait for before it writes, or `nil` if it may write.
    ///
    /// - Parameter isReserved: Returns whether a reservation contains slots that it writes.
    func obstacle(_ isReserved: (Reserved) -> Bool) -> Hold? {
        overlay?.commit.hold ?? reserved.first { isReserved($0) && $0.owner.keepsOff }?.owner.hold
    }
}

/// A body that has reserved the slots that it reads.
protocol ReservationOwner: AnyObject, Sendable {
    /// The hold that other threads wait for.
    var hold: Hold { get }

    /// Whether the calling thread must wait before it writes the reserved slots.
    var keepsOff: Bool { get }
}

/// The reservation of a body in a shard.
///
/// The lock of the shard guards it.
struct Reserved {
    let owner: any ReservationOwner
    /// The slots, pinned by the reservation.
    var slots: Set<SlotIdentity> = []
    /// Whether all slots are reserved, including those that are created later.
    var isWhole = false

    /// Whether a slot is reserved.
    ///
    /// If `slot` is `nil`, whether a new slot would be reserved.
    func contains(_ slot: Slot?) -> Bool {
        isWhole || slot.map { slots.contains(SlotIdentity($0)) } ?? false
    }
}

/// A commit that is too large to be made while readers wait.
///
/// First it closes the gates of its shards, so that no other commit comes between. Then one store publishes it. From
/// then on readers see all of it, through the ``Overlay`` of a shard for changes that aren't in their slots yet. Then
/// it moves its changes into the slots, in bounded pieces under a lock, and opens the gates.
final class LargeCommit: Sendable {
    let hold = Hold()
    /// The revision, or 0 until it is published.
    let published = Atomic<UInt64>(0)
}

/// The changes that a large commit makes to the entities of a type.
///
/// They don't change while readers can read them, except that changes are moved into their slots.
class Overlay<Value: Cachable>: LargeOverlay, @unchecked Sendable {
    /// The change of an entity that isn't moved into its slot yet, or `nil` for none.
    ///
    /// The shard must be locked.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entity.
    ///   - hash: The hash of the identifier.
    ///   - slot: The slot, if there is one.
    func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot?) -> OverlayChange<Value>? { nil }
}

/// What code that doesn't know the type needs of an ``Overlay``.
class LargeOverlay: @unchecked Sendable {  // Subclasses document the guards of their variables.
    let commit: LargeCommit

    init(of commit: LargeCommit) {
        self.commit = commit
    }

    /// Whether the entity of a slot in a locked shard is removed, and is still in its slot.
    func removes(_ slot: Slot) -> Bool { false }
}

/// The change of an entity by a large commit.
enum OverlayChange<Value: Cachable> {
    case stored(Value)
    case removed

    /// The entity after the change.
    var value: Value? {
        if case .stored(let value) = self { value } else { nil }
    }
}

extension ShardReference {
    /// The entity with an identifier as readers see it during a large commit.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - hash: The hash of the identifier.
    ///   - slot: The slot, if there is one.
    ///   - snapshot: The revision of an open snapshot, or `nil` for the newest state.
    func visibleValue<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        _ slot: Slot?,
        at snapshot: UInt64? = nil
    ) -> Value? {
        if let (_, change) = unmovedChange(of: Value.self, id, hash, slot, at: snapshot) { return change.value }
        guard let snapshot else { return slot?.copy(of: Value.self) }
        return slot?.value(of: Value.self, at: snapshot)
    }

    /// The entity of a slot as readers see it.
    ///
    /// - Parameter snapshot: The revision of an open snapshot, or `nil` for the newest state.
    func visibleValue<Value: Cachable>(of slot: Slot, at snapshot: UInt64? = nil) -> Value? {
        if isGated { return visibleValue(of: slot.id(of: Value.self), HashedID(slot), slot, at: snapshot) }
        guard let snapshot else { return slot.copy(of: Value.self) }
        return slot.value(of: Value.self, at: snapshot)
    }

    /// Whether readers see an entity that a slot has.
    ///
    /// They don't if a published large commit has removed it, which is still about to visit the slot, or to free it.
    func isVisible(_ slot: Slot) -> Bool {
        guard slot.isStored, let overlay = pointer.pointee.gate?.overlay else { return slot.isStored }
        let published = overlay.commit.published.load(ordering: .acquiring)
        return published == 0 || slot.revision == published || !overlay.removes(slot)
    }

    /// The change of an entity by a published large commit, if it isn't in its slot yet, or `nil` for none.
    ///
    /// - Returns: The revision of the commit, and the change.
    func unmovedChange<Value: Cachable>(
        of type: Value.Type,
        _ id: Value.ID,
        _ hash: HashedID,
        _ slot: Slot?,
        at snapshot: UInt64? = nil
    ) -> (revision: UInt64, change: OverlayChange<Value>)? {
        guard let overlay = pointer.pointee.gate?.overlay else { return nil }
        let published = overlay.commit.published.load(ordering: .acquiring)
        guard published != 0, published <= snapshot ?? .max, slot?.revision != published else { return nil }
        return unsafeDowncast(overlay, to: Overlay<Value>.self).change(of: id, hash, slot).map { (published, $0) }
    }

    /// The hold that the calling thread must wait for before it writes a slot, or `nil` if it may write.
    func obstacle(to slot: Slot) -> Hold? {
        pointer.pointee.gate?.obstacle { $0.contains(slot) }
    }

    /// Waits until no large commit is active.
    ///
    /// The lock is released meanwhile.
    @inlinable func waitForLargeCommit() {
        if isGated { waitForOverlay() }
    }

    @usableFromInline func waitForOverlay() {
        while let hold = pointer.pointee.gate?.overlay?.commit.hold { wait(for: hold) }
    }

    /// Waits until the calling thread may write a pinned slot.
    ///
    /// The lock is released meanwhile.
    @inlinable func waitToWrite(_ slot: Slot) {
        if isGated { waitForObstacles(to: slot) }
    }

    @usableFromInline func waitForObstacles(to slot: Slot) {
        while let hold = obstacle(to: slot) { wait(for: hold) }
    }

    private func wait(for hold: Hold) {
        unlock()
        SyncPoint.reach(.waiting)
        hold.wait()
        lock()
    }

    @inlinable func whileLocked<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    /// Changes the gate of the shard.
    func changeGate<Result>(_ body: (ShardGate) -> Result) -> Result {
        let gate = pointer.pointee.gate ?? ShardGate()
        defer { pointer.pointee.gate = gate.isEmpty ? nil : gate }
        return body(gate)
    }
}
