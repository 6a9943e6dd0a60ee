/// What waits to be told to one observer, and whose turn it is to tell it.
///
/// Commits post while they hold the locks of their slots; mail that waits is folded, so that there is at most one piece
/// of it. The observer is called with no lock held, by one thread at a time: the thread whose commit finds nobody
/// delivering takes the turn and keeps it until no mail is left, also that which other threads, or the observer's own
/// writes, have posted meanwhile. So every observer is told in the order of the commits, and a callback that writes its
/// own key is not called from within itself.
///
/// A callback is never waited for: not by other writers, and not by ``close()``. Waiting would make two callbacks that
/// cancel each other wait for ever.
final class Mailbox<Mail: Sendable>: @unchecked Sendable {  // `state` is guarded by the lock.
    private let lock = Lock()
    @exclusivity(unchecked) private var state: State

    private struct State {
        var mail: Mail?
        var turn: Turn
    }

    private enum Turn {
        case free, taken, closed
    }

    /// Creates a mailbox.
    ///
    /// - Parameters:
    ///   - mail: What waits from the beginning.
    ///   - isTaken: Whether the creator has the turn; it must then call ``continueDelivery(_:)``.
    init(_ mail: Mail? = nil, isTaken: Bool = false) {
        state = State(mail: mail, turn: isTaken ? .taken : .free)
    }

    /// Makes what waits include a change.
    ///
    /// - Parameter fold: Adds the change to what waits. Runs under the lock.
    func post(_ fold: (inout Mail?) -> Void) {
        lock.withLock {
            if state.turn != .closed { fold(&state.mail) }
        }
    }

    /// Delivers what waits, unless another thread has the turn: then that thread does.
    func deliver(_ action: (Mail) -> Void) {
        let mail: Mail? = lock.withLock {
            guard state.turn == .free, let mail = state.mail.take() else { return nil }
            state.turn = .taken
            return mail
        }
        guard let mail else { return }
        RacePoint.reach(.taken)
        action(mail)
        continueDelivery(action)
    }

    /// Delivers what waits until nothing does, then gives up the turn, which the caller has.
    func continueDelivery(_ action: (Mail) -> Void) {
        while let mail = next() { action(mail) }
    }

    private func next() -> Mail? {
        lock.withLock {
            guard state.turn == .taken else { return nil }
            if let mail = state.mail.take() { return mail }
            state.turn = .free
            return nil
        }
    }

    /// Takes what waits, for an observer that fetches its mail instead of being called.
    func take() -> Mail? {
        lock.withLock { state.mail.take() }
    }

    /// Ends delivery: no call of the observer begins after this returns.
    func close() {
        // Mail is released outside the lock, because that may run user code.
        let mail = lock.withLock {
            state.turn = .closed
            return state.mail.take()
        }
        withExtendedLifetime(mail) {}
    }
}
