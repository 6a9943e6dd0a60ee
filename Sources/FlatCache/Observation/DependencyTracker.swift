/// An observer of all entities that a body has read.
final class DependencyTracker: DependentObserver, @unchecked Sendable {
    // `dependencies` is set once, before other threads can access the observer. The lock of the mailbox guards
    // `readRevision`.
    private let mailbox: Mailbox<News>
    private let receiver: Receiver
    private var dependencies: Dependencies?
    /// The revision of the state that was read last.
    private var readRevision: UInt64 = 0

    private enum Receiver {
        /// A closure that is called to read, and one that is called when the observation ends.
        case reader(@Sendable (DependencyTracker) -> Void, onEnd: @Sendable () -> Void)
        /// A stream that is signalled when there may be news.
        case signal(AsyncStream<Void>.Continuation)
    }

    /// The changes that may require a new read.
    private struct News {
        /// Whether a new read is required independent of the changes.
        var isCertain = false
        var changes = GatheredChanges()

        /// Whether a new read is required.
        ///
        /// No lock may be held.
        var isRelevant: Bool { isCertain || changes.areNews }

        /// Folds later news into this.
        ///
        /// - Returns: The changes that are no longer part of the news, to be released when no lock is held.
        mutating func fold(_ later: News) -> [SlotChange] {
            // So many changes would take more memory than a new read is worth.
            let (count, laterCount) = (changes.count, later.changes.count)
            let areMany = count > 0 && laterCount > 0 && count + laterCount > smallCommit
            if isCertain || later.isCertain || areMany {
                defer { self = News(isCertain: true) }
                return Array(changes)
            }
            return changes.fold(later.changes)
        }
    }

    /// Creates an observer with a closure that reads, which ``begin()`` calls first.
    ///
    /// - Parameters:
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - reader: A closure that reads.
    ///   - onEnd: A closure that is called when observation ends. It may be called several times.
    convenience init(
        onMainActor: Bool = false,
        reader: @escaping @Sendable (DependencyTracker) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.init(.reader(reader, onEnd: onEnd), onMainActor: onMainActor)
    }

    /// Creates an observer that is polled for news, and signals a stream when there is some.
    convenience init(signal: AsyncStream<Void>.Continuation) {
        self.init(.signal(signal), News(isCertain: true))
    }

    private init(_ receiver: Receiver, _ news: News? = nil, onMainActor: Bool = false) {
        mailbox = Mailbox(news, isTaken: true, onMainActor: onMainActor) { $0.fold($1) }
        self.receiver = receiver
        dependencies = Dependencies(of: self)
    }

    /// Whether the last read had dependencies.
    ///
    /// The caller must have the turn.
    var isWatching: Bool { dependencies?.isEmpty == false }

    /// Whether observation has ended.
    var isFinished: Bool { calls.areEnded }

    var calls: ObserverCalls { mailbox.calls }

    /// Calls the observer with the first state.
    ///
    /// - Returns: Whether a change waits although no thread has the turn.
    func begin() -> Bool { mailbox.deliver(first: News(isCertain: true), call) }

    /// Calls the observer as after a change.
    ///
    /// If a call is running, it is followed by another one.
    ///
    /// - Returns: Whether a change waits although no thread has the turn.
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

    /// Runs a body that reads the current state of a cache, and observes its reads.
    ///
    /// The caller must have the turn.
    func record<Result, Failure: Error>(
        in cache: FlatCache,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let snapshot = cache.history.object.openSnapshot()
        defer { cache.history.object.close(snapshot) }
        return try ReadContext.run(on: snapshot) { () throws(Failure) in try record(on: snapshot, body) }
    }

    /// Runs a body that reads a snapshot, and observes its reads.
    ///
    /// The caller must have the turn.
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

    /// The newest commit that has changed a dependency which the last run has added.
    var newestRevision: UInt64 { dependencies?.newestRevision ?? 0 }

    private func post(_ news: News) { withExtendedLifetime(mailbox.post(news)) {} }

    /// Removes the changes that are part of the next state, because it must not be compared with the state before them.
    private func forget(upTo revision: UInt64) {
        let news = mailbox.take { readRevision = revision }
        // Newer changes may already be folded into older ones, so their net change is unknown.
        if let news, news.isCertain || news.changes.revision > revision {
            post(News(isCertain: true))
        }
    }

    func post(_ changes: GatheredChanges) -> (any Sendable)? {
        SyncPoint.reach(.posting)
        return mailbox.post(News(changes: changes)) { changes.revision > readRevision }
    }

    func postChange(at revision: UInt64) {
        withExtendedLifetime(mailbox.post(News(isCertain: true)) { revision > readRevision }) {}
    }

    func deliver() -> Bool {
        if case .signal(let continuation) = receiver {
            continuation.yield()
            return false
        }
        return mailbox.deliver(call)
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    /// Takes the news of a polled observer, and returns whether there was any.
    func takeNews() -> Bool {
        while let news = mailbox.take() {
            if news.isRelevant { return true }
        }
        return false
    }

    func finish() {
        mailbox.close()
        dependencies?.finish()
        switch receiver {
        case .reader(_, let onEnd): onEnd()
        case .signal(let continuation): continuation.finish()
        }
    }
}
