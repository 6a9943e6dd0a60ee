internal import Synchronization

/// What is under way in a shard that others must look at or wait for.
///
/// Guarded by the lock of the shard.
@usableFromInline
final class ShardGate<Value: Cachable> {
    /// A large commit: readers look into it once it is published; writers wait for its end.
    var overlay: Overlay<Value>?
    /// Bodies that have reserved some of the slots; writers of those wait for their end.
    var reservations: [Reservation] = []

    var isEmpty: Bool { overlay == nil && reservations.isEmpty }
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

    /// What the commit does to an entity that it hasn't moved yet, asked while the shard is locked.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entity.
    ///   - hash: The hash of the identifier.
    ///   - slot: The slot, if there is one.
    func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot<Value>?) -> OverlayChange<Value> { .none }
}

/// What a large commit does to an entity.
enum OverlayChange<Value: Cachable> {
    case none
    case stored(Value)
    case removed
}

/// What a body has read in vain, because other threads were always faster, and now reads alone.
@usableFromInline
final class Reservation: @unchecked Sendable {
    // The sets change only on the thread of the body; others ask them under the lock of a shard to which the reservation was
    // added after the change.
    let hold = Hold()
    /// The slots, pinned by whoever has made the reservation.
    private var slots: Set<ObjectIdentifier> = []
    private var tables: Set<ObjectIdentifier> = []
    private let thread = ThreadIdentity.current

    /// How to give everything back.
    private var releases: [() -> Void] = []

    /// Reserves a slot: it stays, and other threads wait before they write it.
    @usableFromInline func add<Value>(_ slot: Slot<Value>, of table: Table<Value>) {
        guard slots.insert(ObjectIdentifier(slot)).inserted else { return }
        table.withSlot(slot) {
            slot.pins += 1
            table.shards[HashedID(slot)].add(self)
        }
        releases.append { [self] in
            table.withSlot(unpinning: slot) { table.shards[HashedID(slot)].remove(self) }
        }
    }

    /// Reserves all slots of a table, also those that are made later.
    func add<Value>(_ table: Table<Value>) {
        guard tables.insert(ObjectIdentifier(table)).inserted else { return }
        for shard in table.shards.all { shard.whileLocked { shard.add(self) } }
        releases.append { [self] in
            for shard in table.shards.all { shard.whileLocked { shard.remove(self) } }
        }
    }

    /// Gives everything back: those who wait go on.
    func end() {
        for release in releases { release() }
        releases = []
        hold.end()
    }

    /// Whether the calling thread must not write a slot yet.
    ///
    /// A thread that is in a body or callback itself never waits, because others may wait for it: it goes on, and the body
    /// that has reserved the slot runs again.
    func keepsOff<Value>(_ slot: Slot<Value>, of table: Table<Value>) -> Bool {
        (slots.contains(ObjectIdentifier(slot)) && keepsOffClearing) || keepsOff(table)
    }

    /// Whether the calling thread must not make an entity of a table yet.
    func keepsOff<Value>(_ table: Table<Value>) -> Bool { tables.contains(ObjectIdentifier(table)) && keepsOffClearing }

    /// Whether the calling thread must not remove all entities of a type yet.
    var keepsOffClearing: Bool { thread != ThreadIdentity.current && !RunningBody.isAnyRunning }
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
        if let overlay = pointer.pointee.gate?.overlay {
            let published = overlay.commit.published.load(ordering: .acquiring)
            if published != 0, published <= snapshot ?? .max, slot?.revision != published {
                switch overlay.change(of: id, hash, slot) {
                case .none: break
                case .stored(let value): return value
                case .removed: return nil
                }
            }
        }
        guard let snapshot else { return slot?.copy }
        return slot?.value(at: snapshot)
    }

    /// What the calling thread must wait for before it writes a slot; `nil` when it may.
    func obstacle(to slot: Slot<Value>, of table: Table<Value>) -> Hold? {
        guard let gate = pointer.pointee.gate else { return nil }
        return gate.overlay?.commit.hold ?? gate.reservations.first { $0.keepsOff(slot, of: table) }?.hold
    }

    /// Waits until no large commit is under way; the lock is opened meanwhile.
    @inlinable func waitForLargeCommit() {
        if isGated { waitForOverlay() }
    }

    @usableFromInline func waitForOverlay() {
        while let hold = pointer.pointee.gate?.overlay?.commit.hold { wait(for: hold) }
    }

    /// Waits until the calling thread may write a slot that is pinned; the lock is opened meanwhile.
    @inlinable func waitToWrite(_ slot: Slot<Value>, of table: Table<Value>) {
        if isGated { waitForObstacles(to: slot, of: table) }
    }

    @usableFromInline func waitForObstacles(to slot: Slot<Value>, of table: Table<Value>) {
        while let hold = obstacle(to: slot, of: table) { wait(for: hold) }
    }

    private func wait(for hold: Hold) {
        unlock()
        hold.wait()
        lock()
    }

    func whileLocked(_ body: () -> Void) {
        lock()
        body()
        unlock()
    }

    fileprivate func add(_ reservation: Reservation) {
        changeGate { gate in
            if !gate.reservations.contains(where: { $0 === reservation }) { gate.reservations.append(reservation) }
        }
    }

    fileprivate func remove(_ reservation: Reservation) {
        changeGate { $0.reservations.removeAll { $0 === reservation } }
    }

    /// Changes what is under way in the shard.
    func changeGate(_ body: (ShardGate<Value>) -> Void) {
        let gate = pointer.pointee.gate ?? ShardGate()
        body(gate)
        pointer.pointee.gate = gate.isEmpty ? nil : gate
    }
}
