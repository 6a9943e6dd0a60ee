import Synchronization

/// What several threads did with a cache, and what each of them saw.
struct History: Sendable {
    /// What was in the cache before.
    var initial = State()
    /// The events of each process, in its order.
    ///
    /// A process is a thread, or an observer whose deliveries are reads.
    var processes: [[Event]]

    /// One call and its return.
    struct Event: Sendable {
        var call: Call
        /// What the call returned, step by step.
        var observations: [Observation]
        /// When the call was made, by a clock that all threads share; it took effect between then and its return.
        var called: Int
        /// When the call returned.
        var returned: Int
    }

    /// The part of the history that concerns one key.
    ///
    /// Linearizability is local, as Maurice Herlihy and Jeannette Wing showed: a history of calls that each concern one
    /// object can be explained if the part of each object can. The parts are much cheaper to check.
    func part(of key: Key) -> History {
        History(initial: initial, processes: processes.map { $0.filter { $0.call.key == key } })
    }

    /// The keys that are the only ones of some call.
    var keys: Set<Key> { Set(processes.joined().compactMap(\.call.key)) }
}

/// Time as all threads agree on it: each reading is later than those before.
final class HistoryClock: Sendable {
    private let time = Atomic(0)

    func tick() -> Int {
        // Sequentially consistent, so that no part of a call can move out of the time between its two ticks. That hides
        // races from the thread sanitizer, which has the longer tests for them.
        time.add(1, ordering: .sequentiallyConsistent).newValue
    }
}
