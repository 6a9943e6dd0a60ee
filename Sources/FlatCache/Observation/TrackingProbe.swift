public import Observation
internal import Synchronization

/// Tells a thread whether somebody tracks what it reads, which the Observation framework doesn't say.
///
/// The framework keeps the key paths of what is read while it tracks, and hashes them to find them again: a key path whose
/// argument counts how often it is hashed tells whether somebody is tracking.
///
/// The framework also keeps each registration until what was read changes, or its registrar goes, and a probe never changes.
/// Therefore it goes when many have registered. Every thread has a probe of its own, which nobody else can be using then.
@usableFromInline
final class TrackingProbe: Observable {
    @usableFromInline static let ofThread = ThreadSpecific<TrackingProbe>(owned: ())

    private let counts: Counts
    private let path: KeyPath<TrackingProbe, Void>
    private let registrar = ObservationRegistrar()
    /// How many have registered.
    @exclusivity(unchecked) private var registrationCount = 0
    /// The probe before, with which readers that have not yet returned may still be about to register.
    @exclusivity(unchecked) private var previous: TrackingProbe?

    private init(after previous: TrackingProbe? = nil) {
        let counts = Counts()
        self.counts = counts
        path = \TrackingProbe.[Argument(counts: counts)]
        self.previous = previous
    }

    /// The probe of a thread that has none yet; it lives as long as the thread.
    @inline(never) @usableFromInline static func make() -> TrackingProbe {
        let probe = TrackingProbe()
        ofThread.own(probe)
        return probe
    }

    /// Whether somebody tracks what the calling thread reads.
    ///
    /// A wrong yes, because the framework looks up an older question at the same time, costs that read some time; there is no
    /// wrong no.
    @usableFromInline var isTracked: Bool {
        let hashed = counts.hashed.load(ordering: .relaxed)
        let compared = counts.compared.load(ordering: .relaxed)
        registrar.access(self, keyPath: path)
        if counts.hashed.load(ordering: .relaxed) == hashed { return false }
        // Who has asked before compares, and does not register again.
        if counts.compared.load(ordering: .relaxed) == compared { noteRegistration() }
        return true
    }

    /// Makes a new probe for the thread when many have registered.

    private func noteRegistration() {
        registrationCount += 1
        guard registrationCount == 64 else { return }
        previous = nil
        Self.ofThread.own(TrackingProbe(after: self))
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

extension ThreadSpecific<TrackingProbe> {
    /// Whether somebody tracks what the calling thread reads.
    @inlinable var isTracked: Bool {
        (reference ?? .passUnretained(TrackingProbe.make()))._withUnsafeGuaranteedRef { $0.isTracked }
    }
}
