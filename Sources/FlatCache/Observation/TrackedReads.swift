public import Observation
internal import Synchronization

/// The tracked reads of one entity since it changed last, as the Observation framework knows them.
///
/// It stands at the slot of the entity from the first tracked read until a commit changes the entity. The commit takes it
/// out under the lock of the shard, so that it notifies those alone who have read what was there before, and what comes
/// after the commit begins anew. Therefore nothing is left of reads whose readers were notified: the framework's
/// registrars keep a kilobyte for each that ever was tracked.
///
/// Only documented calls of the framework are used, and one key path for all.
@usableFromInline
final class TrackedReads: Observable, @unchecked Sendable {  // `level` is guarded by the lock of the repetitions.
    private let registrar = ObservationRegistrar()
    /// The thread that has read, as a number; 0 for none, ``manyThreads`` for several.
    private let reader = Atomic<UInt>(0)
    /// Whether anybody has read who may not have been on the main thread.
    private let isReadOffMain = Atomic(false)

    /// Whether a thread is notifying the framework, and whether it must do so again.
    private let turn = Atomic(Turn.free)
    /// The place among what is repeated; `nil` if this isn't.
    @exclusivity(unchecked) var level: UInt8?

    private enum Turn: UInt8, AtomicRepresentable {
        case free, taken, takenAgain
    }

    private static var manyThreads: UInt { .max }

    init() {}

    // Nothing is ever read through this: it only lends its key path.
    private var entity: Void { () }

    /// Notes that the calling thread reads, which must ``access()`` then; while locks are held that those take who take this
    /// out of its place.
    func noteReader() {
        let thread = ThreadIdentity.current
        let known = reader.load(ordering: .relaxed)
        if known != thread.bits { reader.store(known == 0 ? thread.bits : Self.manyThreads, ordering: .relaxed) }
        if !ThreadIdentity.isMain { isReadOffMain.store(true, ordering: .relaxed) }
    }

    /// Notes for the framework that the calling thread reads, while no lock is held.
    @usableFromInline func access() { registrar.access(self, keyPath: \.entity) }

    /// Notifies the framework of a change, after this was taken out of its place; repeats that where it may come too early.
    func notify() {
        notifyOnce()
        if mayComeTooEarly { Repetitions.shared.add(self) }
    }

    /// Notifies the framework of a change, whether or not it was notified before.
    ///
    /// If another thread is doing that, it does it again: from two at the same time, the framework would call each reader
    /// twice.
    func notifyOnce() {
        guard turn.exchange(.takenAgain, ordering: .acquiringAndReleasing) == .free else { return }
        repeat {
            turn.store(.taken, ordering: .sequentiallyConsistent)
            registrar.withMutation(of: self, keyPath: \.entity) {}
        } while !turn.compareExchange(expected: .taken, desired: .free, ordering: .acquiringAndReleasing).exchanged
    }

    /// Notifies the calling thread, which has read what others have changed already, as soon as it is registered.
    static func notifyReaderSoon() {
        let reads = TrackedReads()
        reads.noteReader()
        reads.access()
        Repetitions.shared.add(reads)
    }

    /// Whether the function in which somebody has read may still be running: the framework registers what is read when it has
    /// returned.
    private var mayComeTooEarly: Bool {
        let reader = reader.load(ordering: .relaxed)
        // A thread that isn't tracked has left all functions in which it was.
        return reader != ThreadIdentity.current.bits || TrackingProbe.ofThread.probe.isInTrackedBody
    }

    /// Whether everybody has read on the main thread.
    var areAllOnMain: Bool { !isReadOffMain.load(ordering: .relaxed) }
}

extension Slot {
    /// Takes the tracked reads out of the slot, for a commit that changes the entity.
    ///
    /// Where too much is repeated they stay with an entity that stays: then those who read after the commit may be notified
    /// of it, too.
    func takeTrackedReads() -> TrackedReads? {
        guard let extras, let reads = extras.trackedReads else { return nil }
        if Repetitions.shared.areMany, isStored { return reads }
        extras.trackedReads = nil
        dropEmptyExtras()
        return reads
    }
}

extension ShardReference {
    /// The tracked reads of a slot, which is locked, made if there are none; the caller is noted as a reader.
    ///
    /// Those of an entity that isn't stored are kept by the shard, so that what is missing needs no slot.
    @inlinable func trackedReads(of slot: Slot<Value>) -> TrackedReads { trackedReads(of: slot, isStored: slot.isStored) }

    /// The tracked reads of a slot; in code for all types, the question whether there is an entity copies it.
    @usableFromInline func trackedReads(of slot: Slot<Value>, isStored: Bool) -> TrackedReads {
        let reads: TrackedReads
        if isStored {
            reads = slot.extras?.trackedReads ?? TrackedReads()
            slot.makeExtras().trackedReads = reads
        } else {
            reads = makeKept().missingReads.reads(of: slot.bucket)
        }
        reads.noteReader()
        return reads
    }

    /// Lets an insertion notify those who have read that the entity is missing.
    @inline(never) @usableFromInline func moveMissingReads(to slot: Slot<Value>) {
        guard let kept = pointer.pointee.kept, let reads = kept.missingReads.take(of: slot.bucket) else { return }
        slot.makeExtras().trackedReads = reads
        if kept.isEmpty { pointer.pointee.kept = nil }
    }
}

/// The tracked reads of the entities that aren't stored in a shard, by the buckets of their identifiers.
///
/// Guarded by the lock of the shard.
struct MissingReads {
    private var reads: [UInt32: TrackedReads] = [:]
    /// The reads of all others, once there are many: what is missing must not take memory without a limit.
    ///
    /// While there are such, nothing else is added, so that what one entity's readers wait for stands in one place.
    private var others: TrackedReads?

    private static let limit = 32

    var isEmpty: Bool { reads.isEmpty && others == nil }

    /// The reads of an entity, made if there are none.
    mutating func reads(of bucket: UInt32) -> TrackedReads {
        if let known = reads[bucket] ?? others { return known }
        let made = TrackedReads()
        if reads.count < Self.limit { reads[bucket] = made } else { others = made }
        return made
    }

    /// Takes out the reads of an entity.
    mutating func take(of bucket: UInt32) -> TrackedReads? { reads.removeValue(forKey: bucket) ?? others.take() }

    /// Puts the reads of an entity back in their place.
    ///
    /// - Returns: Whether the place was free.
    mutating func putBack(_ reads: TrackedReads, of bucket: UInt32) -> Bool {
        if self.reads[bucket] != nil || others != nil { return false }
        self.reads[bucket] = reads
        return true
    }

    mutating func takeAll() -> [TrackedReads] {
        defer { self = MissingReads() }
        return reads.values + (others.map { [$0] } ?? [])
    }
}

/// What a commit has done to an entity with tracked reads, which it has taken out of their place.
final class TrackedChange<Value: Cachable>: SlotObserver, @unchecked Sendable {  // Used by the thread that commits.
    private let reads: TrackedReads
    private let table: Table<Value>
    /// Whether there is anything to notify of, asked in code that is specialized for the type.
    private let hasNews: @Sendable (any SlotChange) -> Bool
    private var change: Transition<Value>?

    init(_ reads: TrackedReads, in table: Table<Value>, hasNews: @escaping @Sendable (any SlotChange) -> Bool) {
        self.reads = reads
        self.table = table
        self.hasNews = hasNews
    }

    // In no list of observers.
    var position = 0

    var calls: ObserverCalls { ObserverCalls() }

    func post(_ change: any SlotChange, _ posts: inout CommitPosts) {
        self.change = unsafeDowncast(change, to: Transition<Value>.self)
        posts.add(self, nil)
    }

    func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        for change in changes.all { post(change, &posts) }
    }

    func deliver() -> Bool {
        while let change, !hasNews(change) {
            // Nothing has changed: the reads wait on.
            switch table.putBack(reads, after: change) {
            case .waiting: return false
            case .changed(let later): self.change = later
            case .replaced: self.change = nil
            }
        }
        reads.notify()
        return false
    }

    func mustSchedule() -> Bool { false }

    func beginScheduled() {}

    func finish() { reads.notify() }
}

extension Table {
    fileprivate enum PutBack {
        /// The reads stand in their place again.
        case waiting
        /// Others have committed meanwhile; what it amounts to is this.
        case changed(Transition<Value>)
        /// Others have read meanwhile, and have the place.
        case replaced
    }

    /// Puts tracked reads back in their place, after a commit that has stored what was there.
    fileprivate func putBack(_ reads: TrackedReads, after change: Transition<Value>) -> PutBack {
        let slot = change.change.slot
        let shard = shards[HashedID(slot)]
        return withSlot(slot) {
            // A removal of all entities doesn't touch slots that nobody needs.
            let clearedRevision = shard.pointer.pointee.clearedRevision
            guard slot.revision == change.revision, clearedRevision <= change.revision else {
                let later = EntityChange(
                    of: slot,
                    from: change.change.oldValue,
                    to: clearedRevision > slot.revision ? nil : slot.copy,
                    revision: max(slot.revision, clearedRevision),
                    isInitial: false
                )
                return .changed(Transition(later, equality))
            }
            return shard.putBack(reads, at: slot) ? .waiting : .replaced
        }
    }
}

extension ShardReference {
    /// Puts tracked reads back in their place.
    ///
    /// - Returns: Whether they have it.
    fileprivate func putBack(_ reads: TrackedReads, at slot: Slot<Value>) -> Bool {
        if slot.isStored {
            if let others = slot.extras?.trackedReads { return others === reads }
            slot.makeExtras().trackedReads = reads
        } else {
            return makeKept().missingReads.putBack(reads, of: slot.bucket)
        }
        return true
    }
}

/// The tracked reads of all entities of a type, until one of them changes.
final class TrackedTable<Value: Cachable>: GatheringObserver, @unchecked Sendable {
    // `registration` is guarded by the locks of all shards.
    let reads = TrackedReads()
    private let mailbox = Mailbox<GatheredChanges> { $0.fold($1) }
    private unowned let table: Table<Value>
    private var registration: TableRegistration<Value>?

    /// Begins to watch a table, all of whose shards are locked.
    init(_ table: Table<Value>) {
        self.table = table
        registration = TableRegistration(adding: SlotMember(of: self), to: table)
    }

    var calls: ObserverCalls { mailbox.calls }

    func post(_ changes: GatheredChanges) -> (any Sendable)? { mailbox.post(changes) }

    func deliver() -> Bool {
        mailbox.deliver { changes in
            if changes.areNews { end() }
        }
    }

    private func end() {
        let registration = table.withAllShards {
            if table.trackedReads === self { table.trackedReads = nil }
            return self.registration.take()
        }
        registration?.remove()
        finish()
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    func finish() {
        if mailbox.calls.areEnded { return }
        mailbox.close()
        reads.notify()
    }

    /// Lets go of the table, when the cache goes.
    func close() { registration = nil }
}
