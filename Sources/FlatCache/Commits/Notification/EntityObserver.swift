/// An observer of one key.
///
/// It doesn't have the static type of the entity. Its closures have the type, and the changes have the same type.
@usableFromInline
final class EntityObserver: SlotObserver, @unchecked Sendable {
    // The lock of the slot's shard guards `position`.
    @usableFromInline var position = 0
    private let mailbox: Mailbox<any SlotChange>
    /// The callback, or `nil` for an observer that is polled.
    @usableFromInline let callback: EntityCallback?
    private let signal: AsyncStream<Void>.Continuation?

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - beginsWithCall: Whether the creator calls ``deliver(first:)`` with the first change, until which other
    ///     changes wait.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - callback: The closure to call.
    @usableFromInline init(beginsWithCall: Bool, onMainActor: Bool = false, _ callback: EntityCallback) {
        mailbox = Mailbox(isTaken: beginsWithCall, onMainActor: onMainActor, fold: Self.fold)
        self.callback = callback
        signal = nil
    }

    /// Creates an observer that is polled, with a first change that waits, and signals a stream when there are more.
    init(_ first: any SlotChange, signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(first, isTaken: true, fold: Self.fold)
        callback = nil
        self.signal = signal
    }

    @Sendable private static func fold(_ earlier: inout any SlotChange, _ later: any SlotChange) -> any Sendable {
        let folded = earlier
        earlier = later.folded(after: folded)
        return folded
    }

    /// Whether the thread that commits calls the observer.
    @usableFromInline var isCalledDirectly: Bool { callback != nil && !calls.areOnMainActor }

    @usableFromInline var calls: ObserverCalls { mailbox.calls }

    @usableFromInline var followsReplacement: Bool { true }

    @usableFromInline func post(_ change: any SlotChange, _ posts: inout CommitPosts) {
        posts.add(self, mailbox.post(change))
    }

    @usableFromInline func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        for change in changes { post(change, &posts) }
    }

    @usableFromInline func deliver() -> Bool {
        signal?.yield()
        return callback != nil && mailbox.deliver(call)
    }

    private func call(_ change: any SlotChange) { callback?.erased(change, calls) }

    @usableFromInline func mustSchedule() -> Bool { mailbox.schedule() }

    @usableFromInline func beginScheduled() { mailbox.beginScheduled() }

    /// Takes the turn to call the observer, or adds a change to its mail.
    ///
    /// - Returns: Whether the caller has the turn; and the replaced mail, to be released when no lock is held.
    @usableFromInline func takeTurn(
        orPost change: () -> any SlotChange
    ) -> (hasTurn: Bool, replaced: (any Sendable)?) {
        mailbox.takeTurn(orPost: change)
    }

    /// Whether the thread with the turn may ``call(_:)`` the observer immediately.
    ///
    /// It is read directly before the call.
    @usableFromInline var isReady: Bool { mailbox.isReady }

    /// Calls the observer, in code that is specialized for the type.
    @inlinable func call<Value>(_ change: EntityChange<Value>) {
        guard let callback else { return }
        let box = unsafeDowncast(callback.box, to: EntityCallbackBox<Value>.self)
        calls.run { box.callback(change) }
    }

    /// Calls the observer with a change, and once more with mail that arrived meanwhile.
    ///
    /// The caller must have the turn.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    @usableFromInline func deliver(first change: any SlotChange) -> Bool { mailbox.deliver(first: change, call) }

    /// Calls the observer with the waiting mail, and releases the turn.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    @usableFromInline func deliverOneMore() -> Bool { mailbox.deliverOneMore(call) }

    /// The next change of a polled observer, or `nil` if none waits.
    func takeChange<Value: Cachable>(of type: Value.Type) -> EntityChange<Value>? {
        while let change = mailbox.take() {
            let pending = unsafeDowncast(change, to: PendingChange<Value>.self)
            if pending.hasNews { return pending.change }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        signal?.finish()
    }
}

/// A closure that takes changes of one type, without the static type.
@frozen @usableFromInline
struct EntityCallback: Sendable {
    /// Calls the closure with a pending change of the type, if observers must be notified of it.
    @usableFromInline let erased: @Sendable (any SlotChange, ObserverCalls) -> Void
    /// The closure itself, in a box of the type.
    @usableFromInline let box: any AnyObject & Sendable

    /// Takes the closure in code that is specialized for the type.
    @inlinable init<Value>(_ callback: @escaping @Sendable (EntityChange<Value>) -> Void) {
        box = EntityCallbackBox(callback)
        erased = { change, calls in
            let pending = unsafeDowncast(change, to: PendingChange<Value>.self)
            if pending.hasNews { calls.run { callback(pending.change) } }
        }
    }
}

@_fixed_layout @usableFromInline
final class EntityCallbackBox<Value: Cachable>: Sendable {
    @usableFromInline let callback: @Sendable (EntityChange<Value>) -> Void

    @inlinable init(_ callback: @escaping @Sendable (EntityChange<Value>) -> Void) {
        self.callback = callback
    }
}
