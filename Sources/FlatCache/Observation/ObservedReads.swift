public import Observation
internal import Synchronization

/// The reads of all caches, as the Observation framework knows them.
///
/// The framework doesn't say whether somebody is tracking what the calling thread reads, nor when somebody has ceased to be
/// interested; and an object of its own for every entity that is ever read would cost more than the entity. But it keeps
/// the key paths of what was read while it tracks, and hashes them to find them again. So
///
/// - a key path whose argument counts how often it is hashed tells whether somebody is tracking,
/// - a key path whose argument is an object keeps that object alive exactly as long as somebody is interested in a read.
///
/// Therefore reads that nobody tracks allocate nothing, and those that somebody tracks leave nothing behind.
@usableFromInline
final class ObservedReads: Observable, Sendable {
    @usableFromInline static let shared = ObservedReads()

    // First in memory, because the size of a registrar is looked up when the program runs.
    private let hashCount = Atomic(0)
    private let probe: any KeyPath<ObservedReads, Void> & Sendable
    private let registrar = ObservationRegistrar()

    private init() {
        let probe = Probe(number: 0)
        self.probe = \ObservedReads.[probe]
    }

    /// Whether somebody tracks what the calling thread reads.
    ///
    /// A wrong yes, because another thread asks at the same time, costs that read some time; there is no wrong no.
    @usableFromInline var areTracked: Bool {
        let count = hashCount.load(ordering: .relaxed)
        registrar.access(self, keyPath: probe)
        return hashCount.load(ordering: .relaxed) != count
    }

    /// What the key path of the question leads through; hashing it counts.
    private struct Probe: Hashable, Sendable {
        let number: Int

        func hash(into hasher: inout Hasher) {
            ObservedReads.shared.hashCount.wrappingAdd(1, ordering: .relaxed)
            hasher.combine(number)
        }
    }

    // Nothing is ever read through these: they only lend their key paths.
    private subscript(_: Probe) -> Void { () }
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
        let observer = ReadObserver(teller: { [weak read] in read?.notify() })
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
    /// between finds nobody to notify; therefore it is repeated: on the main actor, where nothing can be in between for those
    /// who read there, and elsewhere until the framework has let go of what was read, each time after twice as long.
    private func notify() {
        ObservedReads.shared.notify(self)
        guard !isRepeating.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [weak self] in
            Task { @MainActor in self.map(ObservedReads.shared.notify) }
            var pause = Duration.milliseconds(1)
            while self != nil {
                try? await Task.sleep(for: pause)
                pause *= 2
                self.map(ObservedReads.shared.notify)
            }
        }
    }
}
