/// What the result of a body depends on: the slots that the body has read when it ran last, with an entity or without.
///
/// A slot is watched from the moment it is read, under the lock under which it is read, so that no commit is missed in
/// between. Bodies read nearly the same in each run: a slot that is read in its old place costs a comparison, and only
/// others are looked up. Signal libraries keep their lists of sources in the same way.
@usableFromInline
final class Dependencies: @unchecked Sendable {
    // While a body runs, the list, its order and `isOutdated` are used only by the thread on which it runs; at other times
    // they are guarded by the lock, as `isRunning` and `isFinished` are always.
    private let lock = Lock()
    private var isRunning = false
    private var isFinished = false

    private unowned let observer: any MultiKeyObserver
    /// The first `readCount` in the order in which they were read in this run; the others have not been read in it yet.
    @exclusivity(unchecked) @usableFromInline var list: [Dependency] = []
    @exclusivity(unchecked) @usableFromInline var readCount = 0
    /// The places in the list.
    private var places: [ObjectIdentifier: Int] = [:]
    /// Whether something has changed between the state that was read and the moment from which it is watched.
    @exclusivity(unchecked) private var isOutdated = false

    /// Creates an empty list.
    ///
    /// - Parameter observer: Is notified of changes; it owns the list.
    init(of observer: any MultiKeyObserver) {
        self.observer = observer
    }

    /// Whether nothing is watched, between two runs.
    var isEmpty: Bool { lock.withLock { list.isEmpty } }

    /// Runs a body that reads a snapshot; what it reads replaces what was read before.
    ///
    /// - Parameters:
    ///   - snapshot: What the body reads.
    ///   - body: Reads.
    /// - Returns: What the body returns, and whether that is out of date already.
    func record<Result, Failure: Error>(
        on snapshot: Snapshot,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (Result, isOutdated: Bool) {
        let isWanted = lock.withLock {
            isRunning = !isFinished
            return isRunning
        }
        // A cancelled observer has a last result, but watches nothing any more.
        guard isWanted else { return (try body(), false) }
        readCount = 0
        isOutdated = false
        snapshot.dependencies = self
        defer {
            snapshot.dependencies = nil
            removeUnread()
        }
        return (try body(), isOutdated)
    }

    /// Ends a run: what it has not read is no longer watched.
    private func removeUnread() {
        let unread = lock.withLock {
            isRunning = false
            return take(from: isFinished ? 0 : readCount)
        }
        for dependency in unread { dependency.registration.remove() }
    }

    /// Stops watching; what a run on another thread still watches goes when it has ended.
    func finish() {
        let watched = lock.withLock {
            isFinished = true
            return isRunning ? [] : take(from: 0)
        }
        for dependency in watched { dependency.registration.remove() }
    }

    /// Takes what comes from a place on out of the list.
    private func take(from place: Int) -> ArraySlice<Dependency> {
        if place == list.count { return [] }
        let taken = list[place...]
        for dependency in taken { places[dependency.source] = nil }
        list.removeSubrange(place...)
        return taken
    }

    /// Whether a source is read in the same place as in the last run; then it counts as read.
    @inlinable func isNext(_ source: ObjectIdentifier) -> Bool {
        guard readCount < list.count, list[readCount].source == source else { return false }
        readCount &+= 1
        return true
    }

    /// Notes that a slot is being read, while its shard is locked.
    @inline(never) @usableFromInline func note<Value>(_ slot: Slot<Value>, in table: Table<Value>, _ snapshot: Snapshot)
    {
        let source = ObjectIdentifier(slot)
        if isKnown(source) { return }
        add(source, SlotRegistration(adding: KeySubscription(of: observer), to: slot, of: table))
        if slot.revision > snapshot.revision { isOutdated = true }
    }

    /// Notes that all slots of a table are being read, while all its shards are locked.
    func note<Value>(_ table: Table<Value>, _ snapshot: Snapshot) {
        let source = ObjectIdentifier(table)
        if isKnown(source) { return }
        add(source, TableRegistration(adding: KeySubscription(of: observer), to: table))
        if table.shards.all.contains(where: { $0.pointer.pointee.changedRevision > snapshot.revision }) {
            isOutdated = true
        }
    }

    /// Whether a source is watched already; then it counts as read.
    private func isKnown(_ source: ObjectIdentifier) -> Bool {
        guard let place = places[source] else { return false }
        if place >= readCount { moveToEndOfRead(from: place) }
        return true
    }

    private func add(_ source: ObjectIdentifier, _ registration: any Registration) {
        places[source] = list.count
        list.append(Dependency(source: source, registration: registration))
        moveToEndOfRead(from: list.count - 1)
    }

    private func moveToEndOfRead(from place: Int) {
        if place != readCount {
            list.swapAt(place, readCount)
            places[list[place].source] = place
            places[list[readCount].source] = readCount
        }
        readCount += 1
    }
}

/// A slot, or all slots of a table, on which something depends.
@frozen @usableFromInline
struct Dependency {
    /// Identifies the slot or the table, which stays as long as it is watched.
    @usableFromInline let source: ObjectIdentifier
    fileprivate let registration: any Registration
}
