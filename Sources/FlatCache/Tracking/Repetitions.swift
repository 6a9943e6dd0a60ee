internal import Synchronization

/// The repetition of notifications that may have been too early.
///
/// The framework registers reads when the reading function returns. If another thread changes an entity before that, no
/// reader is registered, so the notification is repeated. On the main actor it is repeated once, because no other code
/// runs in between there. For readers on other threads it is repeated for half a minute to a minute, with pauses that
/// double from a millisecond.
///
/// Repeated reads were removed from their place, so that later readers aren't notified.
///
/// A notification in the moment in which the framework registers a function leaves the registration in place. Then each
/// repetition calls that function's `onChange` again, at most 16 times.
final class Repetitions: @unchecked Sendable {  // Everything variable but `count` is guarded by the lock.
    static let shared = Repetitions()

    private let lock = Lock()
    private var forMainActor: [ObjectIdentifier: TrackedReads] = [:]
    /// The reads to notify again outside of the main actor: in level *n*, after a pause of 2 to the power of *n*
    /// milliseconds, or half of it.
    private var levels = [[ObjectIdentifier: TrackedReads]](repeating: [:], count: 16)
    private var countElsewhere = 0
    /// The millisecond up to which repetitions are done.
    private var doneUntil = 0
    private let beginning = ContinuousClock.now
    private var runner: Task<Void, Never>?
    /// The millisecond in which the task resumes.
    private var wakes = 0
    /// The reads for the thread that is already notifying.
    private var waiting: [TrackedReads] = []
    private var isNotifying = false
    private let count = Atomic(0)

    /// Whether so many notifications are repeated that commits leave the tracked reads of entities that remain stored
    /// in their place.
    ///
    /// Then they aren't repeated for each change, but readers may be notified of a change that they have already read.
    var areMany: Bool { count.load(ordering: .relaxed) > 1 << 13 }

    /// The number of tracked reads that wait for the main actor, for tests.
    var countOnMainActor: Int { lock.withLock { forMainActor.count } }

    /// Repeats the notification of tracked reads, from the first pause even if it is already being repeated.
    func add(_ reads: TrackedReads) {
        let isNew = lock.withLock {
            if !reads.areAllOnMain { addElsewhere(reads) }
            defer { updateCount() }
            return forMainActor.updateValue(reads, forKey: ObjectIdentifier(reads)) == nil && forMainActor.count == 1
        }
        if isNew { Task { @MainActor in self.notifyOnMainActor() } }
    }

    private func addElsewhere(_ reads: TrackedReads) {
        if let level = reads.level { levels[Int(level)][ObjectIdentifier(reads)] = nil } else { makeRoom() }
        reads.level = 0
        levels[0][ObjectIdentifier(reads)] = reads
        let next = milliseconds() + 1
        if runner != nil, wakes <= next { return }
        runner?.cancel()
        wakes = next
        runner = Task.detached { await self.run() }
    }

    /// Counts one more, and drops the oldest ones if there are too many.
    private func makeRoom() {
        countElsewhere += 1
        guard countElsewhere > 1 << 15, let level = levels.lastIndex(where: { !$0.isEmpty }) else { return }
        for reads in levels[level].values { reads.level = nil }
        countElsewhere -= levels[level].count
        levels[level] = [:]
    }

    private func milliseconds() -> Int { Int((ContinuousClock.now - beginning) / .milliseconds(1)) }

    private func updateCount() { count.store(max(forMainActor.count, countElsewhere), ordering: .relaxed) }

    private func notifyOnMainActor() {
        let all = lock.withLock {
            defer { forMainActor = [:] }
            return forMainActor.values.map { $0 }
        }
        // Reads that are only here aren't notified by another thread at the same time.
        for reads in all where reads.areAllOnMain { reads.notifyOnce() }
        notify(all.filter { !$0.areAllOnMain })
        lock.withLock { updateCount() }
    }

    private func run() async {
        while let time = lock.withLock({ nextTime() }) {
            // A cancelled task has a successor.
            guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
            notify(lock.withLock { takeDue() })
        }
    }

    /// The time at which the task must resume, or `nil` if no repetitions are left.
    private func nextTime() -> ContinuousClock.Instant? {
        if Task.isCancelled { return nil }
        guard let level = levels.firstIndex(where: { !$0.isEmpty }) else {
            runner = nil
            return nil
        }
        wakes = (milliseconds() >> level + 1) << level
        return beginning + .milliseconds(wakes)
    }

    /// Takes the reads that are due, and moves them to the next level.
    ///
    /// Reads of the last level are done.
    private func takeDue() -> [TrackedReads] {
        let now = milliseconds()
        var due: [TrackedReads] = []
        // Reads that are moved up must not be due immediately.
        for level in levels.indices.reversed() where now >> level > doneUntil >> level && !levels[level].isEmpty {
            due += levels[level].values
            let isLast = level == levels.count - 1
            for (key, reads) in levels[level] {
                reads.level = isLast ? nil : UInt8(level + 1)
                if !isLast { levels[level + 1][key] = reads }
            }
            if isLast { countElsewhere -= levels[level].count }
            levels[level] = [:]
        }
        doneUntil = now
        updateCount()
        return due
    }

    /// Notifies reads, or leaves them to a thread that is already notifying, so that a reader of two of them isn't
    /// notified by two threads at the same time.
    private func notify(_ reads: [TrackedReads]) {
        var taken = lock.withLock {
            waiting += reads
            return isNotifying ? [] : takeWaiting()
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
