/// The dependencies of a body's result: the slots that the last run of the body has read, with or without an entity.
///
/// A slot is observed from its read on, under the same lock, so that no commit is missed in between. The runs of a body
/// usually read the same slots in the same order. A slot that is read at the same place as before costs a comparison,
/// and only other slots are looked up. Signal libraries keep their lists of sources in the same way.
@usableFromInline
final class Dependencies: @unchecked Sendable {
    // While a body runs, only its thread uses the list, its order and `isOutdated`. At other times the lock guards
    // them. The lock always guards `isRunning` and `isFinished`.
    private let lock = Lock()
    private var isRunning = false
    private var isFinished = false

    private unowned let observer: any DependentObserver
    /// The dependencies.
    ///
    /// The first `readCount` were read in this run, in this order, and the others not yet.
    @exclusivity(unchecked) @usableFromInline var list: [Dependency] = []
    @exclusivity(unchecked) var readCount = 0
    /// The places in the list.
    private var places: [SlotIdentity: Int] = [:]
    /// Whether a table has changed between the state that was read and the start of its observation.
    @exclusivity(unchecked) private var isOutdated = false
    /// The newest commit that has changed a dependency which this run has added.
    @exclusivity(unchecked) private(set) var newestRevision: UInt64 = 0
    /// The changes that were folded into others in this run, to be released when no lock is held.
    @exclusivity(unchecked) private var folded: [any Sendable] = []

    /// Creates an empty list.
    ///
    /// - Parameter observer: The observer that is notified of changes. It owns the list.
    init(of observer: any DependentObserver) {
        self.observer = observer
    }

    /// Whether there are no dependencies, between two runs.
    var isEmpty: Bool { lock.withLock { list.isEmpty } }

    /// Runs a body that reads a snapshot.
    ///
    /// Its reads replace the dependencies.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot that the body reads.
    ///   - body: A closure that reads.
    /// - Returns: The body's return value, and whether it is already out of date.
    func record<Result, Failure: Error>(
        on snapshot: Snapshot,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (Result, isOutdated: Bool) {
        let isWanted = lock.withLock {
            isRunning = !isFinished
            return isRunning
        }
        // A cancelled observer has a last result, but observes nothing any more.
        guard isWanted else { return (try body(), false) }
        readCount = 0
        isOutdated = false
        newestRevision = 0
        snapshot.dependencies = self
        defer {
            snapshot.dependencies = nil
            removeUnread()
            folded = []
        }
        return (try body(), isOutdated)
    }

    /// Ends a run, and removes the dependencies that it hasn't read.
    private func removeUnread() {
        let unread = lock.withLock {
            isRunning = false
            return take(from: isFinished ? 0 : readCount)
        }
        for dependency in unread { dependency.registration.remove() }
    }

    /// Ends observation.
    ///
    /// Dependencies of a run on another thread are removed when the run ends.
    func finish() {
        let watched = lock.withLock {
            isFinished = true
            return isRunning ? [] : take(from: 0)
        }
        for dependency in watched { dependency.registration.remove() }
    }

    /// Removes and returns the dependencies from a place on.
    private func take(from place: Int) -> ArraySlice<Dependency> {
        if place == list.count { return [] }
        let taken = list[place...]
        for dependency in taken { places[dependency.source] = nil }
        list.removeSubrange(place...)
        return taken
    }

    /// Returns whether a source is read at the same place as in the last run, and then counts it as read.
    func isNext(_ source: SlotIdentity) -> Bool {
        guard readCount < list.count, list[readCount].source == source else { return false }
        readCount &+= 1
        return true
    }

    /// Records the read of a slot, or only of whether it has an entity, while its shard is locked.
    @inline(never) @usableFromInline func note(
        _ slot: Slot,
        isPresence: Bool = false,
        in table: EntityTable,
        _ snapshot: Snapshot
    ) {
        let source = isPresence ? SlotIdentity(slot).ofPresence : SlotIdentity(slot)
        if isKnown(source) { return }
        let subscription = KeySubscription(
            of: observer,
            isOfPresence: isPresence,
            keepsEntity: observer.keepsEntities
        )
        observer.noteRead(of: table)
        add(source, SlotRegistration(adding: subscription, to: slot, of: table))
        note(revisionOf: slot, in: table)
        guard slot.revision > snapshot.revision else { return }
        // The change since the state that is read. Later ones are folded into it, because the shard is locked.
        let change = SlotChange(
            of: slot,
            table.layout,
            from: table.layout.entity(of: slot, at: snapshot.revision),
            origins: CommitOrigins(.unknown),
            isEviction: slot.isEvicted
        )
        if isPresence && !change.changesPresence { return }
        if let old = observer.post(GatheredChanges([change])) { folded.append(old) }
    }

    private func note(revisionOf slot: Slot, in table: EntityTable) {
        newestRevision = max(newestRevision, slot.revision)
        if slot.isStored { return }
        // A dropped slot has left its revision to the shard.
        let shard = table.shards[HashedID(slot)]
        newestRevision = max(newestRevision, shard.droppedRevision, shard.clearedRevision)
    }

    /// Records the read of all slots of a table, or only of their number, while all its shards are locked.
    func note(_ table: EntityTable, isCount: Bool, _ snapshot: Snapshot) {
        let source = isCount ? SlotIdentity(table).ofPresence : SlotIdentity(table)
        if isKnown(source) { return }
        observer.noteRead(of: table)
        add(source, TableRegistration(adding: KeySubscription(of: observer, isOfPresence: isCount), to: table))
        for shard in table.shards.all {
            let changed = shard.pointer.pointee.changedRevision
            newestRevision = max(newestRevision, changed)
            if changed > snapshot.revision { isOutdated = true }
        }
    }

    /// Records the read of something that isn't an entity.
    ///
    /// - Parameters:
    ///   - source: Its identity, which must be unique while it is registered.
    ///   - register: Registers the observer, if it isn't known.
    func note(_ source: SlotIdentity, _ register: (any DependentObserver) -> any Registration) {
        if !isKnown(source) { add(source, register(observer)) }
    }

    /// Records that something that this run has read has changed since the state that is read.
    func noteChange(at revision: UInt64) {
        newestRevision = max(newestRevision, revision)
        isOutdated = true
    }

    /// Returns whether a source is already a dependency, and then counts it as read.
    private func isKnown(_ source: SlotIdentity) -> Bool {
        guard let place = places[source] else { return false }
        if place >= readCount { moveToEndOfRead(from: place) }
        return true
    }

    private func add(_ source: SlotIdentity, _ registration: any Registration) {
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

/// A dependency on a slot, or on all slots of a table.
@frozen @usableFromInline
struct Dependency {
    /// The identity of the slot or the table, which exists while it is observed.
    @usableFromInline let source: SlotIdentity
    fileprivate let registration: any Registration
}

/// An observer of what a body has read.
protocol DependentObserver: MultiKeyObserver {
    /// Records that a commit has changed something that was read and isn't an entity, while no lock is held.
    func postChange(at revision: UInt64)

    /// Whether the entities that were read must not be evicted while they are observed.
    var keepsEntities: Bool { get }

    /// Records that an entity of a table, or its number, is read, and wasn't read before.
    ///
    /// A shard of the table is locked.
    func noteRead(of table: EntityTable)

    /// Records that what is computed from a query is read, and wasn't read before.
    func noteRead(of reading: any ReadingOfQuery)

    /// Records that a reading isn't read any more.
    func endRead(of reading: any ReadingOfQuery)
}

extension DependentObserver {
    var keepsEntities: Bool { true }

    var readsAgain: Bool { true }

    func noteRead(of table: EntityTable) {}

    func noteRead(of reading: any ReadingOfQuery) {}

    func endRead(of reading: any ReadingOfQuery) {}
}
