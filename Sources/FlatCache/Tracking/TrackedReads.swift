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
    /// Whether anybody has read who may not have been on the main actor.
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
        if !MainActor.isRunning { isReadOffMain.store(true, ordering: .relaxed) }
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

    /// Whether everybody has read on the main actor.
    var areAllOnMain: Bool { !isReadOffMain.load(ordering: .relaxed) }
}
