/// A call of a fetcher or of the loader of a list, of any type, as a node in the graph of calls that wait for each other.
///
/// A fetcher or loader may request other entities and pages, and wait for their calls. If one of those waited for the first
/// call, all of them would wait forever. So each call has a record of the calls that it waits for, and a wait that would
/// close a cycle is refused.
///
/// A node has no user values, so it can be released anywhere.
final class FetchGraphNode: @unchecked Sendable {  // Everything variable is guarded by the lock of the graph.
    /// The call that started the task, which may have ended.
    @TaskLocal static var current: FetchGraphNode?

    /// The lock that guards the edges of the whole graph.
    ///
    /// It is taken while the lock of a queue or loader is held, and no lock is taken inside.
    private static let graph = Lock()

    /// The calls that this one waits for, each with the number of entities.
    private var awaited: [ObjectIdentifier: (call: FetchGraphNode, count: Int)] = [:]
    private var hasEnded = false

    /// The call that waits if the current task waits, or `nil` if there is none.
    static var ofTask: FetchGraphNode? {
        guard let current, FetcherExecutor.runsTask else { return nil }
        return graph.withLock { current.hasEnded ? nil : current }
    }

    /// Records that the call waits for others, unless one of them waits for it.
    ///
    /// - Parameter calls: The calls, each once for each awaited entity.
    /// - Returns: The calls that wait for this one, or are this one. If there are any, nothing is recorded.
    func wait(for calls: [FetchGraphNode]) -> Set<ObjectIdentifier> {
        if calls.isEmpty { return [] }
        return Self.graph.withLock {
            var visited: Set<ObjectIdentifier> = []
            var cyclic: Set<ObjectIdentifier> = []
            // A call that is already awaited closes no cycle.
            for call in calls where awaited[ObjectIdentifier(call)] == nil && call.waits(for: self, &visited) {
                cyclic.insert(ObjectIdentifier(call))
            }
            if cyclic.isEmpty { for call in calls { add(call) } }
            return cyclic
        }
    }

    /// Records that the call waits for a page of a list, unless a call of this list waits for it.
    ///
    /// - Parameters:
    ///   - page: The call that loads the page. It may be new.
    ///   - calls: The calls of the list.
    /// - Returns: Whether it is recorded.
    func wait(for page: FetchGraphNode, ofListWith calls: [FetchGraphNode]) -> Bool {
        Self.graph.withLock {
            var visited: Set<ObjectIdentifier> = []
            if calls.contains(where: { $0.waits(for: self, &visited) }) { return false }
            add(page)
            return true
        }
    }

    /// Records that the call waits for a call that has not begun, which itself can't wait for another.
    func wait(forNew call: FetchGraphNode) {
        Self.graph.withLock { add(call) }
    }

    /// Records that the call waits for one entity less.
    func endWait(for call: FetchGraphNode) {
        Self.graph.withLock {
            guard let count = awaited[ObjectIdentifier(call)]?.count else { return }
            awaited[ObjectIdentifier(call)] = count > 1 ? (call, count - 1) : nil
        }
    }

    /// Records that the fetcher or loader has returned, so that its remaining tasks aren't part of the call any more.
    func end() {
        Self.graph.withLock {
            hasEnded = true
            awaited = [:]
        }
    }

    private func add(_ call: FetchGraphNode) {
        awaited[ObjectIdentifier(call), default: (call, 0)].count += 1
    }

    /// Whether the call is another call, or waits for it, directly or through others.
    ///
    /// - Parameter visited: The calls that don't wait for it, to which this method adds.
    private func waits(for other: FetchGraphNode, _ visited: inout Set<ObjectIdentifier>) -> Bool {
        var open = [self]
        while let call = open.popLast() {
            if call === other { return true }
            if visited.insert(ObjectIdentifier(call)).inserted { open += call.awaited.values.map({ $0.call }) }
        }
        return false
    }
}
