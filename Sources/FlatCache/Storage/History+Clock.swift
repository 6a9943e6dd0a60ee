internal import Synchronization

/// The clock of a cache, without its static type.
struct CacheClock: Sendable {
    /// Returns the time since the cache was created.
    ///
    /// This may be user code, so it isn't called while a lock is held.
    let elapsed: @Sendable () -> Duration
    /// Waits.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }
}

/// Revisions that encode the time.
///
/// After the first use of an age, the revisions of a cache are moved forward to the number of milliseconds since the
/// cache was created, shifted left by twenty bits, plus the revision at that start. So the revision of a slot contains
/// the time of its last write, and entities need no memory for it. If there are more than a million commits in a
/// millisecond, they count as later ones.
///
/// In a cache with a store, the start has the revision of its time since 1970. So the revisions of restored entities have the
/// times of their last writes, too.
///
/// This is the hybrid logical clock of Kulkarni, Demirbas, Madappa, Avva and Leone.
extension History {
    /// Starts to encode the time in revisions, unless that has already begun.
    func startClock() {
        guard counters.clockOrigin.pointee.load(ordering: .relaxed) == 0 else { return }
        let revision = counters.lastRevision.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        let origin = base == 0 ? revision : base
        _ = counters.clockOrigin.pointee.compareExchange(
            expected: 0,
            desired: origin,
            ordering: .sequentiallyConsistent
        )
    }

    /// Moves the last revision forward to the current time.
    func moveToNow() {
        let milliseconds = UInt64(max(clock.elapsed().milliseconds, 0))
        let now = counters.clockOrigin.pointee.load(ordering: .relaxed) &+ milliseconds << revisionBits
        if now >= counters.nextLook.pointee.load(ordering: .relaxed) { counters.requireEviction() }
        move(to: now)
    }

    /// Moves the last revision forward, unless it is later.
    func move(to revision: UInt64) {
        var last = counters.lastRevision.pointee.load(ordering: .relaxed)
        while last < revision {
            let (isDone, found) = counters.lastRevision.pointee.weakCompareExchange(
                expected: last,
                desired: revision,
                ordering: .sequentiallyConsistent
            )
            if isDone { return }
            last = found
        }
    }

    /// The oldest revision that is younger than an age.
    ///
    /// Revisions from before the start of the encoding are older.
    func oldestRevision(youngerThan age: Duration) -> UInt64 {
        let origin = counters.clockOrigin.pointee.load(ordering: .relaxed)
        let end = clock.elapsed() - age
        if end >= .zero { return origin + (UInt64(end.milliseconds) + 1) << revisionBits }
        if base == 0 { return origin + 1 }
        let time = Int64(base >> revisionBits)
        return end > .milliseconds(-time) ? UInt64(time + end.milliseconds + 1) << revisionBits : 1
    }

    /// The oldest revision of an entity that isn't older than an age, or `nil` if none can be.
    ///
    /// Of entities from before the start of the encoding, only those are older that a store has given back.
    func oldestRevision(remainingAfter age: Duration) -> UInt64? {
        base == 0 && clock.elapsed() < age ? nil : oldestRevision(youngerThan: age)
    }

    /// The time that a revision encodes, as a revision since 1970, or `nil` if it isn't known.
    func stamp(of revision: UInt64) -> UInt64? {
        if base == 0 { return nil }
        let isEncoded = revision <= base || counters.clockOrigin.pointee.load(ordering: .relaxed) != 0
        return isEncoded ? revision : nil
    }
}

/// The number of bits that count the commits of one millisecond.
let revisionBits: UInt64 = 20

extension Duration {
    /// The number of milliseconds, rounded down.
    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
