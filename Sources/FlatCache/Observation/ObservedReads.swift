internal import Observation
internal import Synchronization

/// The reads of all caches, as the Observation framework knows them.
///
/// The framework doesn't say when somebody has ceased to be interested, and an object of its own for every entity that is ever
/// read would cost more than the entity. But a key path whose argument is an object keeps that object alive exactly as long
/// as somebody is interested in a read. So reads that somebody tracks leave nothing behind; a ``TrackingProbe`` tells which
/// are tracked, and the others allocate nothing.
final class ObservedReads: Observable, Sendable {
    static let shared = ObservedReads()

    private let registrar = ObservationRegistrar()

    private init() {}

    // Nothing is ever read through this: it only lends its key path.
    private subscript(_: ObservedRead) -> Void { () }

    /// Notes for the framework that something is being read.
    func access(_ read: ObservedRead) {
        registrar.access(self, keyPath: \.[read])
    }

    /// Notifies the framework that something has changed which was read.
    func notify(_ read: ObservedRead) {
        registrar.withMutation(of: self, keyPath: \.[read]) {}
    }
}

/// Something that was read from a cache while somebody was tracking; it lives as long as the framework keeps its key path.
final class ObservedRead: Hashable, @unchecked Sendable {
    // `observer` is set once, before anybody else can see the object.
    private var observer: ReadObserver?
    private let isRepeating = Atomic(false)

    /// Runs a body that reads, and lets the framework know what it reads.
    ///
    /// - Parameters:
    ///   - cache: What is read.
    ///   - record: Runs the body, and has the observer that it is given watch what is read.
    static func run<Result, Failure: Error>(
        in cache: FlatCache,
        _ record: (ReadObserver) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let read = ObservedRead()
        let observer = ReadObserver(notifier: { [weak read] in read?.notify() })
        read.observer = observer
        defer {
            // What a body has read that throws then may be why. One that has read nothing waits for nothing.
            if observer.isWatching {
                ObservedReads.shared.access(read)
                Delivery.run([observer], in: cache)
            }
        }
        return try record(observer)
    }

    deinit {
        observer?.finish()
    }

    static func == (lhs: ObservedRead, rhs: ObservedRead) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Notifies the framework that what was read has changed.
    ///
    /// The framework registers what is read when the reading function has returned. A change that another thread makes in
    /// between finds nobody to notify; therefore it is repeated.
    private func notify() {
        ObservedReads.shared.notify(self)
        if !isRepeating.exchange(true, ordering: .relaxed) { Repetitions.shared.add(self) }
    }
}

/// Repeats notifications that may have come too early, until the framework has let go of what was read.
///
/// They are repeated on the main actor, where nothing can be in between for those who read there, and elsewhere each time
/// after twice as long. One task does that for all reads, and one turn of the main actor, however long that is busy.
private final class Repetitions: @unchecked Sendable {  // Everything variable is guarded by the lock.
    static let shared = Repetitions()

    private let lock = Lock()
    private var reads: [WeakReference<ObservedRead>] = []
    /// The number of reads at which it is worth looking which of them are gone.
    private var limit = 64
    private var isRunning = false
    private var waitsForMainActor = false
    /// Whether some have come since the last pause.
    private var hasNew = false

    func add(_ read: ObservedRead) {
        let reference = WeakReference<ObservedRead>()
        reference.refer(to: read)
        let (mustRun, mustWait, areMany) = lock.withLock {
            defer { (isRunning, waitsForMainActor, hasNew) = (true, true, true) }
            reads.append(reference)
            return (!isRunning, !waitsForMainActor, reads.count >= limit)
        }
        if mustRun { Task.detached { await self.run() } }
        if mustWait { Task { @MainActor in self.repeatOnMainActor() } }
        if areMany { removeThoseGone() }
    }

    private func repeatOnMainActor() {
        lock.withLock { waitsForMainActor = false }
        repeatAll()
    }

    private func run() async {
        var pause = Duration.milliseconds(1)
        repeat {
            try? await Task.sleep(for: pause)
            repeatAll()
            removeThoseGone()
            pause = lock.withLock {
                defer { hasNew = false }
                return hasNew ? .milliseconds(1) : pause * 2
            }
        } while !isOver()
    }

    private func isOver() -> Bool {
        lock.withLock {
            if reads.isEmpty { isRunning = false }
            return reads.isEmpty
        }
    }

    private func repeatAll() {
        // In memory of its own: the thread sanitizer doesn't see when an array ceases to be shared.
        let reads = lock.withLock { self.reads.map { $0 } }
        for read in reads { read.object.map(ObservedReads.shared.notify) }
    }

    /// Takes out the reads that the framework has let go of.
    ///
    /// No lock is held while one may be released.
    private func removeThoseGone() {
        let before = lock.withLock {
            defer { reads = [] }
            return reads
        }
        let left = before.filter { $0.object != nil }
        let mustRun = lock.withLock {
            reads += left
            limit = max(64, reads.count * 2)
            // The task may have found nothing meanwhile.
            defer { isRunning = isRunning || !reads.isEmpty }
            return !isRunning && !reads.isEmpty
        }
        if mustRun { Task.detached { await self.run() } }
    }
}
