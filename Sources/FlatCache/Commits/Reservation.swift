internal import Synchronization

/// What a body has read in vain, because other threads were always faster, and now reads alone.
///
/// Threads that want to write what is reserved wait for the body's end, unless they have an older reservation themselves.
/// So the oldest body is overtaken by nobody, and no two threads wait for each other.
@usableFromInline
final class Reservation: ReservationOwner, @unchecked Sendable {  // `releases` is of the thread of the body alone.
    private static let ofThread = ThreadLocal<Reservation>()
    private static let lastNumber = Atomic<UInt64>(0)

    let hold = Hold()
    private let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// The reservation of the body around this one.
    private let outer: Reservation?
    /// How to give everything back.
    private var releases: [() -> Void] = []

    init() {
        outer = Self.ofThread.object
        Self.ofThread.object = self
    }

    /// Reserves a slot: it stays, and other threads wait before they write it.
    ///
    /// Waits for those who have reserved it before.
    @usableFromInline func add<Value>(_ slot: Slot<Value>, of table: Table<Value>) {
        let shard = table.shards[HashedID(slot)]
        let (isNew, hold) = table.withSlot(slot) {
            let isNew = shard.reserve(for: self) { $0.slots.insert(ObjectIdentifier(slot)).inserted }
            if isNew { slot.pins += 1 }
            return (isNew, shard.obstacle(to: slot))
        }
        if isNew {
            releases.append { [self] in table.withSlot(unpinning: slot) { shard.endReservation(self) } }
        }
        hold?.wait()
    }

    /// Reserves all slots of a table, also those that are made later.
    ///
    /// Waits for those who have reserved some before.
    func add<Value>(_ table: Table<Value>) {
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

    /// Gives everything back: those who wait go on.
    func end() {
        for release in releases { release() }
        releases = []
        Self.ofThread.object = outer
        hold.end()
    }

    /// Whether the calling thread must wait before it writes what is reserved.
    ///
    /// A thread that is in a body or callback itself never waits, because others may wait for it: it goes on, and the body
    /// that has reserved runs again.
    var keepsOff: Bool {
        guard let mine = Self.ofThread.object else { return !ReadContext.isAnyRunning }
        return number < mine.number && !ReadContext.isAnyRunning
    }
}

extension ShardReference {
    /// Notes what is reserved, while the shard is locked.
    fileprivate func reserve<Result>(for reservation: Reservation, _ body: (inout Reserved) -> Result) -> Result {
        changeGate { gate in
            let place = gate.reserved.firstIndex { $0.owner === reservation } ?? gate.reserved.count
            if place == gate.reserved.count { gate.reserved.append(Reserved(owner: reservation)) }
            return body(&gate.reserved[place])
        }
    }

    /// Ends a reservation in the shard, which is locked.
    fileprivate func endReservation(_ reservation: Reservation) {
        changeGate { $0.reserved.removeAll { $0.owner === reservation } }
    }
}

/// How often the body of an update or a transaction has run in vain, because other threads were faster.
@frozen @usableFromInline
struct Overtaken: ~Copyable {
    private var count = 0
    private var reservation: Reservation?

    @usableFromInline init() {}

    /// Notes that the body runs again; after some runs in vain other threads must wait for it.
    ///
    /// - Parameter reserve: Reserves what the body has read.
    @usableFromInline mutating func again(_ reserve: (Reservation) -> Void) {
        count += 1
        guard count >= 8 else { return }
        let reservation = reservation ?? Reservation()
        self.reservation = reservation
        reserve(reservation)
    }

    /// Lets other threads go on.
    @usableFromInline mutating func end() {
        reservation?.end()
        reservation = nil
    }
}
