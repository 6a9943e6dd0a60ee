public import Observation
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#endif

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

    /// Tells the framework that something is being read.
    func access(_ read: ObservedRead) {
        registrar.access(self, keyPath: \.[read])
    }

    /// Tells the framework that something has changed which was read.
    func tell(_ read: ObservedRead) {
        registrar.withMutation(of: self, keyPath: \.[read]) {}
    }
}

/// Something that was read from a cache while somebody was tracking; it lives as long as the framework keeps its key path.
final class ObservedRead: Hashable, @unchecked Sendable {
    // `observer` is set once, before anybody else can see the object.
    private var observer: ReadObserver?
    private let isRepeatPending = Atomic(false)

    /// Runs a body that reads, and tells the framework of what it reads.
    ///
    /// - Parameters:
    ///   - cache: What is read.
    ///   - record: Runs the body, and has the observer that it is given watch what is read.
    static func run<Result, Failure: Error>(
        in cache: FlatCache,
        _ record: (ReadObserver) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let read = ObservedRead()
        let observer = ReadObserver(teller: { [weak read] in read?.tell() })
        read.observer = observer
        // Registered first, because what a body has read that throws then may be why.
        ObservedReads.shared.access(read)
        defer { Delivery.run([observer], in: cache) }
        return try record(observer)
    }

    deinit {
        observer?.finish()
    }

    static func == (lhs: ObservedRead, rhs: ObservedRead) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Tells the framework that what was read has changed.
    ///
    /// What is read on the main actor is registered with the framework when the reading function has returned. A change
    /// that another thread makes in between finds nobody to tell; therefore it is told again on the main actor, where
    /// nothing can be in between.
    private func tell() {
        ObservedReads.shared.tell(self)
        guard !isMainThread, !isRepeatPending.exchange(true, ordering: .relaxed) else { return }
        Task { @MainActor [weak self] in
            guard let self else { return }
            isRepeatPending.store(false, ordering: .relaxed)
            ObservedReads.shared.tell(self)
        }
    }

    private var isMainThread: Bool {
        #if canImport(Darwin)
        pthread_main_np() == 1
        #else
        // Elsewhere nothing that the library may import tells. Being told twice costs a little; not being told is a bug.
        false
        #endif
    }
}
