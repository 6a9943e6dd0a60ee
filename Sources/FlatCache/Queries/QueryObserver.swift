/// An observer of a live query, which has its own mailbox, because observers have different speeds.
final class QueryObserver: Observer, @unchecked Sendable {  // The lock of the `QueryObservers` guards the variables.
    private let mailbox: Mailbox<QueryMail>
    private let receiver: Receiver
    /// Whether it has no answer yet.
    @exclusivity(unchecked) fileprivate var isNew = true
    /// The place among the observers of the query.
    @exclusivity(unchecked) fileprivate var position = 0

    enum Receiver {
        /// A closure that returns the call to make for each mail, and one that is called at the end.
        case callback(@Sendable (QueryMail) -> (@Sendable () -> Void)?, onEnd: @Sendable () -> Void = {})
        /// A stream that is signalled when there may be mail.
        case signal(AsyncStream<Void>.Continuation)
    }

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - receiver: The receiver of the answers.
    ///   - onMainActor: Whether it is called only on the main actor.
    init(_ receiver: Receiver, onMainActor: Bool) {
        self.receiver = receiver
        mailbox = Mailbox(onMainActor: onMainActor) { $0.fold($1) }
    }

    var calls: ObserverCalls { mailbox.calls }

    /// Whether it has received all mail.
    var isIdle: Bool { mailbox.isIdle }

    fileprivate func post(_ update: QueryUpdate) -> (isCalled: Bool, replaced: (any Sendable)?) {
        if !isNew && update.isOutside && mailbox.isWithoutMail { return (false, nil) }
        defer { isNew = false }
        // Mail that is posted while no update runs is part of none, even if it is delivered while one runs.
        let isOwn = RunningUpdate.isAnyRunning
        return (true, mailbox.post(QueryMail(update, isInitial: isNew), isOwn: isOwn))
    }

    func deliver() -> Bool {
        if case .signal(let continuation) = receiver {
            continuation.yield()
            return false
        }
        return mailbox.deliver { call($0) }
    }

    private func call(_ mail: QueryMail) {
        guard case .callback(let callback, _) = receiver else { return }
        calls.run {
            if let deliver = callback(mail), !calls.areEnded { deliver() }
        }
    }

    /// The mail of an observer that polls, or `nil` if there is none.
    func takeMail() -> QueryMail? { mailbox.take() }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    func finish() {
        mailbox.close()
        switch receiver {
        case .callback(_, let onEnd): onEnd()
        case .signal(let continuation): continuation.finish()
        }
    }
}

/// The observers of a live query.
final class QueryObservers: @unchecked Sendable {  // The lock guards the list, and the variables of the observers.
    private let lock = Lock()
    @exclusivity(unchecked) private var list: [QueryObserver] = []

    init(_ first: QueryObserver) {
        list = [first]
    }

    func add(_ observer: QueryObserver) {
        lock.withLock {
            observer.position = list.count
            list.append(observer)
        }
    }

    /// Removes an observer, if it is in the list.
    ///
    /// The last observer takes its place, so that a removal takes constant time.
    func remove(_ observer: QueryObserver) { lock.withLock { take(observer) } }

    /// Removes an observer if it has no answer yet.
    ///
    /// - Returns: Whether it was removed.
    func removeIfNew(_ observer: QueryObserver) -> Bool {
        lock.withLock {
            if observer.isNew { take(observer) }
            return observer.isNew
        }
    }

    private func take(_ observer: QueryObserver) {
        let position = observer.position
        guard list.indices.contains(position), list[position] === observer else { return }
        list.swapAt(position, list.count - 1)
        list[position].position = position
        list.removeLast()
    }

    /// Puts an update into the mailboxes.
    ///
    /// - Returns: The observers to be called.
    func post(_ update: QueryUpdate) -> [QueryObserver] {
        let (called, replaced): ([QueryObserver], [any Sendable]) = lock.withLock {
            var called: [QueryObserver] = []
            var replaced: [any Sendable] = []
            for observer in list {
                let posted = observer.post(update)
                if posted.isCalled { called.append(observer) }
                if let mail = posted.replaced { replaced.append(mail) }
            }
            return (called, replaced)
        }
        withExtendedLifetime(replaced) {}
        return called
    }

    /// All observers.
    var all: [QueryObserver] { lock.withLock { list } }

    /// Ends all observers, because the cache is deallocated.
    func finish() {
        for observer in all { observer.finish() }
    }
}
