/// An observer of whatever a body has read.
final class ReadObserver: GatheringObserver, @unchecked Sendable {
    // `dependencies` is set once, before anybody else can see the observer.
    private let mailbox: Mailbox<News>
    private let receiver: Receiver
    private var dependencies: Dependencies?

    private enum Receiver {
        case callback(@Sendable (ReadObserver) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// What may make it necessary to read again.
    private enum News {
        /// What one commit has changed, which may be nothing.
        case commit([any SlotChange])
        /// Something for certain: the first state, or several commits.
        case state

        /// Whether there is any news.
        ///
        /// `==` is user code; it runs here, where no lock is held.
        var isRelevant: Bool {
            switch self {
            case .commit(let changes): changes.contains { $0.netChange != nil }
            case .state: true
            }
        }
    }

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - beginsWithCall: Whether the creator tells it to ``begin()``, and it reads when it is called; otherwise it is
    ///     called when something of what it has read has changed.
    ///   - callback: What to call.
    init(beginsWithCall: Bool, _ callback: @escaping @Sendable (ReadObserver) -> Void) {
        mailbox = Mailbox(isTaken: beginsWithCall) { _, _ in .state }
        receiver = .callback(callback)
        dependencies = Dependencies(of: self)
    }

    /// Creates an observer that asks whether there is news, and is signalled when some has come.
    init(signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(.state, isTaken: true) { _, _ in .state }
        receiver = .signal(signal)
        dependencies = Dependencies(of: self)
    }

    /// Whether anything has been read that can change; asked by whoever has the turn.
    var isWatching: Bool { dependencies?.list.isEmpty == false }

    /// Whether observation has ended.
    var isFinished: Bool { mailbox.isClosed }

    /// Tells the first state.
    func begin() {
        guard case .callback(let callback) = receiver else { return }
        mailbox.deliver(.state) { _ in callback(self) }
    }

    /// Runs a body that reads the current state of a cache, and watches what it reads; called by whoever has the turn.
    func record<Result, Failure: Error>(
        in cache: FlatCache,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let snapshot = cache.history.object.openSnapshot()
        defer { cache.history.object.close(snapshot) }
        return try RunningBody.run(on: snapshot) { () throws(Failure) in try record(on: snapshot, body) }
    }

    /// Runs a body that reads a snapshot, and watches what it reads; called by whoever has the turn.
    func record<Result, Failure: Error>(
        on snapshot: Snapshot,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let dependencies else { return try body() }
        let (result, isOutdated) = try dependencies.record(on: snapshot, body)
        if isOutdated { mailbox.post(.state) }
        return result
    }

    @usableFromInline func post(_ changes: [any SlotChange]) {
        mailbox.post(.commit(changes))
    }

    @usableFromInline func deliver() {
        switch receiver {
        case .callback(let callback):
            mailbox.deliver { if $0.isRelevant { callback(self) } }
        case .signal(let continuation):
            continuation.yield()
        }
    }

    /// Whether there is news, for an observer that asks.
    func takeNews() -> Bool {
        while let news = mailbox.take() {
            if news.isRelevant { return true }
        }
        return false
    }

    @usableFromInline func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
        dependencies?.finish()
    }
}
