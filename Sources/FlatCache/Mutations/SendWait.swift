/// The wait of a closure that sends a mutation for another mutation.
///
/// If the other one waited for the first one, both would wait forever. So the wait that would close a circle is refused.
final class SendWait: Sendable {
    /// The mutation that is being sent.
    let sender: PendingMutation
    /// The mutation for which the closure waits.
    let awaited: PendingMutation
    private let waiters: Waiters
    private let number: UInt64

    init(of sender: PendingMutation, for awaited: PendingMutation, _ waiters: Waiters) {
        self.sender = sender
        self.awaited = awaited
        self.waiters = waiters
        number = waiters.nextNumber()
    }

    func callAsFunction() async throws { try await waiters.wait(number) }

    /// Ends the wait, because it is part of a circle.
    func refuse() { waiters.fail(number, MutationError.cyclic(awaited.keys)) }
}

extension PendingMutation {
    /// Waits for an event of the mutation.
    ///
    /// - Throws: ``MutationError/cyclic(_:)`` if the mutation waits for the one that the calling task sends.
    func wait(for waiters: Waiters) async throws {
        guard let sender = PendingMutation.sending, sender.isSentByTask, let queue = sender.reference.object?.mutations,
            sender.reference === reference
        else { return try await waiters.wait() }
        let wait = SendWait(of: sender, for: self, waiters)
        guard queue.begin(wait) else { throw MutationError.cyclic(keys) }
        defer { queue.end(wait) }
        try await wait()
    }

    /// Notes the task that sends the mutation.
    func noteSendingTask() { sendingTask = Self.hashOfTask }

    /// Whether the current task sends the mutation.
    ///
    /// Tasks that the closure starts know the mutation, too. It needn't wait for them.
    private var isSentByTask: Bool { sendingTask == Self.hashOfTask && isOpen }

    private static var hashOfTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    /// Refuses waits of closures that send mutations, after this one has come to wait for another one.
    func refuseCircles() {
        guard let queue = reference.object?.mutations, queue.hasSendWaits else { return }
        for wait in queue.takeCircles() { wait.refuse() }
    }
}
