import Synchronization

/// The mutations of a cache that have not ended, and the order in which they are sent.
final class MutationQueue: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private let lastNumber = Atomic<UInt64>(0)
    /// The number of removals of all entities that are running.
    @exclusivity(unchecked) private var removalCount = 0
    /// The last mutation that was numbered before the end of the last removal of all entities.
    @exclusivity(unchecked) private var lastRemoved: UInt64 = 0
    @exclusivity(unchecked) private var pending = MutationsByNumber()
    /// The number of mutations that were added.
    @exclusivity(unchecked) private var entryCount: UInt64 = 0
    /// The number of those that insert entities with identifiers that the server replaces, changed while the lock is held.
    private let insertionCount = Atomic<Int>(0)
    /// The number of those of an earlier process that aren't begun again, changed while the lock is held.
    private let replayCount = Atomic<Int>(0)
    /// The waits of closures that send mutations.
    @exclusivity(unchecked) private var sendWaits: [SendWait] = []
    /// The number of these, changed while the lock is held.
    private let sendWaitCount = Atomic<Int>(0)
    /// The mutations that wait for each other, by their key.
    @exclusivity(unchecked) private var lines: [String: MutationLine] = [:]

    /// The number of a new mutation.
    func nextNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    /// The mutations that have not ended, in the order in which they began.
    var all: [PendingMutation] { allWithReplays.filter { !($0 is WaitingReplay) } }

    /// The mutations that have not ended, and those of an earlier process, in the order in which they began.
    var allWithReplays: [PendingMutation] { lock.withLock { pending }.all }

    /// Whether a pending mutation inserts an entity with an identifier that the server replaces.
    var hasInsertions: Bool { insertionCount.load(ordering: .acquiring) > 0 }

    /// Whether there are mutations of an earlier process that aren't begun again.
    var hasReplays: Bool { replayCount.load(ordering: .acquiring) > 0 }

    /// The mutations of an earlier process that aren't begun again, in the order in which they began.
    var replays: [WaitingReplay] { allWithReplays.compactMap { $0 as? WaitingReplay } }

    /// The mutation with a number, or `nil` if it has ended.
    subscript(number: UInt64) -> PendingMutation? { lock.withLock { pending[number] } }

    /// Whether there is at most one mutation that has not ended.
    var hasAtMostOne: Bool { lock.withLock { pending.count < 2 } }

    /// Whether all mutations have ended.
    var isEmpty: Bool { lock.withLock { pending.isEmpty } }

    /// Adds a mutation.
    ///
    /// - Parameters:
    ///   - mutation: The mutation.
    ///   - replay: The mutation of an earlier process that it is, if it is one.
    /// - Returns: The mutations that it replaces, which have ended, and whether nothing with its key is to be sent before it. It
    ///   is `nil` if the mutation of the earlier process was begun or has ended meanwhile.
    func add(
        _ mutation: PendingMutation,
        inPlaceOf replay: WaitingReplay? = nil
    ) -> (replaced: [PendingMutation], isFirst: Bool)? {
        lock.withLock {
            if let replay, pending[replay.number] !== replay { return nil }
            entryCount += 1
            mutation.entry = entryCount
            insert(mutation)
            if let replay {
                mutation.line = replay.line
                return ([], replay.line.map { $0.first == mutation.number } ?? true)
            }
            guard let key = mutation.order.key else { return ([], true) }
            guard let line = lines[key] else {
                beginLine(key, mutation)
                return ([], true)
            }
            var replaced: [PendingMutation] = []
            if case .latest = mutation.order {
                while let number = line.takeNext() {
                    guard let mutation = take(number) else { continue }
                    if mutation.enter(.dropped(.replaced)) { replaced.append(mutation) }
                }
                // The first one isn't being sent either if it waits for an insertion, or is of an earlier process.
                if let first = pending[line.first], first.dropUnsent(.replaced) {
                    take(first.number)
                    beginLine(key, mutation)
                    return ([first] + replaced, true)
                }
            }
            line.add(mutation.number)
            mutation.line = line
            return (replaced, false)
        }
    }

    private func insert(_ mutation: PendingMutation) {
        count(pending.insert(mutation), by: -1)
        count(mutation, by: 1)
    }

    private func count(_ mutation: PendingMutation?, by difference: Int) {
        guard let mutation else { return }
        if mutation.isInsertion { insertionCount.add(difference, ordering: .releasing) }
        if mutation.isWaitingReplay { replayCount.add(difference, ordering: .releasing) }
    }

    @discardableResult
    private func take(_ number: UInt64) -> PendingMutation? {
        let removed = pending.remove(number)
        count(removed, by: -1)
        if let line = removed?.line, line.first != number { line.noteRemoval { pending[$0] != nil } }
        return removed
    }

    private func beginLine(_ key: String, _ mutation: PendingMutation) {
        let line = MutationLine(first: mutation.number)
        lines[key] = line
        mutation.line = line
    }

    /// Adds a mutation of an earlier process.
    func keep(_ replay: WaitingReplay) {
        lock.withLock {
            insert(replay)
            guard let key = replay.order.key else { return }
            guard let line = lines[key] else { return beginLine(key, replay) }
            line.add(replay.number)
            replay.line = line
        }
    }

    /// Removes a mutation, which keeps its place among those that wait for each other until ``end(_:)``.
    ///
    /// - Returns: Whether it was there.
    func forget(_ mutation: PendingMutation) -> Bool {
        lock.withLock {
            guard pending[mutation.number] === mutation else { return false }
            take(mutation.number)
            return true
        }
    }

    /// Removes a mutation that waits for others.
    ///
    /// - Returns: Whether it was waiting.
    func remove(_ mutation: PendingMutation) -> Bool {
        lock.withLock {
            guard let line = mutation.line, line.first != mutation.number else { return false }
            return take(mutation.number) != nil
        }
    }

    /// Whether a mutation began before the end of a removal of all entities, which also forgets replaced identifiers.
    func beganBeforeRemoval(_ mutation: PendingMutation) -> Bool {
        lock.withLock { removalCount > 0 || mutation.number <= lastRemoved }
    }

    /// Notes that a removal of all entities begins.
    func beginRemoval() { lock.withLock { removalCount += 1 } }

    /// Notes that a removal of all entities has ended.
    func endRemoval() {
        lock.withLock {
            removalCount -= 1
            lastRemoved = lastNumber.load(ordering: .relaxed)
        }
    }

    /// Removes all mutations.
    ///
    /// - Returns: The mutations, in the order in which they began.
    func removeAll() -> [PendingMutation] {
        let removed = lock.withLock {
            lines = [:]
            insertionCount.store(0, ordering: .releasing)
            replayCount.store(0, ordering: .releasing)
            defer { pending = MutationsByNumber() }
            return pending
        }
        return removed.all
    }

    /// Removes a mutation that has ended.
    ///
    /// - Returns: The mutation that waited for it, if there is one.
    func end(_ mutation: PendingMutation) -> PendingMutation? {
        lock.withLock {
            take(mutation.number)
            return next(after: mutation)
        }
    }

    /// Lets the mutation that waits for another one be sent, which the server has confirmed and which hasn't ended.
    ///
    /// - Returns: The mutation, if there is one.
    func takeNext(after mutation: PendingMutation) -> PendingMutation? { lock.withLock { next(after: mutation) } }

    private func next(after mutation: PendingMutation) -> PendingMutation? {
        guard let line = mutation.line, line.first == mutation.number else { return nil }
        while let number = line.takeNext() {
            guard let next = pending[number] else { continue }
            line.first = number
            return next
        }
        if let key = mutation.order.key, lines[key] === line { lines[key] = nil }
        return nil
    }
}

/// The waits of closures that send mutations.
///
/// The lock of mutations is taken while that of the queue is held.
extension MutationQueue {
    /// Whether there are any.
    var hasSendWaits: Bool { sendWaitCount.load(ordering: .acquiring) > 0 }

    /// Notes a wait, unless it closes a circle.
    ///
    /// - Returns: Whether it is noted.
    func begin(_ wait: SendWait) -> Bool {
        changeSendWaits {
            if isCircle(wait) { return false }
            sendWaits.append(wait)
            return true
        }
    }

    /// Notes that a wait has ended.
    func end(_ wait: SendWait) {
        changeSendWaits { sendWaits.removeAll { $0 === wait } }
    }

    /// Removes and returns waits without which there are no circles.
    func takeCircles() -> [SendWait] {
        changeSendWaits {
            var taken: [SendWait] = []
            for wait in sendWaits where isCircle(wait) {
                sendWaits.removeAll { $0 === wait }
                taken.append(wait)
            }
            return taken
        }
    }

    private func changeSendWaits<Result>(_ body: () -> Result) -> Result {
        lock.withLock {
            PendingMutation.lock.withLock {
                defer { sendWaitCount.store(sendWaits.count, ordering: .releasing) }
                return body()
            }
        }
    }

    /// Whether the awaited mutation waits for the one that is being sent, or is that one.
    private func isCircle(_ wait: SendWait) -> Bool {
        var open = [wait.sender]
        var visited: Set<ObjectIdentifier> = []
        while let mutation = open.popLast() {
            if mutation === wait.awaited { return true }
            guard visited.insert(ObjectIdentifier(mutation)).inserted else { continue }
            open += mutation.gate.followers ?? []
            open += mutation.line?.numbers(after: mutation.number).compactMap { pending[$0] } ?? []
            open += sendWaits.filter { $0.awaited === mutation }.map { $0.sender }
        }
        return false
    }
}

/// The mutations with one key of ``MutationOrder``, by their numbers.
///
/// The lock of the queue guards it.
final class MutationLine {
    /// The mutation that is sent next or now.
    @exclusivity(unchecked) var first: UInt64
    /// The mutations after it, in order, of which some may have been removed.
    @exclusivity(unchecked) private var waiting: [UInt64] = []
    /// The place of the next one.
    @exclusivity(unchecked) private var next = 0
    /// At most how many were removed.
    @exclusivity(unchecked) private var removedCount = 0

    init(first: UInt64) {
        self.first = first
    }

    func add(_ number: UInt64) { waiting.append(number) }

    /// Forgets those that were removed when they are the most, so that they take no memory while the first one is sent for long.
    func noteRemoval(_ isPending: (UInt64) -> Bool) {
        removedCount += 1
        guard removedCount >= 32, removedCount * 2 > waiting.count - next else { return }
        waiting = waiting[next...].filter(isPending)
        (next, removedCount) = (0, 0)
    }

    /// Those that wait for one of them.
    func numbers(after number: UInt64) -> ArraySlice<UInt64> {
        let left = waiting[next...]
        if number == first { return left }
        return left.firstIndex(of: number).map { left[($0 + 1)...] } ?? []
    }

    func takeNext() -> UInt64? {
        if next == waiting.count { return nil }
        defer { next += 1 }
        if next >= 32, next * 2 > waiting.count {
            waiting.removeFirst(next)
            next = 0
        }
        return waiting[next]
    }
}
