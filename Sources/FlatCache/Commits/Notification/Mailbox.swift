internal import Synchronization

/// The waiting mail of one observer, and the turn to call it.
///
/// Commits post while they hold the locks of their slots. Waiting mail is folded, so there is at most one piece. The
/// observer is called with no lock held, by one thread at a time. If no thread has the turn, the committing thread
/// takes it. It makes at most two calls, one with its own change and one with mail that arrived meanwhile, so that busy
/// writers can't block it. Then the next thread that commits, or a task, delivers the waiting mail. So every observer
/// is notified in the order of the commits, and a callback that writes its own key isn't called recursively.
///
/// Neither writers nor the end of observation wait for a callback, because two callbacks that cancel each other would
/// wait forever.
final class Mailbox<Mail: Sendable>: @unchecked Sendable {
    // The lock guards all variables except `state` and `calls`. `state` shows without the lock whether there is mail.
    private let lock = Lock()
    @exclusivity(unchecked) private var isTaken: Bool
    @exclusivity(unchecked) private var mail: Held<Mail>
    /// The thread that has posted the mail, or `nil` for several.
    @exclusivity(unchecked) private var poster: ThreadIdentity?
    /// Whether a task is going to deliver the waiting mail.
    private var isScheduled = false
    private let isWaiting: Atomic<Bool>
    private let fold: @Sendable (_ earlier: inout Mail, _ later: Mail) -> any Sendable
    /// The calls of the observer, which don't begin after it has ended.
    let calls: ObserverCalls

    /// Creates a mailbox.
    ///
    /// - Parameters:
    ///   - mail: The initial mail, for an observer that is polled.
    ///   - isTaken: Whether the creator has the turn, and must call ``deliver(first:_:)``. A polled observer always has
    ///     the turn.
    ///   - onMainActor: Whether the observer is called only on the main actor.
    ///   - fold: Folds later mail into earlier mail, in time that depends only on the later one. It returns the
    ///     replaced parts.
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

    /// Adds a change to the waiting mail.
    ///
    /// - Parameters:
    ///   - later: The change.
    ///   - isOwn: Whether it is part of the update that the calling thread runs, if any.
    ///   - isWanted: Returns whether the change is wanted. It is called under the lock.
    /// - Returns: The replaced mail, to be released when no lock is held.
    func post(_ later: Mail, isOwn: Bool = true, if isWanted: () -> Bool = { true }) -> (any Sendable)? {
        lock.withLock { isWanted() ? add(later, isOwn: isOwn) : nil }
    }

    /// Takes the turn, or adds a change to the waiting mail.
    ///
    /// A thread that takes the turn before it can call the observer blocks other calls. So this is only for a commit
    /// without other observers.
    ///
    /// - Returns: Whether the caller has the turn, and must deliver the change itself; and the replaced mail, to be
    ///   released when no lock is held.
    func takeTurn(orPost later: Mail) -> (hasTurn: Bool, replaced: (any Sendable)?) {
        lock.withLock {
            if !isTaken && mail.isEmpty {
                isTaken = true
                return (true, nil)
            }
            return (false, add(later))
        }
    }

    /// Adds a change to the waiting mail, under the lock.
    private func add(_ later: Mail, isOwn: Bool = true) -> (any Sendable)? {
        if calls.areEnded { return nil }
        let thread = isOwn ? ThreadIdentity.current : nil
        poster = mail.isEmpty || poster == thread ? thread : nil
        isWaiting.store(true, ordering: .relaxed)
        // After it is taken, the mail has no other reference, and changes in place.
        guard var waiting = mail.take() else {
            withExtendedLifetime(mail.replace(with: later)) {}
            return nil
        }
        let replaced = fold(&waiting, later)
        withExtendedLifetime(mail.replace(with: waiting)) {}
        return replaced
    }

    /// Delivers the waiting mail, unless another thread has the turn.
    ///
    /// Then that thread, or the next one, delivers it.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
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

    /// Delivers the initial mail and the mail that arrived meanwhile, and releases the turn, which the creator has.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    func begin(_ action: (Mail) -> Void) -> Bool {
        if calls.mustHop { return giveUpTurn() }
        guard let mail = next() else { return false }
        call(mail, action)
        return deliverOneMore(action)
    }

    /// Delivers a change and the mail that arrived meanwhile, and releases the turn, which the caller has.
    ///
    /// Mail that already waits is folded into the change, so that the observer immediately receives the newest state.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    func deliver(first: Mail, _ action: (Mail) -> Void) -> Bool {
        if calls.mustHop { return leaveToTask(first) }
        // Usually no mail waits.
        if !isWaiting.load(ordering: .acquiring) {
            if !calls.areEnded { call((first, true), action) }
            return deliverOneMore(action)
        }
        let (mail, replaced): ((Mail, isOwn: Bool)?, (any Sendable)?) = lock.withLock {
            if calls.areEnded { return (nil, nil) }
            guard let (later, isOwn) = takeMail() else { return ((first, true), nil) }
            var mail = first
            let replaced = fold(&mail, later)
            return ((mail, isOwn), replaced)
        }
        withExtendedLifetime(replaced) {}
        if let mail { call(mail, action) }
        return deliverOneMore(action)
    }

    /// Leaves a change to a task, and releases the turn, which the caller has.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    private func leaveToTask(_ first: Mail) -> Bool {
        let replaced: (any Sendable)? = lock.withLock {
            if calls.areEnded { return nil }
            var mail = first
            let replaced = takeMail().map { fold(&mail, $0.0) }
            return [add(mail), replaced]
        }
        withExtendedLifetime(replaced) {}
        return giveUpTurn()
    }

    /// Delivers the waiting mail once, and releases the turn, which the caller has.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    func deliverOneMore(_ action: (Mail) -> Void) -> Bool {
        if calls.mustHop { return giveUpTurn() }
        // Usually no mail has arrived.
        if let mail = next() {
            call(mail, action)
            return giveUpTurn()
        }
        return false
    }

    /// Calls an observer.
    ///
    /// Its writes because of other threads don't belong to an update around it.
    private func call(_ mail: (Mail, isOwn: Bool), _ action: (Mail) -> Void) {
        SyncPoint.reach(.taken)
        if mail.isOwn { action(mail.0) } else { RunningUpdate.runOutsideOfAll { action(mail.0) } }
    }

    /// Takes the waiting mail, or releases the turn if there is none.
    private func next() -> (Mail, isOwn: Bool)? {
        lock.withLock {
            if let mail = takeMail() { return mail }
            // After the observer has ended, the turn isn't released, so that no thread delivers any more.
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

    /// Whether no mail waits, for the thread that posts.
    var isWithoutMail: Bool { !isWaiting.load(ordering: .relaxed) }

    /// Whether no mail waits and no thread has the turn, so that the observer knows all changes.
    var isIdle: Bool { lock.withLock { !isTaken && mail.isEmpty } }

    /// Whether the caller must create a task for the waiting mail, because no thread has the turn.
    func schedule() -> Bool {
        lock.withLock {
            if isTaken || mail.isEmpty || isScheduled { return false }
            isScheduled = true
            return true
        }
    }

    /// Records that the task is running.
    func beginScheduled() { lock.withLock { isScheduled = false } }

    /// Takes the waiting mail of a polled observer.
    ///
    /// - Parameter prepare: A closure that runs in the same step, under the lock.
    func take(_ prepare: () -> Void = {}) -> Mail? {
        lock.withLock {
            prepare()
            return takeMail()?.0
        }
    }

    /// Takes the waiting mail, under the lock, and whether only the calling thread has posted it.
    private func takeMail() -> (Mail, isOwn: Bool)? {
        guard let taken = mail.take() else { return nil }
        isWaiting.store(false, ordering: .relaxed)
        return (taken, poster == ThreadIdentity.current)
    }

    /// Ends delivery, so that no call of the observer begins after this returns.
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
