/// An observer of several keys, notified once per commit.
@usableFromInline
final class KeySetObserver: MultiKeyObserver, @unchecked Sendable {
    private let mailbox: Mailbox<GatheredChanges>
    private let receiver: Receiver
    /// The newest revision of a notification, used by the thread with the turn, or by the iterator that polls.
    private var notifiedRevision: UInt64 = 0

    private enum Receiver {
        case callback(@Sendable (ChangeSet) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - isInitial: Whether ``begin()`` must be called after registration, until which other changes wait.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - callback: The closure to call.
    init(isInitial: Bool, onMainActor: Bool = false, _ callback: @escaping @Sendable (ChangeSet) -> Void) {
        mailbox = Mailbox(isInitial ? .initial : nil, isTaken: isInitial, onMainActor: onMainActor) { $0.fold($1) }
        receiver = .callback(callback)
    }

    /// Creates an observer that is polled, and signals a stream when there may be changes.
    init(isInitial: Bool, signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(isInitial ? .initial : nil) { $0.fold($1) }
        receiver = .signal(signal)
    }

    /// Calls the observer with the first state.
    ///
    /// - Returns: Whether a change waits although no thread has the turn.
    func begin() -> Bool {
        guard case .callback(let callback) = receiver else { return false }
        return mailbox.deliverOneMore { call(callback, $0) }
    }

    @usableFromInline var calls: ObserverCalls { mailbox.calls }

    @usableFromInline func post(_ changes: GatheredChanges) -> (any Sendable)? { mailbox.post(changes) }

    @usableFromInline func deliver() -> Bool {
        switch receiver {
        case .callback(let callback):
            return mailbox.deliver { call(callback, $0) }
        case .signal(let continuation):
            continuation.yield()
            return false
        }
    }

    @usableFromInline func mustSchedule() -> Bool { mailbox.schedule() }

    @usableFromInline func beginScheduled() { mailbox.beginScheduled() }

    private func call(_ callback: (ChangeSet) -> Void, _ mail: GatheredChanges) {
        if let changes = changeSet(of: mail) { calls.run { callback(changes) } }
    }

    /// The next change set of a polled observer, or `nil` if none waits.
    func takeChanges() -> ChangeSet? {
        while let mail = mailbox.take() {
            if let changes = changeSet(of: mail) { return changes }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }

    private func changeSet(of mail: GatheredChanges) -> ChangeSet? {
        notifiedRevision = max(notifiedRevision, mail.revision)
        var changes = ChangeSet(isInitial: mail.isInitial, revision: notifiedRevision)
        for change in mail.all {
            switch change.netChange {
            case .inserted: changes.inserted.insert(change.key)
            case .updated: changes.updated.insert(change.key)
            case .removed: changes.removed.insert(change.key)
            default: break
            }
        }
        return changes.isEmpty && !mail.isInitial ? nil : changes
    }
}
