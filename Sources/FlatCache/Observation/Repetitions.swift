internal import Synchronization

/// Repeats notifications that may have come too early.
///
/// The framework registers what is read when the reading function has returned. A change that another thread makes in
/// between finds nobody to notify; therefore it is repeated. On the main actor that is done once, for nothing can be in
/// between there. Readers elsewhere are notified again after pauses that double, from a millisecond to half a minute.
///
/// What is repeated was taken out of its place, so that nobody is notified who has read later.
final class Repetitions: @unchecked Sendable {  // Everything variable but `count` is guarded by the lock.
    static let shared = Repetitions()

    private let lock = Lock()
    private var forMainActor: [ObjectIdentifier: TrackedReads] = [:]
    private var elsewhere: [ObjectIdentifier: Entry] = [:]
    /// What is to be notified by the thread that notifies already.
    private var waiting: [TrackedReads] = []
    private var isNotifying = false
    private var runner: Task<Void, Never>?
    /// When the task wakes, unless it is awake.
    private var wakes: ContinuousClock.Instant?
    private let count = Atomic(0)

    private struct Entry {
        let reads: TrackedReads
        var pause = Duration.milliseconds(1)
        var due = ContinuousClock.now + .milliseconds(1)
    }

    /// The longest pause; all pauses together take a minute and five seconds.
    private static let longestPause = Duration.milliseconds(1 << 15)

    /// Whether so much is repeated that what is read again shall not be repeated apart from that.
    ///
    /// Then commits leave tracked reads in their place. So there are never more to be repeated than this and the tracked keys,
    /// however often they change.
    var areMany: Bool { count.load(ordering: .relaxed) > 1024 }

    /// Notifies tracked reads again, from the beginning if that is being done.
    func add(_ reads: TrackedReads) {
        let isNew = lock.withLock {
            defer { forMainActor[ObjectIdentifier(reads)] = reads }
            if !reads.areAllOnMain { elsewhere[ObjectIdentifier(reads)] = Entry(reads: reads) }
            updateCount()
            startRunner()
            return forMainActor.isEmpty
        }
        if isNew { Task { @MainActor in self.notifyOnMainActor() } }
    }

    private func updateCount() { count.store(max(forMainActor.count, elsewhere.count), ordering: .relaxed) }

    /// Has a task wake in a millisecond, if there is anything to do for it, and it isn't awake or about to be.
    private func startRunner() {
        guard !elsewhere.isEmpty else { return }
        if runner != nil, wakes.map({ $0 <= .now + .milliseconds(1) }) ?? true { return }
        runner?.cancel()
        wakes = nil
        runner = Task.detached { await self.run() }
    }

    private func notifyOnMainActor() {
        let all = lock.withLock {
            defer { forMainActor = [:] }
            return forMainActor.values.map { $0 }
        }
        // Who is only here isn't notified by another thread at the same time.
        for reads in all where reads.areAllOnMain { reads.notifyOnce() }
        notify(all.filter { !$0.areAllOnMain })
        lock.withLock { updateCount() }
    }

    private func run() async {
        while let due = nextDue() {
            // One that is cancelled has a successor.
            guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return }
            notify(takeDue())
        }
    }

    private func nextDue() -> ContinuousClock.Instant? {
        lock.withLock {
            if Task.isCancelled { return nil }
            wakes = elsewhere.values.lazy.map(\.due).min()
            if wakes == nil { runner = nil }
            return wakes
        }
    }

    private func takeDue() -> [TrackedReads] {
        lock.withLock {
            if Task.isCancelled { return [] }
            wakes = nil
            let now = ContinuousClock.now
            let due = elsewhere.filter { $1.due <= now }
            for (key, entry) in due {
                let pause = entry.pause * 2
                elsewhere[key] =
                    pause > Self.longestPause ? nil : Entry(reads: entry.reads, pause: pause, due: now + pause)
            }
            updateCount()
            return due.values.map(\.reads)
        }
    }

    /// Notifies reads, or has that done by the thread that is doing it for others: who has read two of them is not notified
    /// by two threads at the same time.
    private func notify(_ reads: [TrackedReads]) {
        var taken = lock.withLock {
            waiting += reads
            if isNotifying { return [] as [TrackedReads] }
            isNotifying = true
            return takeWaiting()
        }
        while !taken.isEmpty {
            for reads in taken { reads.notifyOnce() }
            taken = lock.withLock { takeWaiting() }
        }
    }

    private func takeWaiting() -> [TrackedReads] {
        defer { waiting = [] }
        isNotifying = !waiting.isEmpty
        return waiting
    }
}
