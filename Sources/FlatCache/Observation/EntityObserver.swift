/// An observer of one key.
final class EntityObserver<Value: Cachable>: SlotObserver, @unchecked Sendable {
    // `position` is guarded by the lock of the slot's shard.
    var position = 0
    private let mailbox: Mailbox<Transition<Value>>
    private let receiver: Receiver

    private enum Receiver {
        case callback(@Sendable (EntityChange<Value>) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// Creates an observer that is called.
    ///
    /// - Parameters:
    ///   - beginsWithCall: Whether the creator makes the first call, with ``begin(with:)``, before all others.
    ///   - callback: What to call.
    init(beginsWithCall: Bool, _ callback: @escaping @Sendable (EntityChange<Value>) -> Void) {
        mailbox = Mailbox(isTaken: beginsWithCall)
        receiver = .callback(callback)
    }

    /// Creates an observer that fetches its mail, whose first piece is waiting, and is signalled when more has come.
    init(_ first: Transition<Value>, signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(first)
        receiver = .signal(signal)
    }

    func post(_ transition: Transition<Value>, _ posts: inout KeySetPosts) {
        mailbox.post { waiting in
            waiting = waiting.map { Transition(folding: $0, transition) } ?? transition
        }
    }

    func deliver() {
        switch receiver {
        case .callback(let callback): mailbox.deliver { Self.tell($0, to: callback) }
        case .signal(let continuation): continuation.yield()
        }
    }

    /// Makes the first call, then those for what has changed meanwhile.
    func begin(with initial: Transition<Value>) {
        guard case .callback(let callback) = receiver else { return }
        Self.tell(initial, to: callback)
        mailbox.continueDelivery { Self.tell($0, to: callback) }
    }

    /// The next change, for an observer that fetches its mail; `nil` when none waits.
    func takeChange() -> EntityChange<Value>? {
        while let transition = mailbox.take() {
            if let change = EntityChange(transition) { return change }
        }
        return nil
    }

    func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }

    private static func tell(_ transition: Transition<Value>, to callback: (EntityChange<Value>) -> Void) {
        if let change = EntityChange(transition) { callback(change) }
    }
}
