/// An observer of one key.
///
/// It doesn't know the type of the entity: the closures that it calls do, and the changes are that type's.
@usableFromInline
final class EntityObserver: SlotObserver, @unchecked Sendable {
    // `position` is guarded by the lock of the slot's shard.
    @usableFromInline var position = 0
    private let mailbox: Mailbox<any SlotChange>
    /// What is called; `nil` for an observer that fetches its mail.
    @usableFromInline let callback: EntityCallback?
    private let signal: AsyncStream<Void>.Continuation?

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - beginsWithCall: Whether the creator ``tell(_:)``s the first change; all others wait for that.
    ///   - callback: What to call.
    @usableFromInline init(beginsWithCall: Bool, _ callback: EntityCallback) {
        mailbox = Mailbox(isTaken: beginsWithCall) { $1.folded(after: $0) }
        self.callback = callback
        signal = nil
    }

    /// Creates an observer that fetches its mail, whose first piece is waiting, and is signalled when more has come.
    init(_ first: any SlotChange, signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(first, isTaken: true) { $1.folded(after: $0) }
        callback = nil
        self.signal = signal
    }

    /// Whether the observer is called, and does not fetch its mail.
    var isCalled: Bool { callback != nil }

    @usableFromInline func post(_ change: any SlotChange, _ posts: inout CommitPosts) {
        mailbox.post(change)
    }

    @usableFromInline func deliver() {
        if let callback { mailbox.deliver(callback.erased) }
        signal?.yield()
    }

    /// Takes the turn to call the observer, or makes what waits include a change.
    @usableFromInline func takeTurn(orPost change: () -> any SlotChange) -> Bool {
        mailbox.takeTurn(orPost: change)
    }

    /// Whether whoever has the turn may ``call(_:)`` the observer at once; asked immediately before that.
    @usableFromInline var isReady: Bool { mailbox.isReady }

    /// Calls the observer, in code that is specialized for the type.
    @inlinable func call<Value>(_ change: EntityChange<Value>) {
        guard let callback else { return }
        unsafeDowncast(callback.box, to: EntityCallbackBox<Value>.self).callback(change)
    }

    /// Tells a change, and what comes while that is told, for whoever has the turn.
    @usableFromInline func tell(_ change: any SlotChange) {
        if let callback { mailbox.deliver(change, callback.erased) }
    }

    /// Tells what waits, and gives up the turn.
    @usableFromInline func deliverWaiting() {
        if let callback { mailbox.deliverWaiting(callback.erased) }
    }

    /// The next change, for an observer that fetches its mail; `nil` when none waits.
    func takeChange<Value: Cachable>(of type: Value.Type) -> EntityChange<Value>? {
        while let change = mailbox.take() {
            let transition = unsafeDowncast(change, to: Transition<Value>.self)
            if transition.hasNews { return transition.change }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        signal?.finish()
    }
}

/// A closure that is told changes of one type, in a form for those who don't know the type.
@frozen @usableFromInline
struct EntityCallback: Sendable {
    /// Tells a transition of the type, if there is any news in it.
    @usableFromInline let erased: @Sendable (any SlotChange) -> Void
    /// The closure itself, in a box of the type.
    @usableFromInline let box: any AnyObject & Sendable

    /// Takes the closure in code that is specialized for the type.
    @inlinable init<Value>(_ callback: @escaping @Sendable (EntityChange<Value>) -> Void) {
        box = EntityCallbackBox(callback)
        erased = { change in
            let transition = unsafeDowncast(change, to: Transition<Value>.self)
            if transition.hasNews { callback(transition.change) }
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
