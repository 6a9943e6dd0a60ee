internal import Synchronization

/// Repeats notifications that may have come too early.
///
/// The framework registers what is read when the reading function has returned. A change that another thread makes in
/// between finds nobody to notify; therefore it is repeated. On the main actor that is done once, for nothing can be in
/// between there. Readers elsewhere are notified again after pauses that double, from a millisecond on, for half a minute to
/// a minute.
///
/// What is repeated was taken out of its place, so that nobody is notified who has read later.
final class Repetitions: @unchecked Sendable {  // Everything variable but `count` is guarded by the lock.
    static let shared = Repetitions()

    private let lock = Lock()
    private var forMainActor: [ObjectIdentifier: TrackedReads] = [:]
    /// What is to be repeated elsewhere: in the level *n*, after a pause of 2 to the power of *n* milliseconds, or half of it.
    private var levels = [[ObjectIdentifier: TrackedReads]](repeating: [:], count: 16)
    private var countElsewhere = 0
    /// The millisecond up to which it is done.
    private var doneUntil = 0
    private let beginning = ContinuousClock.now
    private var runner: Task<Void, Never>?
    /// The millisecond in which the task wakes.
    private var wakes = 0
    /// What is to be notified by the thread that notifies already.
    private var waiting: [TrackedReads] = []
    private var isNotifying = false
    private let count = Atomic(0)

    /// Whether so much is repeated that commits leave tracked reads of entities that stay in their place.
    ///
    /// Then those aren't repeated as often as they change, but may be notified of a change that they have read already.
    var areMany: Bool { count.load(ordering: .relaxed) > 1 << 13 }

    /// Notifies tracked reads again, from the beginning if that is being done.
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

    /// Counts one more; where there are too many all the same, those go that have waited longest.
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
        // Who is only here isn't notified by another thread at the same time.
        for reads in all where reads.areAllOnMain { reads.notifyOnce() }
        notify(all.filter { !$0.areAllOnMain })
        lock.withLock { updateCount() }
    }

    private func run() async {
        while let time = lock.withLock({ nextTime() }) {
            // One that is cancelled has a successor.
            guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
            notify(lock.withLock { takeDue() })
        }
    }

    /// When the task must wake; `nil` when it has nothing to do any more.
    private func nextTime() -> ContinuousClock.Instant? {
        if Task.isCancelled { return nil }
        guard let level = levels.firstIndex(where: { !$0.isEmpty }) else {
            runner = nil
            return nil
        }
        wakes = (milliseconds() >> level + 1) << level
        return beginning + .milliseconds(wakes)
    }

    /// Takes what is due, and has it wait for twice as long; what has waited longest is done.
    private func takeDue() -> [TrackedReads] {
        let now = milliseconds()
        var due: [TrackedReads] = []
        // What moves up must not be due at once.
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

    /// Notifies reads, or has that done by the thread that is doing it for others: who has read two of them is not notified
    /// by two threads at the same time.
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
