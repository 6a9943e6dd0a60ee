/// A change that readers see at once, and the answer of the server.
///
///     let like = cache.mutate(Post.self, id: "1") { $0.isFavourite = true } send: { try await api.favourite("1") }
///     try await like.value
///
/// The mutation goes on if it isn't kept. All members can be used from any thread.
public final class Mutation<Answer: Sendable>: PendingMutation, @unchecked Sendable {  // Set before the end.
    private let send: MutationSend<Answer>
    /// Returns the answer, or is `nil` until the server has confirmed the mutation.
    private var answer: (@Sendable () -> Answer)?

    /// Creates a mutation that isn't begun.
    ///
    /// - Parameter send: Sends the mutation.
    init(
        number: UInt64,
        _ steps: consuming MutationSteps,
        _ order: MutationOrder,
        _ stored: consuming StoredMutation? = nil,
        in reference: WeakReference<FlatCache>,
        _ send: consuming MutationSend<Answer>
    ) {
        self.send = send
        super.init(number: number, steps, order, stored, in: reference)
    }

    /// The answer of the server, after it is stored, also if no change of the mutation has an effect.
    ///
    /// If the task that waits is cancelled, it throws a `CancellationError`, and the mutation goes on.
    ///
    /// - Throws: The error that `send` has thrown, or a ``MutationError`` if the mutation was cancelled or replaced before the answer.
    public var value: Answer {
        get async throws {
            try await waitForAnswer()
            if let answer { return answer() }
            try throwError()
            throw MutationError.cancelled
        }
    }

    override var typeName: String { Summary.name("Mutation", of: Answer.self) }

    override func send(in cache: FlatCache) {
        if let refusal, cache.drop(self, because: refusal) { return }
        if cache.waitForNamedInsertions(self) { return }
        guard enterSending(at: cache.lastRevision) else { return }
        Task {
            do {
                // After a restart, entities that it changes can be only in the store.
                let held = steps.compactMap { $0.hold(in: cache) }
                if !held.isEmpty { await cache.load(held, isolation: nil) }
                defer { withExtendedLifetime(held) {} }
                noteSendingTask()
                let sent = try await PendingMutation.$sending.withValue(self) {
                    try await FlatCache.withCurrent(cache) { try await send(self) }
                }
                receive(sent, in: cache)
            } catch {
                if enter(.failed(error)) {
                    cache.removeLayers(of: self, .dropped(error))
                    end(in: cache, because: error)
                } else {
                    cache.sendNext(after: self)
                }
            }
        }
    }

    /// Confirms the mutation, or lets it end when the server has sent what it has changed.
    private func receive(_ sent: SentAnswer<Answer>, in cache: FlatCache) {
        guard let value = sent.value, sent.isAwaited(self, cache) else { return confirm(sent, in: cache) }
        noteAnswer {
            answer = { value }
        } _: {
            self.confirm(sent, in: cache)
        }
        cache.sendIndependentFollowers(of: self)
        // It can have come meanwhile.
        if !sent.isAwaited(self, cache) { end() }
    }

    private func confirm(_ sent: SentAnswer<Answer>, in cache: FlatCache) {
        // If all entities were removed meanwhile, the mutation has ended already, and the answer isn't stored.
        guard enter(.confirmed) else { return cache.sendNext(after: self) }
        let (result, error) = cache.confirm(self, storing: sent)
        // Those who know the answer already can be reading it.
        if answer == nil { answer = { result } }
        end(in: cache, because: error)
    }

    private func end(in cache: FlatCache, because error: (any Error)?) {
        cache.sendNext(after: self)
        // Those that need an inserted entity aren't sent if that was removed meanwhile.
        if let error = error ?? refusal {
            cache.dropFollowers(of: self, because: error)
        } else {
            cache.sendFollowers(of: self)
        }
        finish()
    }
}
