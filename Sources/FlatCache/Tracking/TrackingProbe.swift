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

/// Tells a thread whether somebody tracks what it reads, which the Observation framework doesn't say, so that untracked reads
/// cost nearly nothing.
///
/// The framework keeps the key paths of what is read while it tracks, and hashes them to find them again: a key path whose
/// argument counts how often it is hashed tells whether somebody is tracking. That is documented nowhere. Therefore it is
/// checked once in each process; where it isn't so, every read counts as tracked, which costs time and memory and is as
/// correct.
///
/// The framework also keeps each registration until what was read changes, or its registrar goes, and a probe never changes.
/// Therefore it goes when many have registered. Every thread has a probe of its own, which nobody else can be using then.
@usableFromInline
final class TrackingProbe: Observable {
    @usableFromInline static let ofThread = ThreadSpecific<TrackingProbe>(owned: ())

    private let counts: Counts
    private let path: KeyPath<TrackingProbe, Void>
    private let registrar = ObservationRegistrar()
    /// Whether hashes tell something.
    private let isReliable: Bool
    /// How many bodies without tracking are running.
    @exclusivity(unchecked) private var suspensions = 0
    /// How many have registered.
    @exclusivity(unchecked) private var registrationCount = 0
    /// The probe before, with which readers that have not yet returned may still be about to register.
    @exclusivity(unchecked) private var previous: TrackingProbe?

    private init(isReliable: Bool, after previous: TrackingProbe? = nil) {
        let counts = Counts()
        self.counts = counts
        path = \TrackingProbe.[Argument(counts: counts)]
        self.isReliable = isReliable
        self.previous = previous
        suspensions = previous?.suspensions ?? 0
    }

    /// The probe of a thread that has none yet; it lives as long as the thread.
    @inline(never) @usableFromInline static func make() -> TrackingProbe {
        let probe = TrackingProbe(isReliable: isDetectionReliable)
        ofThread.own(probe)
        return probe
    }

    /// Whether somebody tracks what the calling thread reads, or may do so, and no body without tracking is running.
    @usableFromInline var isTracked: Bool { isInTrackedBody && suspensions == 0 }

    /// Whether the calling thread is, or may be, in a function in which somebody tracks.
    ///
    /// A wrong yes, because the framework looks up an older question at the same time, costs that read some time; there is no
    /// wrong no.
    var isInTrackedBody: Bool {
        if !isReliable { return true }
        let compared = counts.compared.load(ordering: .relaxed)
        if !isHashedByAccess { return false }
        // Who has asked before compares, and does not register again.
        if counts.compared.load(ordering: .relaxed) == compared { noteRegistration() }
        return true
    }

    /// Asks the framework, and returns whether it has looked for the key path.
    private var isHashedByAccess: Bool {
        let hashed = counts.hashed.load(ordering: .relaxed)
        registrar.access(self, keyPath: path)
        return counts.hashed.load(ordering: .relaxed) != hashed
    }

    /// Makes a new probe for the thread when many have registered.
    private func noteRegistration() {
        registrationCount += 1
        guard registrationCount == 64 else { return }
        previous = nil
        Self.ofThread.own(TrackingProbe(isReliable: isReliable, after: self))
        // The one after this keeps it.
        Unmanaged.passUnretained(self).release()
    }

    /// How often the argument of the key path was hashed and compared, by whatever thread.
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

    // Nothing is ever read through this: it only lends its key path.
    private subscript(_: Argument) -> Void { () }
}

extension TrackingProbe {
    /// Whether the framework can be seen tracking, found out once.
    static let isDetectionReliable: Bool = {
        #if DEBUG
        // So that tests run without it, too.
        if getenv("FLATCACHE_TRACKING_DETECTION").map({ String(cString: $0) }) == "off" { return false }
        #endif
        return isDetectionRight()
    }()

    /// What a check has found.
    private static let finding = Atomic(false)

    /// Checks on a thread of its own, because somebody may be tracking this one.
    ///
    /// Without a thread, the answer is no.
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

    /// Whether a probe tells right whether it is tracked, on a thread that isn't.
    static func seesTracking() -> Bool {
        let probe = TrackingProbe(isReliable: true)
        let before = probe.isHashedByAccess
        var tracked: [Bool] = []
        withObservationTracking {
            // The first time and again.
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

    /// Runs a body whose reads nobody tracks.
    static func withoutTracking<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ofThread.probe.suspensions += 1
        // A probe that follows on this one has taken over the number.
        defer { ofThread.probe.suspensions -= 1 }
        return try body()
    }

    /// Runs a body whose reads are tracked, whatever is running around it.
    static func resumingTracking(_ body: () -> Void) {
        guard isSuspended, let probe = ofThread.object else { return body() }
        let suspensions = probe.suspensions
        probe.suspensions = 0
        body()
        ofThread.probe.suspensions = suspensions
    }
}

extension ThreadSpecific<TrackingProbe> {
    /// Whether somebody tracks what the calling thread reads.
    @inlinable var isTracked: Bool {
        (reference ?? .passUnretained(TrackingProbe.make()))._withUnsafeGuaranteedRef { $0.isTracked }
    }

    /// The probe of the calling thread.
    var probe: TrackingProbe { object ?? TrackingProbe.make() }
}
