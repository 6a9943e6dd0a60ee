/// An observer of several keys or of a whole type, notified once per commit.
@usableFromInline
final class ChangesObserver: MultiKeyObserver, @unchecked Sendable {
    private let mailbox: Mailbox<GatheredChanges>
    private let receiver: Receiver
    /// The newest revision of a notification, used by the thread with the turn, or by the iterator that polls.
    private var notifiedRevision: UInt64 = 0

    private enum Receiver {
        case callback(Callback)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// A closure that calls the observer with changes, if there are any, and with a revision.
    @usableFromInline typealias Callback = @Sendable (GatheredChanges, _ revision: UInt64, ObserverCalls) -> Void

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - isInitial: Whether ``begin()`` must be called after registration, until which other changes wait.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - callback: The closure to call, as ``ObservedChanges/callback(_:)`` returns it.
    init(isInitial: Bool, onMainActor: Bool = false, _ callback: @escaping Callback) {
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
        return mailbox.begin { call(callback, $0) }
    }

    var calls: ObserverCalls { mailbox.calls }

    var followsReplacement: Bool { true }

    func post(_ changes: GatheredChanges) -> (any Sendable)? { mailbox.post(changes) }

    func deliver() -> Bool {
        switch receiver {
        case .callback(let callback):
            return mailbox.deliver { call(callback, $0) }
        case .signal(let continuation):
            continuation.yield()
            return false
        }
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    private func call(_ callback: Callback, _ mail: GatheredChanges) { callback(mail, revision(of: mail), calls) }

    /// The next changes of a polled observer, or `nil` if none wait.
    func takeChanges<Changes: ObservedChanges>() -> Changes? {
        while let mail = mailbox.take() {
            if let changes = Changes(mail, revision: revision(of: mail)) { return changes }
        }
        return nil
    }

    func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }

    private func revision(of mail: GatheredChanges) -> UInt64 {
        notifiedRevision = max(notifiedRevision, mail.revision)
        return notifiedRevision
    }
}

/// The net changes of one commit, or of several folded into one, as an observer receives them.
@usableFromInline
protocol ObservedChanges: Sendable {
    /// Takes the changes of entities that differ before and after.
    ///
    /// `==` is user code, so this runs where no lock is held.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - revision: The revision of the newest commit.
    /// - Returns: `nil` if there are none, unless the changes begin with the initial state.
    init?(_ changes: GatheredChanges, revision: UInt64)
}

extension ObservedChanges {
    /// A closure for an observer that calls another closure.
    ///
    /// It is specialized for the type where it is created, and methods of an observer aren't.
    @inlinable static func callback(_ callback: @escaping @Sendable (Self) -> Void) -> ChangesObserver.Callback {
        { changes, revision, calls in
            if let changes = Self(changes, revision: revision) { calls.run { callback(changes) } }
        }
    }
}

extension ChangeSet: ObservedChanges {
    @usableFromInline init?(_ changes: GatheredChanges, revision: UInt64) {
        isInitial = changes.isInitial
        self.revision = revision
        for change in changes {
            switch change.netChange {
            case .inserted: inserted.insert(change.key)
            case .updated: updated.insert(change.key)
            case .removed: removed.insert(change.key)
            case .evicted: evicted.insert(change.key)
            default: continue
            }
            commitOrigins.formUnion(change.origins)
        }
        if isEmpty && !isInitial { return nil }
    }
}
