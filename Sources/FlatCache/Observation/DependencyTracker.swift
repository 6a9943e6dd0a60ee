/// An observer of whatever a body has read.
final class DependencyTracker: MultiKeyObserver, @unchecked Sendable {
    // `dependencies` is set once, before anybody else can see the observer; `readRevision` is guarded by the mailbox's lock.
    private let mailbox: Mailbox<News>
    private let receiver: Receiver
    private var dependencies: Dependencies?
    /// The commit whose state was read last.
    private var readRevision: UInt64 = 0

    private enum Receiver {
        /// Called when it should read, and when it has nothing more to read.
        case reader(@Sendable (DependencyTracker) -> Void, onEnd: @Sendable () -> Void)
        /// Asks whether there is news.
        case signal(AsyncStream<Void>.Continuation)
    }

    /// What may make it necessary to read again.
    private struct News {
        /// Whether something has changed for certain, whatever the changes are.
        var isCertain = false
        var changes = GatheredChanges([])

        /// Whether there is any; asked where no lock is held.
        var isRelevant: Bool { isCertain || changes.areNews }

        /// Adds later news.
        ///
        /// What many changes amount to isn't worth knowing: it takes as long as reading again.
        ///
        /// - Returns: What is no longer part of the news, to be released when no lock is held.
        mutating func fold(_ later: News) -> [any SlotChange] {
            let areMany = changes.count + later.changes.count > 16
            if isCertain || later.isCertain || (areMany && changes.count > 0 && later.changes.count > 0) {
                defer { self = News(isCertain: true) }
                return changes.all
            }
            return changes.fold(later.changes)
        }
    }

    /// Creates an observer that is called when it should read, for the first time by ``begin()``.
    ///
    /// - Parameters:
    ///   - onMainActor: Whether it is called on the main actor alone.
    ///   - reader: Reads.
    ///   - onEnd: Called when observation ends, perhaps several times.
    convenience init(
        onMainActor: Bool = false,
        reader: @escaping @Sendable (DependencyTracker) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.init(.reader(reader, onEnd: onEnd), onMainActor: onMainActor)
    }

    /// Creates an observer that asks whether there is news, and is signalled when some has come.
    convenience init(signal: AsyncStream<Void>.Continuation) {
        self.init(.signal(signal), News(isCertain: true))
    }

    private init(_ receiver: Receiver, _ news: News? = nil, onMainActor: Bool = false) {
        mailbox = Mailbox(news, isTaken: true, onMainActor: onMainActor) { $0.fold($1) }
        self.receiver = receiver
        dependencies = Dependencies(of: self)
    }

    /// Whether anything has been read that can change; asked by whoever has the turn.
    var isWatching: Bool { dependencies?.isEmpty == false }

    /// Whether observation has ended.
    var isFinished: Bool { calls.areEnded }

    @usableFromInline var calls: ObserverCalls { mailbox.calls }

    /// Calls the observer with the first state.
    ///
    /// - Returns: Whether something waits although nobody has the turn.
    func begin() -> Bool { mailbox.deliver(first: News(isCertain: true), call) }

    /// Calls the observer as if something had changed, unless another call is running: then that is followed by another.
    ///
    /// - Returns: Whether something waits although nobody has the turn.
    func readAgain() -> Bool {
        post(News(isCertain: true))
        return deliver()
    }

    private func call(_ news: News) {
        switch receiver {
        case .reader(let read, _): if news.isRelevant { calls.run { read(self) } }
        case .signal(let continuation): continuation.yield()
        }
    }

    /// Runs a body that reads the current state of a cache, and watches what it reads; called by whoever has the turn.
    func record<Result, Failure: Error>(
        in cache: FlatCache,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let snapshot = cache.history.object.openSnapshot()
        defer { cache.history.object.close(snapshot) }
        return try ReadContext.run(on: snapshot) { () throws(Failure) in try record(on: snapshot, body) }
    }

    /// Runs a body that reads a snapshot, and watches what it reads; called by whoever has the turn.
    func record<Result, Failure: Error>(
        on snapshot: Snapshot,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let dependencies else { return try body() }
        forget(upTo: snapshot.revision)
        let (result, isOutdated) = try dependencies.record(on: snapshot, body)
        if isOutdated { post(News(isCertain: true)) }
        return result
    }

    private func post(_ news: News) { withExtendedLifetime(mailbox.post(news)) {} }

    /// Forgets the changes that are part of the state that is going to be read: what is read then must not be compared with
    /// what there was before them.
    private func forget(upTo revision: UInt64) {
        let news = mailbox.take { readRevision = revision }
        // Newer ones may be folded into older ones already, and what they amount to isn't known any more.
        if let news, news.isCertain || news.changes.revision > revision {
            post(News(isCertain: true))
        }
    }

    @usableFromInline func post(_ changes: GatheredChanges) -> (any Sendable)? {
        SyncPoint.reach(.posting)
        return mailbox.post(News(changes: changes)) { changes.revision > readRevision }
    }

    @usableFromInline func deliver() -> Bool {
        if case .signal(let continuation) = receiver {
            continuation.yield()
            return false
        }
        return mailbox.deliver(call)
    }

    @usableFromInline func mustSchedule() -> Bool { mailbox.schedule() }

    @usableFromInline func beginScheduled() { mailbox.beginScheduled() }

    /// Whether there is news, for an observer that asks.
    func takeNews() -> Bool {
        while let news = mailbox.take() {
            if news.isRelevant { return true }
        }
        return false
    }

    @usableFromInline func finish() {
        mailbox.close()
        dependencies?.finish()
        switch receiver {
        case .reader(_, let onEnd): onEnd()
        case .signal(let continuation): continuation.finish()
        }
    }
}
