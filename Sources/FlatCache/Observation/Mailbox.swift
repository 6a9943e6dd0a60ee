internal import Synchronization

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
final class Mailbox<Mail: Sendable>: @unchecked Sendable {
    // `isTaken` and `mail` are guarded by the lock; `state` says what is in them to those who only want to know whether
    // they can do without it.
    private let lock = Lock()
    @exclusivity(unchecked) private var isTaken: Bool
    @exclusivity(unchecked) private var mail: Mail?
    private let state: Atomic<State>
    private let fold: @Sendable (_ earlier: Mail, _ later: Mail) -> Mail

    private enum State: UInt8, AtomicRepresentable {
        case empty, waiting, closed
    }

    /// Creates a mailbox.
    ///
    /// - Parameters:
    ///   - mail: What waits from the beginning, for an observer that fetches its mail.
    ///   - isTaken: Whether the creator has the turn; it must then call ``deliver(_:_:)``. An observer that fetches its
    ///     mail has the turn for ever.
    ///   - fold: Makes one piece of mail of two.
    init(_ mail: Mail? = nil, isTaken: Bool = false, fold: @escaping @Sendable (Mail, Mail) -> Mail) {
        self.mail = mail
        self.isTaken = isTaken
        self.fold = fold
        state = Atomic(mail == nil ? .empty : .waiting)
    }

    /// Makes what waits include a change.
    ///
    /// - Parameter isWanted: Whether the change is wanted. Asked under the lock.
    func post(_ later: Mail, if isWanted: () -> Bool = { true }) {
        lock.withLock { if isWanted() { add(later) } }
    }

    /// Takes the turn, or makes what waits include a change.
    ///
    /// Whoever takes the turn before it is free to call the observer keeps others from telling it. Therefore this is only
    /// for a commit that has nobody else to tell.
    ///
    /// - Parameter later: The change. Runs under the lock.
    /// - Returns: Whether the caller has the turn; it must then ``deliver(_:_:)`` the change itself.
    func takeTurn(orPost later: () -> Mail) -> Bool {
        lock.withLock {
            if !isTaken && mail == nil {
                isTaken = true
                return true
            }
            add(later())
            return false
        }
    }

    /// Makes what waits include a change, under the lock.
    private func add(_ later: Mail) {
        guard state.load(ordering: .relaxed) != .closed else { return }
        mail = mail.map { fold($0, later) } ?? later
        state.store(.waiting, ordering: .relaxed)
    }

    /// Delivers what waits, unless another thread has the turn: then that thread does.
    func deliver(_ action: (Mail) -> Void) {
        let mail: Mail? = lock.withLock {
            guard !isTaken, let mail = takeMail() else { return nil }
            isTaken = true
            return mail
        }
        guard let mail else { return }
        RacePoint.reach(.taken)
        action(mail)
        deliverWaiting(action)
    }

    /// Delivers a change and then what waits, until nothing does, and gives up the turn, which the caller has.
    ///
    /// What waits already is folded into the change, so that the observer is told the newest state at once.
    func deliver(_ first: Mail, _ action: (Mail) -> Void) {
        if let mail = begin(first) {
            RacePoint.reach(.taken)
            action(mail)
        }
        deliverWaiting(action)
    }

    private func begin(_ first: Mail) -> Mail? {
        lock.withLock {
            if state.load(ordering: .relaxed) == .closed { return nil }
            return takeMail().map { fold(first, $0) } ?? first
        }
    }

    /// Whether the observer may be called with a change for which the caller has the turn, because nothing waits.
    ///
    /// Asked immediately before the call. If it may not, the change must be ``deliver(_:_:)``ed.
    var isReady: Bool {
        let isReady = state.load(ordering: .acquiring) == .empty
        if isReady { RacePoint.reach(.taken) }
        return isReady
    }

    /// Whether nothing is delivered any more.
    var isClosed: Bool { state.load(ordering: .acquiring) == .closed }

    /// Delivers what waits, until nothing does, and gives up the turn, which the caller has.
    func deliverWaiting(_ action: (Mail) -> Void) {
        while let mail = next() {
            RacePoint.reach(.taken)
            action(mail)
        }
    }

    private func next() -> Mail? {
        lock.withLock {
            if let mail = takeMail() { return mail }
            // A closed mailbox keeps its turn: nobody may deliver any more.
            if state.load(ordering: .relaxed) != .closed { isTaken = false }
            return nil
        }
    }

    /// Takes what waits, for an observer that fetches its mail instead of being called.
    ///
    /// - Parameter prepare: What to do in the same step. Runs under the lock.
    func take(_ prepare: () -> Void = {}) -> Mail? {
        lock.withLock {
            prepare()
            return takeMail()
        }
    }

    /// Takes what waits, under the lock.
    private func takeMail() -> Mail? {
        guard state.load(ordering: .relaxed) == .waiting else { return nil }
        state.store(.empty, ordering: .relaxed)
        return mail.take()
    }

    /// Ends delivery: no call of the observer begins after this returns.
    func close() {
        // Mail is released outside the lock, because that may run user code.
        let mail = lock.withLock {
            state.store(.closed, ordering: .releasing)
            isTaken = true
            return self.mail.take()
        }
        withExtendedLifetime(mail) {}
    }
}
