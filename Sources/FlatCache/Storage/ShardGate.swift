internal import Synchronization

/// What is under way in a shard that others must look at or wait for.
///
/// Guarded by the lock of the shard.
@usableFromInline
final class ShardGate<Value: Cachable> {
    /// A large commit: readers look into it once it is published; writers wait for its end.
    var overlay: Overlay<Value>?
    /// What bodies have reserved; writers of that wait for their ends.
    var reserved: [Reserved] = []

    var isEmpty: Bool { overlay == nil && reserved.isEmpty }

    /// What the calling thread must wait for before it writes; `nil` when it may.
    ///
    /// - Parameter isReserved: Whether some of what it writes is reserved.
    func obstacle(_ isReserved: (Reserved) -> Bool) -> Hold? {
        overlay?.commit.hold ?? reserved.first { isReserved($0) && $0.owner.keepsOff }?.owner.hold
    }
}

/// A body that has reserved what it reads.
protocol ReservationOwner: AnyObject, Sendable {
    /// What those wait for who must.
    var hold: Hold { get }

    /// Whether the calling thread must wait before it writes what is reserved.
    var keepsOff: Bool { get }
}

/// What a body has reserved in a shard.
///
/// Guarded by the lock of the shard.
struct Reserved {
    let owner: any ReservationOwner
    /// The slots, pinned by the reservation.
    var slots: Set<ObjectIdentifier> = []
    /// Whether all slots are reserved, also those that are made later.
    var isWhole = false

    /// Whether a slot is reserved; without a slot, whether one would be that is made now.
    func contains<Value>(_ slot: Slot<Value>?) -> Bool {
        isWhole || slot.map { slots.contains(ObjectIdentifier($0)) } ?? false
    }
}

/// A commit that is too large to be made while readers wait.
///
/// First it closes the gates of its shards, so that no other commit comes between. Then it is published by one store:
/// from that moment on readers see all of it, what isn't in its slots yet through the ``Overlay`` of its shard. Then it
/// moves its changes into the slots, a bounded piece under a lock, and opens the gates.
@usableFromInline
final class LargeCommit: Sendable {
    let hold = Hold()
    /// The revision; 0 until it is published.
    let published = Atomic<UInt64>(0)
}

/// The changes that a large commit makes to the entities of a type.
///
/// They don't change while readers can look into them, but for those that have moved into their slots.
@usableFromInline
class Overlay<Value: Cachable>: @unchecked Sendable {  // Subclasses say what guards their variables.
    let commit: LargeCommit

    init(of commit: LargeCommit) {
        self.commit = commit
    }

    /// What the commit does to an entity that it hasn't moved yet, `nil` for nothing; asked while the shard is locked.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entity.
    ///   - hash: The hash of the identifier.
    ///   - slot: The slot, if there is one.
    func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot<Value>?) -> OverlayChange<Value>? { nil }
}

/// What a large commit does to an entity.
enum OverlayChange<Value: Cachable> {
    case stored(Value)
    case removed

    /// The entity that is stored then.
    var value: Value? {
        if case .stored(let value) = self { value } else { nil }
    }
}

extension ShardReference {
    /// The entity of an identifier as readers see it beside a large commit.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - hash: The hash of the identifier.
    ///   - slot: The slot, if there is one.
    ///   - snapshot: The revision of an open snapshot; `nil` for the newest state.
    @usableFromInline func visibleValue(
        of id: Value.ID,
        _ hash: HashedID,
        _ slot: Slot<Value>?,
        at snapshot: UInt64? = nil
    ) -> Value? {
        if let (_, change) = unmovedChange(of: id, hash, slot, at: snapshot) { return change.value }
        guard let snapshot else { return slot?.copy }
        return slot?.value(at: snapshot)
    }

    /// What a large commit that readers see does to an entity, if that isn't in its slot yet; `nil` when it does nothing.
    ///
    /// - Returns: The revision of the commit, and the change.
    func unmovedChange(
        of id: Value.ID,
        _ hash: HashedID,
        _ slot: Slot<Value>?,
        at snapshot: UInt64? = nil
    ) -> (revision: UInt64, change: OverlayChange<Value>)? {
        guard let overlay = pointer.pointee.gate?.overlay else { return nil }
        let published = overlay.commit.published.load(ordering: .acquiring)
        guard published != 0, published <= snapshot ?? .max, slot?.revision != published else { return nil }
        return overlay.change(of: id, hash, slot).map { (published, $0) }
    }

    /// What the calling thread must wait for before it writes a slot; `nil` when it may.
    func obstacle(to slot: Slot<Value>) -> Hold? {
        pointer.pointee.gate?.obstacle { $0.contains(slot) }
    }

    /// Waits until no large commit is under way; the lock is opened meanwhile.
    @inlinable func waitForLargeCommit() {
        if isGated { waitForOverlay() }
    }

    @usableFromInline func waitForOverlay() {
        while let hold = pointer.pointee.gate?.overlay?.commit.hold { wait(for: hold) }
    }

    /// Waits until the calling thread may write a slot that is pinned; the lock is opened meanwhile.
    @inlinable func waitToWrite(_ slot: Slot<Value>) {
        if isGated { waitForObstacles(to: slot) }
    }

    @usableFromInline func waitForObstacles(to slot: Slot<Value>) {
        while let hold = obstacle(to: slot) { wait(for: hold) }
    }

    private func wait(for hold: Hold) {
        unlock()
        SyncPoint.reach(.waiting)
        hold.wait()
        lock()
    }

    func whileLocked<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    /// Changes what is under way in the shard.
    func changeGate<Result>(_ body: (ShardGate<Value>) -> Result) -> Result {
        let gate = pointer.pointee.gate ?? ShardGate()
        defer { pointer.pointee.gate = gate.isEmpty ? nil : gate }
        return body(gate)
    }
}
