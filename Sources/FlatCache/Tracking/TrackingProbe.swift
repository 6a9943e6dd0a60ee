public import Observation
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The detection whether reads of a thread are tracked, so that untracked reads have nearly no cost.
///
/// The Observation framework has no call for this. While it tracks, it keeps the key paths of reads and hashes them. So
/// a key path whose argument counts its hashes shows whether reads are tracked. This behaviour is undocumented, so each
/// process verifies it once. If the check fails, every read counts as tracked, which costs time and memory but is also
/// correct.
///
/// The framework also keeps each registration until the property changes or its registrar is deallocated, and a probe
/// never changes. So a probe is replaced after many registrations. Every thread has its own probe, which no other
/// thread uses.
@usableFromInline
final class TrackingProbe: Observable {
    @usableFromInline static let ofThread = ThreadLocal<TrackingProbe>(owned: ())

    private let counts: Counts
    private let path: KeyPath<TrackingProbe, Void>
    private let registrar = ObservationRegistrar()
    /// Whether the detection works.
    private let isReliable: Bool
    /// The number of running bodies without tracking.
    @exclusivity(unchecked) private var suspensions = 0
    /// The number of registrations.
    @exclusivity(unchecked) private var registrationCount = 0
    /// The previous probe, with which running readers may still register.
    @exclusivity(unchecked) private var previous: TrackingProbe?

    private init(isReliable: Bool, after previous: TrackingProbe? = nil) {
        let counts = Counts()
        self.counts = counts
        path = \TrackingProbe.[Argument(counts: counts)]
        self.isReliable = isReliable
        self.previous = previous
        suspensions = previous?.suspensions ?? 0
    }

    /// Creates the probe of a thread, which lives as long as the thread.
    @inline(never) @usableFromInline static func make() -> TrackingProbe {
        let probe = TrackingProbe(isReliable: isDetectionReliable)
        ofThread.own(probe)
        return probe
    }

    /// Whether the reads of the calling thread are, or may be, tracked, and no body without tracking is running.
    @usableFromInline var isTracked: Bool { isInTrackedBody && suspensions == 0 }

    /// Whether the calling thread is, or may be, in a function whose reads are tracked.
    ///
    /// A wrong `true`, because the framework looks up an older registration at the same time, costs that read some
    /// time. There is no wrong `false`.
    var isInTrackedBody: Bool {
        if !isReliable { return true }
        let compared = counts.compared.load(ordering: .relaxed)
        if !isHashedByAccess { return false }
        // A function that has already asked compares the key path and doesn't register again.
        if counts.compared.load(ordering: .relaxed) == compared { noteRegistration() }
        return true
    }

    /// Accesses the key path, and returns whether the framework has hashed it.
    private var isHashedByAccess: Bool {
        let hashed = counts.hashed.load(ordering: .relaxed)
        registrar.access(self, keyPath: path)
        return counts.hashed.load(ordering: .relaxed) != hashed
    }

    /// Creates a new probe for the thread after many registrations.
    private func noteRegistration() {
        registrationCount += 1
        guard registrationCount == 64 else { return }
        previous = nil
        Self.ofThread.own(TrackingProbe(isReliable: isReliable, after: self))
        // The next probe keeps this one.
        Unmanaged.passUnretained(self).release()
    }

    /// The number of times the argument of the key path was hashed and compared, by any thread.
    private final class Counts: Sendable {
        let hashed = Atomic(0)
        let compared = Atomic(0)
    }

    private struct Argument: Hashable, Sendable {
        let counts: Counts

        static func == (lhs: Argument, rhs: Argument) -> Bool {
            lhs.counts.compared.wrappingAdd(1, ordering: .relaxed)
            return lhs.counts === rhs.counts
        }

        func hash(into hasher: inout Hasher) {
            counts.hashed.wrappingAdd(1, ordering: .relaxed)
            hasher.combine(ObjectIdentifier(counts))
        }
    }

    // This is never read. Only its key path is used.
    private subscript(_: Argument) -> Void { () }
}

extension TrackingProbe {
    /// Whether the detection works, computed once.
    static let isDetectionReliable: Bool = {
        #if DEBUG
        // This lets tests run without detection.
        if getenv("FLATCACHE_TRACKING_DETECTION").map({ String(cString: $0) }) == "off" { return false }
        #endif
        return isDetectionRight()
    }()

    /// The result of a check.
    private static let finding = Atomic(false)

    /// Checks the detection on a separate thread, because reads of this thread may be tracked.
    ///
    /// If no thread can be created, the result is `false`.
    private static func isDetectionRight() -> Bool {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let result = pthread_create(
            &thread,
            nil,
            { _ in
                TrackingProbe.finding.store(TrackingProbe.seesTracking(), ordering: .relaxed)
                return nil
            },
            nil
        )
        guard result == 0 else { return false }
        #if canImport(Darwin)
        if let thread { pthread_join(thread, nil) }
        #else
        pthread_join(thread, nil)
        #endif
        return finding.load(ordering: .relaxed)
    }

    /// Whether a probe detects tracking correctly, on a thread without tracking.
    static func seesTracking() -> Bool {
        let probe = TrackingProbe(isReliable: true)
        let before = probe.isHashedByAccess
        var tracked: [Bool] = []
        withObservationTracking {
            // A first read and repeated reads.
            for _ in 0..<3 { tracked.append(probe.isHashedByAccess) }
            withObservationTracking {
                for _ in 0..<2 { tracked.append(probe.isHashedByAccess) }
            } onChange: {
            }
            tracked.append(probe.isHashedByAccess)
        } onChange: {
        }
        return !before && tracked.allSatisfy { $0 } && !probe.isHashedByAccess
    }
}

extension TrackingProbe {
    /// Whether a body without tracking is running on the calling thread.
    static var isSuspended: Bool { ofThread.reference?._withUnsafeGuaranteedRef { $0.suspensions > 0 } ?? false }

    /// Runs a body whose reads aren't tracked.
    static func withoutTracking<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ofThread.probe.suspensions += 1
        // A probe that replaced this one has copied the number.
        defer { ofThread.probe.suspensions -= 1 }
        return try body()
    }

    /// Runs a body whose reads are tracked, even inside of a body without tracking.
    static func resumingTracking(_ body: () -> Void) {
        guard isSuspended, let probe = ofThread.object else { return body() }
        let suspensions = probe.suspensions
        probe.suspensions = 0
        body()
        ofThread.probe.suspensions = suspensions
    }
}

extension ThreadLocal<TrackingProbe> {
    /// Whether the reads of the calling thread are tracked.
    @inlinable var isTracked: Bool {
        (reference ?? .passUnretained(TrackingProbe.make()))._withUnsafeGuaranteedRef { $0.isTracked }
    }

    /// The probe of the calling thread.
    var probe: TrackingProbe { object ?? TrackingProbe.make() }
}
