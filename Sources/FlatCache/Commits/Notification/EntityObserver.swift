/// An observer of one key.
///
/// It doesn't have the static type of the entity. Its closures have the type, and the changes have the same type.
@usableFromInline
final class EntityObserver: SlotObserver, @unchecked Sendable {
    // The lock of the slot's shard guards `position`.
    var position = 0
    private let mailbox: Mailbox<SlotChange>
    /// The callback, or `nil` for an observer that is polled.
    private let callback: (@Sendable (SlotChange) -> Void)?
    private let signal: AsyncStream<Void>.Continuation?

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - beginsWithCall: Whether the creator calls ``deliver(first:)`` with the first change, until which other
    ///     changes wait.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - callback: The closure to call.
    @usableFromInline init(
        beginsWithCall: Bool,
        onMainActor: Bool = false,
        _ callback: @escaping @Sendable (SlotChange) -> Void
    ) {
        mailbox = Mailbox(isTaken: beginsWithCall, onMainActor: onMainActor, fold: Self.fold)
        self.callback = callback
        signal = nil
    }

    /// Creates an observer that is polled, with a first change that waits, and signals a stream when there are more.
    init(_ first: SlotChange, signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(first, isTaken: true, fold: Self.fold)
        callback = nil
        self.signal = signal
    }

    @Sendable private static func fold(_ earlier: inout SlotChange, _ later: SlotChange) -> any Sendable {
        let folded = earlier
        earlier = later.folded(after: folded)
        return folded
    }

    /// Whether the thread that commits calls the observer.
    var isCalledDirectly: Bool { callback != nil && !calls.areOnMainActor }

    var calls: ObserverCalls { mailbox.calls }

    var followsReplacement: Bool { true }

    func post(_ change: SlotChange, _ posts: inout CommitPosts) {
        posts.add(self, mailbox.post(change))
    }

    func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        for change in changes { post(change, &posts) }
    }

    func deliver() -> Bool {
        signal?.yield()
        return callback != nil && mailbox.deliver { call($0) }
    }

    private func call(_ change: SlotChange) {
        if let callback, change.hasNews { calls.run { callback(change) } }
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    /// Takes the turn to call the observer, or adds a change to its mail.
    ///
    /// - Returns: Whether the caller has the turn; and the replaced mail, to be released when no lock is held.
    func takeTurn(orPost change: SlotChange) -> (hasTurn: Bool, replaced: (any Sendable)?) {
        mailbox.takeTurn(orPost: change)
    }

    /// Calls the observer with a change, and once more with mail that arrived meanwhile.
    ///
    /// The caller must have the turn.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    func deliver(first change: SlotChange) -> Bool { mailbox.deliver(first: change) { call($0) } }

    /// The next change of a polled observer, or `nil` if none waits.
    func takeChange() -> SlotChange? {
        while let change = mailbox.take() {
            if change.hasNews { return change }
        }
        return nil
    }

    func finish() {
        mailbox.close()
        signal?.finish()
    }
}
