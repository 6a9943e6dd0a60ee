internal import Synchronization

/// The reservation of the slots that a body reads, after other threads have overtaken it often.
///
/// Other threads wait for the body's end before they write reserved slots, unless they have an older reservation. So
/// the body with the oldest reservation isn't overtaken, and there are no deadlocks.
@usableFromInline
final class Reservation: ReservationOwner, @unchecked Sendable {  // `releases` is of the thread of the body alone.
    fileprivate static let ofThread = ThreadLocal<Reservation>()
    private static let lastNumber = Atomic<UInt64>(0)

    let hold = Hold()
    private let ownWrites = OwnWrites()
    private let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// The reservation of the outer body.
    private let outer: Reservation?
    /// The closures that end the reservation in each shard.
    private var releases: [() -> Void] = []

    init() {
        outer = Self.ofThread.object
        Self.ofThread.object = self
    }

    /// Reserves a slot, which is kept, so that other threads wait before they write it.
    ///
    /// This waits for earlier reservations of the slot.
    @usableFromInline func add(_ slot: Slot, of table: EntityTable) {
        let shard = table.shards[HashedID(slot)]
        let (isNew, hold) = table.withSlot(slot) {
            let isNew = shard.reserve(for: self) { $0.slots.insert(SlotIdentity(slot)).inserted }
            if isNew { slot.pins += 1 }
            return (isNew, shard.obstacle(to: slot))
        }
        if isNew {
            releases.append { [self] in table.withSlot(unpinning: slot) { shard.endReservation(self) } }
        }
        hold?.wait()
    }

    /// Reserves all slots of a table, including those that are created later.
    ///
    /// This waits for earlier reservations in the table.
    func add(_ table: EntityTable) {
        for shard in table.shards.all {
            let (isNew, hold) = shard.whileLocked {
                let isNew = shard.reserve(for: self) { reserved in
                    defer { reserved.isWhole = true }
                    return !reserved.isWhole
                }
                return (isNew, shard.pointer.pointee.gate?.obstacle { _ in true })
            }
            if isNew { releases.append { [self] in shard.whileLocked { shard.endReservation(self) } } }
            hold?.wait()
        }
    }

    /// Ends the reservation, so that waiting threads continue.
    func end() {
        for release in releases { release() }
        releases = []
        Self.ofThread.object = outer
        hold.end()
    }

    /// Runs a body, and records its writes outside of its transaction if the calling thread has a reservation.
    static func recordingOwnWrites<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let ownWrites else { return try body() }
        return try ownWrites.record(body)
    }

    /// The recorded writes of the calling thread, or `nil` if it has no reservation.
    static var ownWrites: OwnWrites? { ofThread.object?.ownWrites }

    /// Whether the calling thread must wait before it writes the reserved slots.
    ///
    /// A thread in a body or callback never waits, because other threads may wait for it. It writes, and the body with
    /// the reservation runs again.
    var keepsOff: Bool {
        guard let mine = Self.ofThread.object else { return !ReadContext.isAnyRunning }
        return number < mine.number && !ReadContext.isAnyRunning
    }
}

extension ShardReference {
    /// Changes the reservation in a locked shard.
    fileprivate func reserve<Result>(for reservation: Reservation, _ body: (inout Reserved) -> Result) -> Result {
        changeGate { gate in
            let place = gate.reserved.firstIndex { $0.owner === reservation } ?? gate.reserved.count
            if place == gate.reserved.count { gate.reserved.append(Reserved(owner: reservation)) }
            return body(&gate.reserved[place])
        }
    }

    /// Ends a reservation in the locked shard.
    fileprivate func endReservation(_ reservation: Reservation) {
        changeGate { $0.reserved.removeAll { $0.owner === reservation } }
    }
}

/// The number of times the body of an update or a transaction, or the merges of a commit, were overtaken.
@frozen @usableFromInline
struct Overtaken: ~Copyable {
    private var count = 0
    private var reservation: Reservation?

    @usableFromInline init() {}

    /// Counts a run that was overtaken.
    ///
    /// After some of them, the slots are reserved.
    ///
    /// - Parameter reserve: A closure that reserves the slots that the body or the merges have read.
    @usableFromInline mutating func again(_ reserve: (Reservation) -> Void) {
        count += 1
        guard count >= 8 else { return }
        if reservation == nil {
            // A merge in the commit of a body uses the body's reservation. A thread that waits must not have two, because
            // two threads could wait for each other.
            if let outer = Reservation.ofThread.object, !ReadContext.isAnyRunning { return reserve(outer) }
            reservation = Reservation()
        }
        if let reservation { reserve(reservation) }
    }

    /// Ends the reservation, so that other threads continue.
    @usableFromInline mutating func end() {
        reservation?.end()
        reservation = nil
    }
}
