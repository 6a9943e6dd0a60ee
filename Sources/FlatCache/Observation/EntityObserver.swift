/// An observer of one key.
///
/// It doesn't know the type of the entity: the closure that it calls does, and the changes are that type's.
@usableFromInline
final class EntityObserver: SlotObserver, @unchecked Sendable {
    // `position` is guarded by the lock of the slot's shard.
    @usableFromInline var position = 0
    private let mailbox: Mailbox<any SlotChange>
    private let receiver: Receiver

    private enum Receiver {
        case callback(@Sendable (any SlotChange) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - beginsWithCall: Whether the creator makes the first call, with ``begin(with:)``, before all others.
    ///   - callback: What to call.
    @usableFromInline init(beginsWithCall: Bool, _ callback: @escaping @Sendable (any SlotChange) -> Void) {
        mailbox = Mailbox(isTaken: beginsWithCall)
        receiver = .callback(callback)
    }

    /// Creates an observer that fetches its mail, whose first piece is waiting, and is signalled when more has come.
    init(_ first: any SlotChange, signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(first)
        receiver = .signal(signal)
    }

    @usableFromInline func post(_ change: any SlotChange, _ posts: inout KeySetPosts) {
        mailbox.post { waiting in
            waiting = waiting.map { change.folded(after: $0) } ?? change
        }
    }

    @usableFromInline func deliver() {
        switch receiver {
        case .callback(let callback): mailbox.deliver(callback)
        case .signal(let continuation): continuation.yield()
        }
    }

    /// Makes the first call, then those for what has changed meanwhile.
    @usableFromInline func begin(with initial: any SlotChange) {
        guard case .callback(let callback) = receiver else { return }
        callback(initial)
        mailbox.continueDelivery(callback)
    }

    /// The next change, for an observer that fetches its mail; `nil` when none waits.
    func takeChange<Value: Cachable>(of type: Value.Type) -> EntityChange<Value>? {
        while let change = mailbox.take() {
            if let change = EntityChange<Value>(change) { return change }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }
}
