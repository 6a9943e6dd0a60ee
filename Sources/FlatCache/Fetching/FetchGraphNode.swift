/// A call of a fetcher of whatever type, as a node in the graph of calls that wait for each other.
///
/// A fetcher may fetch other entities, and wait for their fetchers. If one of those came to wait for the first, all of them
/// would wait for ever. Therefore each call knows the calls that it waits for, and a wait that would close a circle is
/// refused.
///
/// Nothing in a node is the user's, so that nodes may be released anywhere.
final class FetchGraphNode: @unchecked Sendable {  // Everything variable is guarded by the lock of the graph.
    /// The call that has started the task, however long ago.
    @TaskLocal static var current: FetchGraphNode?

    /// Guards the edges of the whole graph; taken while the lock of a queue is held, and no lock is taken inside.
    private static let graph = Lock()

    /// The calls that this one waits for, each with the number of entities.
    private var awaited: [ObjectIdentifier: (call: FetchGraphNode, count: Int)] = [:]
    private var hasEnded = false

    /// The call that waits when the current task waits; `nil` when none does.
    static var ofTask: FetchGraphNode? {
        guard let current, FetcherExecutor.runsTask else { return nil }
        return graph.withLock { current.hasEnded ? nil : current }
    }

    /// Notes that the call waits for others, unless one of those waits for it.
    ///
    /// - Parameter calls: The calls, as often as there are entities to wait for.
    /// - Returns: Those that wait for this one, or are this one; nothing is noted if there are any.
    func wait(for calls: [FetchGraphNode]) -> Set<ObjectIdentifier> {
        if calls.isEmpty { return [] }
        return Self.graph.withLock {
            var visited: Set<ObjectIdentifier> = []
            var cyclic: Set<ObjectIdentifier> = []
            // What is awaited already closes no circle.
            for call in calls where awaited[ObjectIdentifier(call)] == nil && call.waits(for: self, &visited) {
                cyclic.insert(ObjectIdentifier(call))
            }
            if cyclic.isEmpty { for call in calls { add(call) } }
            return cyclic
        }
    }

    /// Notes that the call waits for one that has not begun, and therefore waits for nobody.
    func wait(forNew call: FetchGraphNode) {
        Self.graph.withLock { add(call) }
    }

    /// Notes that the call waits for one entity less.
    func endWait(for call: FetchGraphNode) {
        Self.graph.withLock {
            guard let count = awaited[ObjectIdentifier(call)]?.count else { return }
            awaited[ObjectIdentifier(call)] = count > 1 ? (call, count - 1) : nil
        }
    }

    /// Notes that the fetcher has returned; tasks that it has left behind are no part of the call.
    func end() {
        Self.graph.withLock {
            hasEnded = true
            awaited = [:]
        }
    }

    private func add(_ call: FetchGraphNode) {
        awaited[ObjectIdentifier(call), default: (call, 0)].count += 1
    }

    /// Whether the call is another one, or waits for that, directly or through others.
    ///
    /// - Parameter visited: Calls that don't; those that are found out are added.
    private func waits(for other: FetchGraphNode, _ visited: inout Set<ObjectIdentifier>) -> Bool {
        var open = [self]
        while let call = open.popLast() {
            if call === other { return true }
            if visited.insert(ObjectIdentifier(call)).inserted { open += call.awaited.values.map(\.call) }
        }
        return false
    }
}
