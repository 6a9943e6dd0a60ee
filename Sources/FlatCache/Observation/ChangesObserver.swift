/// An observer of several keys or of a whole type, notified once per commit.
@usableFromInline
final class ChangesObserver<Changes: ObservedChanges>: MultiKeyObserver, @unchecked Sendable {
    private let mailbox: Mailbox<GatheredChanges>
    private let receiver: Receiver
    /// The newest revision of a notification, used by the thread with the turn, or by the iterator that polls.
    private var notifiedRevision: UInt64 = 0

    private enum Receiver {
        case callback(@Sendable (Changes) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - isInitial: Whether ``begin()`` must be called after registration, until which other changes wait.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - callback: The closure to call.
    init(isInitial: Bool, onMainActor: Bool = false, _ callback: @escaping @Sendable (Changes) -> Void) {
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

    private func call(_ callback: (Changes) -> Void, _ mail: GatheredChanges) {
        if let changes = changes(in: mail) { calls.run { callback(changes) } }
    }

    /// The next changes of a polled observer, or `nil` if none wait.
    func takeChanges() -> Changes? {
        while let mail = mailbox.take() {
            if let changes = changes(in: mail) { return changes }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }

    private func changes(in mail: GatheredChanges) -> Changes? {
        notifiedRevision = max(notifiedRevision, mail.revision)
        return mail.changes(revision: notifiedRevision)
    }
}

extension GatheredChanges {
    /// The changes as an observer receives them, or `nil` if there are none.
    ///
    /// `==` is user code, so this runs where no lock is held.
    ///
    /// - Parameter revision: The revision of the changes.
    func changes<Changes: ObservedChanges>(revision: UInt64) -> Changes? {
        var changes = Changes(isInitial: isInitial, revision: revision)
        for change in self {
            guard let kind = change.netChange else { continue }
            changes.commitOrigins.formUnion(change.commitOrigins)
            changes.add(change, kind)
        }
        changes.join()
        return changes.isEmpty && !isInitial ? nil : changes
    }
}

/// The net changes of one commit, or of several folded into one, as an observer receives them.
@usableFromInline
protocol ObservedChanges: Sendable {
    /// Creates an empty set of changes.
    init(isInitial: Bool, revision: UInt64)

    /// Adds the change of an entity, which differs before and after.
    mutating func add(_ change: any SlotChange, _ kind: ChangeKind)

    /// Joins changes of the same entity, after all were added.
    mutating func join()

    var isEmpty: Bool { get }

    /// The origins of the commits that made the changes.
    var commitOrigins: CommitOrigins { get set }
}

extension ObservedChanges {
    /// The observer of some keys keeps their slots, so each has one change.
    @usableFromInline mutating func join() {}
}

extension ChangeSet: ObservedChanges {
    @usableFromInline init(isInitial: Bool, revision: UInt64) {
        self.isInitial = isInitial
        self.revision = revision
    }

    @usableFromInline mutating func add(_ change: any SlotChange, _ kind: ChangeKind) {
        switch kind {
        case .inserted: inserted.insert(change.key)
        case .updated: updated.insert(change.key)
        case .removed: removed.insert(change.key)
        default: break
        }
    }
}
