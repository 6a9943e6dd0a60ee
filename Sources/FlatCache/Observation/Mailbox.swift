internal import Synchronization

/// What waits to be told to one observer, and whose turn it is to tell it.
///
/// Commits post while they hold the locks of their slots. The first one that finds nobody telling takes the turn, and
/// keeps what it has to tell; it tells that when it has given up its locks, and then what others have posted meanwhile,
/// until nothing is left. What is posted while the turn is taken waits, folded into one piece of mail. So the observer is
/// called with no lock held, by one thread at a time, in the order of the commits, and a callback that writes its own key
/// is not called from within itself.
///
/// A callback is never waited for: not by other writers, and not by ``close()``. Waiting would make two callbacks that
/// cancel each other wait for ever.
final class Mailbox<Mail: Sendable>: @unchecked Sendable {  // `isTaken` and `mail` are guarded by the lock.
    private let lock = Lock()
    @exclusivity(unchecked) private var isTaken: Bool
    @exclusivity(unchecked) private var mail: Mail?
    private let isClosed = Atomic(false)

    /// Creates a mailbox.
    ///
    /// - Parameters:
    ///   - mail: What waits from the beginning, for an observer that fetches its mail.
    ///   - isTaken: Whether the creator has the turn; it must then call ``deliver(_:_:)``. An observer that fetches its
    ///     mail has the turn for ever.
    init(_ mail: Mail? = nil, isTaken: Bool = false) {
        self.mail = mail
        self.isTaken = isTaken
    }

    /// Takes the turn, or makes what waits include a change when the turn is taken.
    ///
    /// - Parameters:
    ///   - prepare: What to do before, in either case. Runs under the lock.
    ///   - fold: Adds the change to what waits. Runs under the lock.
    /// - Returns: Whether the caller has the turn; it must then ``deliver(_:_:)`` the change itself.
    func takeTurn(_ prepare: () -> Void = {}, orPost fold: (inout Mail?) -> Void) -> Bool {
        lock.withLock {
            prepare()
            if !isTaken {
                isTaken = true
                return true
            }
            if !isClosed.load(ordering: .relaxed) { fold(&mail) }
            return false
        }
    }

    /// Delivers a change and then what waits, until nothing does, and gives up the turn, which the caller has.
    func deliver(_ first: Mail, _ action: (Mail) -> Void) {
        if isOpen { action(first) }
        deliverWaiting(action)
    }

    /// Whether the observer may be called; asked by whoever has the turn, immediately before the call.
    var isOpen: Bool {
        let isOpen = !isClosed.load(ordering: .acquiring)
        if isOpen { RacePoint.reach(.taken) }
        return isOpen
    }

    /// Delivers what waits, until nothing does, and gives up the turn, which the caller has.
    func deliverWaiting(_ action: (Mail) -> Void) {
        while let mail = next() {
            RacePoint.reach(.taken)
            action(mail)
        }
    }

    private func next() -> Mail? {
        lock.withLock {
            guard !isClosed.load(ordering: .relaxed) else { return nil }
            if let mail = mail.take() { return mail }
            isTaken = false
            return nil
        }
    }

    /// Takes what waits, for an observer that fetches its mail instead of being called.
    func take() -> Mail? {
        lock.withLock { mail.take() }
    }

    /// Ends delivery: no call of the observer begins after this returns.
    func close() {
        // Mail is released outside the lock, because that may run user code.
        let mail = lock.withLock {
            isClosed.store(true, ordering: .releasing)
            return self.mail.take()
        }
        withExtendedLifetime(mail) {}
    }
}
