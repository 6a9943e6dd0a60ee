/// The mutations of a cache that have not ended, and the order in which they are sent.
final class MutationQueue: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var lastNumber: UInt64 = 0
    private var pending: [UInt64: PendingMutation] = [:]
    /// The mutations that wait for each other, by their key.
    private var lines: [String: Line] = [:]

    private struct Line {
        /// The mutation that is sent next or now.
        var first: PendingMutation
        var waiting: [PendingMutation] = []
    }

    /// The number of a new mutation.
    func nextNumber() -> UInt64 {
        lock.withLock {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The mutations that have not ended, in the order in which they began.
    var all: [PendingMutation] { lock.withLock { pending.values.map { $0 } }.sorted { $0.number < $1.number } }

    /// Adds a mutation.
    ///
    /// - Returns: The mutations that it replaces, which aren't sent, and whether nothing is to be sent before it.
    func add(_ mutation: PendingMutation) -> (replaced: [PendingMutation], isFirst: Bool) {
        lock.withLock {
            pending[mutation.number] = mutation
            guard let key = mutation.order.key else { return ([], true) }
            guard var line = lines[key] else {
                lines[key] = Line(first: mutation)
                return ([], true)
            }
            var replaced: [PendingMutation] = []
            if case .latest = mutation.order { swap(&replaced, &line.waiting) }
            for mutation in replaced { pending[mutation.number] = nil }
            line.waiting.append(mutation)
            lines[key] = line
            return (replaced, false)
        }
    }

    /// Removes a mutation that waits for others.
    ///
    /// - Returns: Whether it was waiting.
    func remove(_ mutation: PendingMutation) -> Bool {
        lock.withLock {
            guard let key = mutation.order.key, let place = lines[key]?.waiting.firstIndex(where: { $0 === mutation })
            else { return false }
            lines[key]?.waiting.remove(at: place)
            pending[mutation.number] = nil
            return true
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
            guard let key = mutation.order.key, var line = lines[key], line.first === mutation else { return nil }
            if line.waiting.isEmpty {
                lines[key] = nil
                return nil
            }
            line.first = line.waiting.removeFirst()
            lines[key] = line
            return line.first
        }
    }
}
