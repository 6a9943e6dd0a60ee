internal import Synchronization

/// The clock of a cache, whatever its type.
struct CacheClock: Sendable {
    /// The time since the cache was made.
    ///
    /// May be the user's code, and is not read while a lock is held.
    let elapsed: @Sendable () -> Duration
    /// Waits.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }
}

/// Revisions that tell the time.
///
/// From the first request for an age on, the revisions of a cache run ahead to the number of milliseconds
/// since the cache was made, twenty binary digits to the left, plus the revision at which that began. So the revision of
/// a slot tells when its entity was written, and no entity needs memory for it. More than a million commits in a
/// millisecond would be taken for later ones.
///
/// This is the hybrid logical clock of Kulkarni, Demirbas, Madappa, Avva and Leone.
extension History {
    /// Makes revisions follow the clock from now on; without effect when they do.
    func startClock() {
        guard counters.clockOrigin.pointee.load(ordering: .relaxed) == 0 else { return }
        let revision = counters.lastRevision.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        _ = counters.clockOrigin.pointee.compareExchange(
            expected: 0,
            desired: revision,
            ordering: .sequentiallyConsistent
        )
    }

    /// Moves the last revision forward to the time.
    func moveToNow() {
        let milliseconds = UInt64(max(clock.elapsed().milliseconds, 0))
        let now = counters.clockOrigin.pointee.load(ordering: .relaxed) &+ milliseconds << revisionBits
        var last = counters.lastRevision.pointee.load(ordering: .relaxed)
        while last < now {
            let (isDone, found) = counters.lastRevision.pointee.weakCompareExchange(
                expected: last,
                desired: now,
                ordering: .sequentiallyConsistent
            )
            if isDone { return }
            last = found
        }
    }

    /// The oldest revision that was drawn less than a time ago.
    ///
    /// Those from before revisions followed the clock are older.
    func oldestRevision(youngerThan age: Duration) -> UInt64 {
        let origin = counters.clockOrigin.pointee.load(ordering: .relaxed)
        let end = clock.elapsed() - age
        if end < .zero { return origin + 1 }
        return origin + (UInt64(end.milliseconds) + 1) << revisionBits
    }
}

/// The number of binary digits that count the commits of one millisecond.
private let revisionBits: UInt64 = 20

extension Duration {
    /// The whole milliseconds.
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
