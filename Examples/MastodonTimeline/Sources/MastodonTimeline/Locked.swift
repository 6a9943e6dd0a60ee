import Foundation

/// A state that one thread at a time reads or changes.
final class Locked<State>: @unchecked Sendable {  // `state` is guarded by `lock`.
    private let lock = NSLock()
    private var state: State

    init(_ state: sending State) {
        self.state = state
    }

    /// Runs a body, which must not do anything that takes the lock again: notify, or let go of what observes.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
