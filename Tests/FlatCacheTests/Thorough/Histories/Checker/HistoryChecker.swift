/// Decides whether a history can be explained: whether there is one order of all its calls in which each, done alone,
/// returns what it returned, and in which a call that returned before another was made comes first.
///
/// The search is that of Jeannette Wing and Chun Gong: take any call that may come next, do it on a sequential model, go
/// on if the model returns the same, else turn back. What Gavin Lowe added makes it fast: a set of calls that has been
/// done and led to a state needs to be tried once only, however many orders of those calls lead there.
struct HistoryChecker {
    private let history: History
    private var tried: Set<Position> = []
    /// The calls in the order that explains them, from the last to the first.
    private var order: [History.Event] = []

    /// How far the search has come.
    private struct Position: Hashable {
        /// The number of calls done of each process: within one, they come in its own order.
        var done: [Int]
        var state: History.State
    }

    private init(_ history: History) {
        self.history = history
    }

    /// Returns an order of the calls that explains a history, or `nil` when there is none.
    static func explanation(of history: History) -> [History.Event]? {
        var checker = HistoryChecker(history)
        let start = Position(done: history.processes.map { _ in 0 }, state: history.initial)
        return checker.canExplainRest(after: start) ? checker.order.reversed() : nil
    }

    private mutating func canExplainRest(after position: Position) -> Bool {
        let next = history.processes.indices.compactMap { head(of: $0, at: position) }
        guard let firstReturn = next.map(\.event.returned).min() else { return true }
        guard tried.insert(position).inserted else { return false }
        for (process, event) in next where event.called < firstReturn {
            var following = position
            guard following.state.perform(event.call) == event.observations else { continue }
            following.done[process] += 1
            if canExplainRest(after: following) {
                order.append(event)
                return true
            }
            // A read that fits now never fits better later: what can be explained with it later can be with it now.
            if event.call.isReading { return false }
        }
        return false
    }

    /// The next call of a process.
    private func head(of process: Int, at position: Position) -> (process: Int, event: History.Event)? {
        let events = history.processes[process]
        let index = position.done[process]
        return index < events.count ? (process, events[index]) : nil
    }
}
