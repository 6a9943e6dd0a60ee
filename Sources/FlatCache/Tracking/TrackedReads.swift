public import Observation
internal import Synchronization

/// The reads of one entity since its last change that the Observation framework tracks.
///
/// The slot of the entity has it from the first tracked read until a commit changes the entity. The commit removes it
/// under the lock of the shard, so that it notifies only readers of the previous state, and later reads create a new
/// one. So no memory remains after readers are notified. A registrar of the framework that was ever tracked keeps a
/// kilobyte.
///
/// Only documented calls of the framework are used, with one key path for all reads.
@usableFromInline
final class TrackedReads: Observable, @unchecked Sendable {  // `level` is guarded by the lock of the repetitions.
    private let registrar = ObservationRegistrar()
    /// The identity of the thread that has read, 0 for none, or ``manyThreads`` for several.
    private let reader = Atomic<UInt>(0)
    /// Whether any read may have been outside of the main actor.
    private let isReadOffMain = Atomic(false)

    /// Whether a thread is notifying the framework, and whether it must do so again.
    private let turn = Atomic(Turn.free)
    /// The level among the repetitions, or `nil` if this isn't repeated.
    @exclusivity(unchecked) var level: UInt8?

    private enum Turn: UInt8, AtomicRepresentable {
        case free, taken, takenAgain
    }

    private static var manyThreads: UInt { .max }

    init() {}

    // This is never read. Only its key path is used.
    private var entity: Void { () }

    /// Records the calling thread as a reader, which must then call ``access()``.
    ///
    /// The lock that guards the place of this object must be held.
    func noteReader() {
        let thread = ThreadIdentity.current
        let known = reader.load(ordering: .relaxed)
        if known != thread.bits { reader.store(known == 0 ? thread.bits : Self.manyThreads, ordering: .relaxed) }
        if !MainActor.isRunning { isReadOffMain.store(true, ordering: .relaxed) }
    }

    /// Registers the read with the framework.
    ///
    /// No lock may be held.
    func access() { registrar.access(self, keyPath: \.entity) }

    /// Notifies the framework of a change, after this was removed from its place, and repeats it if it may be too
    /// early.
    func notify() {
        notifyOnce()
        if mayComeTooEarly { Repetitions.shared.add(self) }
    }

    /// Notifies the framework as ``notify()`` does, but leaves the repetition for functions of the calling thread to the caller,
    /// who can do it once for many tracked reads.
    ///
    /// - Returns: Whether a function of the calling thread that has read may still be running.
    func notifyExceptRunning() -> Bool {
        notifyOnce()
        guard mayComeTooEarly else { return false }
        if reader.load(ordering: .relaxed) == ThreadIdentity.current.bits { return true }
        Repetitions.shared.add(self)
        return false
    }

    /// Notifies the framework of a change, even if it was notified before.
    ///
    /// If another thread is already notifying, that thread repeats it, because the framework would call each reader
    /// twice if two threads notified at the same time.
    func notifyOnce() {
        guard turn.exchange(.takenAgain, ordering: .acquiringAndReleasing) == .free else { return }
        repeat {
            turn.store(.taken, ordering: .sequentiallyConsistent)
            registrar.withMutation(of: self, keyPath: \.entity) {}
        } while !turn.compareExchange(expected: .taken, desired: .free, ordering: .acquiringAndReleasing).exchanged
    }

    /// Notifies the calling thread as soon as it is registered, because other threads have already changed entities
    /// that it has read.
    static func notifyReaderSoon() {
        let reads = TrackedReads()
        reads.noteReader()
        reads.access()
        Repetitions.shared.add(reads)
    }

    /// Whether a reading function may still be running, because the framework registers its reads when it returns.
    private var mayComeTooEarly: Bool {
        let reader = reader.load(ordering: .relaxed)
        // A thread without tracking has left all tracked functions.
        return reader != ThreadIdentity.current.bits || TrackingProbe.ofThread.probe.isInTrackedBody
    }

    /// Whether all reads were on the main actor.
    var areAllOnMain: Bool { !isReadOffMain.load(ordering: .relaxed) }
}
