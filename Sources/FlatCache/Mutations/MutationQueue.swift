internal import Synchronization

/// The mutations of a cache that have not ended, and the order in which they are sent.
final class MutationQueue: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private let begunReplacements = Atomic<Int>(0)
    private let endedReplacements = Atomic<Int>(0)
    private var lastNumber: UInt64 = 0
    private var pending: [UInt64: PendingMutation] = [:]
    /// The mutations that wait for each other, by their key.
    private var lines: [String: Line] = [:]

    /// The mutations with one key, by their numbers.
    private struct Line {
        /// The mutation that is sent next or now.
        var first: UInt64
        /// The mutations after it, in order, of which some may have been removed.
        var waiting: [UInt64] = []
        /// The place of the next one.
        var next = 0

        mutating func takeNext() -> UInt64? {
            if next == waiting.count { return nil }
            defer { next += 1 }
            if next >= 32, next * 2 > waiting.count {
                waiting.removeFirst(next)
                next = 0
            }
            return waiting[next]
        }
    }

    /// The number of a new mutation.
    func nextNumber() -> UInt64 {
        lock.withLock {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The mutations that have not ended, in the order in which they began.
    var all: [PendingMutation] { allWithReplays.filter { !($0 is WaitingReplay) } }

    /// The mutations that have not ended, and those of an earlier process, in the order in which they began.
    var allWithReplays: [PendingMutation] {
        lock.withLock { pending.values.map { $0 } }.sorted { $0.number < $1.number }
    }

    /// The mutations of an earlier process that aren't begun again, in the order in which they began.
    var replays: [WaitingReplay] { allWithReplays.compactMap { $0 as? WaitingReplay } }

    /// The mutation with a number, or `nil` if it has ended.
    subscript(number: UInt64) -> PendingMutation? { lock.withLock { pending[number] } }

    /// Whether identifiers were replaced.
    var hasReplacements: Bool { begunReplacements.load(ordering: .relaxed) > 0 }

    /// Notes that a transaction begins to replace an identifier.
    func beginReplacement() { begunReplacements.add(1, ordering: .sequentiallyConsistent) }

    /// Notes that the transaction has ended.
    func endReplacement() { endedReplacements.add(1, ordering: .sequentiallyConsistent) }

    /// The number of replacements that have begun, or `nil` if some haven't ended.
    var completeReplacements: Int? {
        // The numbers only grow, so they are equal in between if they are equal here.
        let ended = endedReplacements.load(ordering: .sequentiallyConsistent)
        return ended == begunReplacements.load(ordering: .sequentiallyConsistent) ? ended : nil
    }

    /// Whether all mutations have ended.
    var isEmpty: Bool { lock.withLock { pending.isEmpty } }

    /// Adds a mutation.
    ///
    /// - Parameters:
    ///   - mutation: The mutation.
    ///   - replay: The mutation of an earlier process that it is, if it is one.
    /// - Returns: The mutations that it replaces, which aren't sent, and whether nothing is to be sent before it. It is `nil` if
    ///   the mutation of the earlier process was begun or has ended meanwhile.
    func add(
        _ mutation: PendingMutation,
        inPlaceOf replay: WaitingReplay? = nil
    ) -> (replaced: [PendingMutation], isFirst: Bool)? {
        lock.withLock {
            if let replay, pending[replay.number] !== replay { return nil }
            pending[mutation.number] = mutation
            guard let key = mutation.order.key else { return ([], true) }
            if replay != nil { return ([], lines[key]?.first == mutation.number) }
            if lines[key] == nil {
                lines[key] = Line(first: mutation.number)
                return ([], true)
            }
            var replaced: [PendingMutation] = []
            if case .latest = mutation.order {
                while let number = lines[key]?.takeNext() {
                    if let mutation = pending.removeValue(forKey: number) { replaced.append(mutation) }
                }
                // The first one isn't being sent either if it is of an earlier process.
                if let first = lines[key]?.first, let replay = pending[first] as? WaitingReplay {
                    pending[first] = nil
                    lines[key] = Line(first: mutation.number)
                    return ([replay] + replaced, true)
                }
            }
            lines[key]?.waiting.append(mutation.number)
            return (replaced, false)
        }
    }

    /// Adds a mutation of an earlier process.
    func keep(_ replay: WaitingReplay) {
        lock.withLock {
            pending[replay.number] = replay
            guard let key = replay.order.key else { return }
            if lines[key] == nil {
                lines[key] = Line(first: replay.number)
            } else {
                lines[key]?.waiting.append(replay.number)
            }
        }
    }

    /// Removes a mutation, which keeps its place among those that wait for each other until ``end(_:)``.
    ///
    /// - Returns: Whether it was there.
    func forget(_ mutation: PendingMutation) -> Bool {
        lock.withLock {
            guard pending[mutation.number] === mutation else { return false }
            pending[mutation.number] = nil
            return true
        }
    }

    /// Removes a mutation that waits for others.
    ///
    /// - Returns: Whether it was waiting.
    func remove(_ mutation: PendingMutation) -> Bool {
        lock.withLock {
            guard let key = mutation.order.key, let first = lines[key]?.first, first != mutation.number else {
                return false
            }
            return pending.removeValue(forKey: mutation.number) != nil
        }
    }

    /// Removes all mutations.
    ///
    /// - Returns: The mutations, in the order in which they began.
    func removeAll() -> [PendingMutation] {
        let removed = lock.withLock {
            lines = [:]
            defer { pending = [:] }
            return Array(pending.values)
        }
        return removed.sorted { $0.number < $1.number }
    }

    /// Removes a mutation that has ended.
    ///
    /// - Returns: The mutation that waited for it, if there is one.
    func end(_ mutation: PendingMutation) -> PendingMutation? {
        lock.withLock {
            pending[mutation.number] = nil
            guard let key = mutation.order.key, lines[key]?.first == mutation.number else { return nil }
            while let number = lines[key]?.takeNext() {
                guard let next = pending[number] else { continue }
                lines[key]?.first = number
                return next
            }
            lines[key] = nil
            return nil
        }
    }
}
