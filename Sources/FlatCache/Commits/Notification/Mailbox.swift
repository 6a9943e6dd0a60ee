internal import Synchronization

/// What waits for one observer, and whose turn it is to call it.
///
/// Commits post while they hold the locks of their slots; mail that waits is folded, so that there is at most one piece
/// of it. The observer is called with no lock held, by one thread at a time: the thread whose commit finds nobody calling
/// takes the turn. It makes at most two calls, one with its own change and one with what came meanwhile, so that busy
/// writers can't keep it; what waits then is for the next one who commits, or for a task. So every observer is notified in
/// the order of the commits, and a callback that writes its own key is not called from within itself.
///
/// A callback is never waited for: not by other writers, and not when observation ends. Waiting would make two callbacks
/// that cancel each other wait for ever.
final class Mailbox<Mail: Sendable>: @unchecked Sendable {
    // Everything mutable but `state` and `calls` is guarded by the lock; `state` says whether there is mail to those who
    // only want to know whether they can do without it.
    private let lock = Lock()
    @exclusivity(unchecked) private var isTaken: Bool
    @exclusivity(unchecked) private var mail: Held<Mail>
    /// The thread that has posted the mail; `nil` for several.
    @exclusivity(unchecked) private var poster: ThreadIdentity?
    /// Whether a task is going to deliver what waits.
    private var isScheduled = false
    private let isWaiting: Atomic<Bool>
    private let fold: @Sendable (_ earlier: inout Mail, _ later: Mail) -> any Sendable
    /// The calls of the observer, which no longer begin once it has ended.
    let calls: ObserverCalls

    /// Creates a mailbox.
    ///
    /// - Parameters:
    ///   - mail: What waits from the beginning, for an observer that fetches its mail.
    ///   - isTaken: Whether the creator has the turn; it must then call ``deliver(first:_:)``. An observer that fetches its
    ///     mail has the turn for ever.
    ///   - onMainActor: Whether the observer is called on the main actor alone.
    ///   - fold: Folds later mail into earlier one, in time that depends on the later alone; returns what the earlier one
    ///     doesn't hold any more.
    init(
        _ mail: Mail? = nil,
        isTaken: Bool = false,
        onMainActor: Bool = false,
        fold: @escaping @Sendable (inout Mail, Mail) -> any Sendable
    ) {
        isWaiting = Atomic(mail != nil)
        self.mail = Held(mail)
        self.isTaken = isTaken
        self.fold = fold
        calls = ObserverCalls(onMainActor: onMainActor)
    }

    /// Makes what waits include a change.
    ///
    /// - Parameter isWanted: Whether the change is wanted. Asked under the lock.
    /// - Returns: What waits no longer, to be released when no lock is held.
    func post(_ later: Mail, if isWanted: () -> Bool = { true }) -> (any Sendable)? {
        lock.withLock { isWanted() ? add(later) : nil }
    }

    /// Takes the turn, or makes what waits include a change.
    ///
    /// Whoever takes the turn before it is free to call the observer keeps others from calling it. Therefore this is only
    /// for a commit that has nobody else to notify.
    ///
    /// - Parameter later: The change. Runs under the lock.
    /// - Returns: Whether the caller has the turn, and must deliver the change itself; and what waits no longer, to be
    ///   released when no lock is held.
    func takeTurn(orPost later: () -> Mail) -> (hasTurn: Bool, replaced: (any Sendable)?) {
        lock.withLock {
            if !isTaken && mail.isEmpty {
                isTaken = true
                return (true, nil)
            }
            return (false, add(later()))
        }
    }

    /// Makes what waits include a change, under the lock.
    private func add(_ later: Mail) -> (any Sendable)? {
        if calls.areEnded { return nil }
        let thread = ThreadIdentity.current
        poster = mail.isEmpty || poster == thread ? thread : nil
        isWaiting.store(true, ordering: .relaxed)
        // Taken out, the mail is nobody else's, and changes in place.
        guard var waiting = mail.take() else {
            withExtendedLifetime(mail.replace(with: later)) {}
            return nil
        }
        let replaced = fold(&waiting, later)
        withExtendedLifetime(mail.replace(with: waiting)) {}
        return replaced
    }

    /// Delivers what waits, unless another thread has the turn: then it is for that thread, or for the next one.
    ///
    /// - Returns: Whether something waits although nobody has the turn.
    func deliver(_ action: (Mail) -> Void) -> Bool {
        let mustHop = calls.mustHop
        let mail: (Mail, isOwn: Bool)? = lock.withLock {
            guard !isTaken, !mustHop, let mail = takeMail() else { return nil }
            isTaken = true
            return mail
        }
        guard let mail else { return mustHop }
        call(mail, action)
        return deliverOneMore(action)
    }

    /// Delivers a change, and what has come meanwhile, and gives up the turn, which the caller has.
    ///
    /// What waits already is folded into the change, so that the observer is given the newest state at once.
    ///
    /// - Returns: Whether something waits although nobody has the turn.
    func deliver(first: Mail, _ action: (Mail) -> Void) -> Bool {
        let mustHop = calls.mustHop
        let (mail, replaced): ((Mail, isOwn: Bool)?, (any Sendable)?) = lock.withLock {
            if calls.areEnded { return (nil, nil) }
            guard let (later, isOwn) = takeMail() else { return ((first, true), nil) }
            var mail = first
            let replaced = fold(&mail, later)
            return ((mail, isOwn), replaced)
        }
        withExtendedLifetime(replaced) {}
        if mustHop, let mail { return putBack(mail.0) }
        if let mail { call(mail, action) }
        return deliverOneMore(action)
    }

    /// Leaves a change to a task, and gives up the turn, which the caller has.
    ///
    /// - Returns: Whether something waits although nobody has the turn.
    private func putBack(_ first: Mail) -> Bool {
        let replaced: (any Sendable)? = lock.withLock {
            if calls.areEnded { return nil }
            var mail = first
            let replaced = takeMail().map { fold(&mail, $0.0) }
            return [add(mail), replaced]
        }
        withExtendedLifetime(replaced) {}
        return giveUpTurn()
    }

    /// Delivers what waits, once, and gives up the turn, which the caller has.
    ///
    /// - Returns: Whether something waits although nobody has the turn.
    func deliverOneMore(_ action: (Mail) -> Void) -> Bool {
        if calls.mustHop { return giveUpTurn() }
        // Nearly always nothing has come.
        if let mail = next() {
            call(mail, action)
            return giveUpTurn()
        }
        return false
    }

    /// Calls an observer; writes that it makes because of other threads are no writes of an update around it.
    private func call(_ mail: (Mail, isOwn: Bool), _ action: (Mail) -> Void) {
        SyncPoint.reach(.taken)
        if mail.isOwn { action(mail.0) } else { RunningUpdate.runOutsideOfAll { action(mail.0) } }
    }

    /// Takes what waits; gives up the turn when there is nothing.
    private func next() -> (Mail, isOwn: Bool)? {
        lock.withLock {
            if let mail = takeMail() { return mail }
            // One that has ended keeps its turn: nobody may deliver any more.
            if !calls.areEnded { isTaken = false }
            return nil
        }
    }

    private func giveUpTurn() -> Bool {
        lock.withLock {
            if !calls.areEnded { isTaken = false }
            return !mail.isEmpty
        }
    }

    /// Whether a task must be made for what waits, because nobody has the turn; the caller makes it.
    func schedule() -> Bool {
        lock.withLock {
            if isTaken || mail.isEmpty || isScheduled { return false }
            isScheduled = true
            return true
        }
    }

    /// Notes that the task is there.
    func beginScheduled() { lock.withLock { isScheduled = false } }

    /// Whether the observer may be called with a change for which the caller has the turn, because nothing waits.
    ///
    /// Asked immediately before the call. If it may not, the change must be ``deliver(first:_:)``ed.
    var isReady: Bool {
        let isReady = !isWaiting.load(ordering: .acquiring) && !calls.areEnded
        if isReady { SyncPoint.reach(.taken) }
        return isReady
    }

    /// Takes what waits, for an observer that fetches its mail instead of being called.
    ///
    /// - Parameter prepare: What to do in the same step. Runs under the lock.
    func take(_ prepare: () -> Void = {}) -> Mail? {
        lock.withLock {
            prepare()
            return takeMail()?.0
        }
    }

    /// Takes what waits, under the lock, and whether the calling thread alone has posted it.
    private func takeMail() -> (Mail, isOwn: Bool)? {
        guard let taken = mail.take() else { return nil }
        isWaiting.store(false, ordering: .relaxed)
        return (taken, poster == ThreadIdentity.current)
    }

    /// Ends delivery: no call of the observer begins after this returns.
    func close() {
        calls.end()
        let mail = lock.withLock {
            isTaken = true
            isWaiting.store(false, ordering: .relaxed)
            return self.mail.take()
        }
        withExtendedLifetime(mail) {}
    }
}
