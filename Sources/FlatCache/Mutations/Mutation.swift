/// A change that readers see at once, and the answer of the server.
///
///     let like = cache.mutate(Post.self, id: "1") { $0.isFavourite = true } send: { try await api.favourite("1") }
///     try await like.value
///
/// The mutation goes on if it isn't kept. All members can be used from any thread.
public final class Mutation<Answer: Sendable>: PendingMutation, @unchecked Sendable {  // Set before the end.
    private let work: @Sendable () async throws -> @Sendable (FlatCache) -> Answer
    /// Returns the answer, or is `nil` until the server has confirmed the mutation.
    private var answer: (@Sendable () -> Answer)?

    /// Creates a mutation that isn't begun.
    ///
    /// - Parameter work: Sends the mutation, and returns a closure that stores the answer, in the transaction that confirms the
    ///   mutation.
    init(
        number: UInt64,
        _ steps: [any MutationStep],
        _ order: MutationOrder,
        _ stored: consuming StoredMutation? = nil,
        in reference: WeakReference<FlatCache>,
        _ work: @escaping @Sendable () async throws -> @Sendable (FlatCache) -> Answer
    ) {
        self.work = work
        super.init(number: number, steps, order, stored, in: reference)
    }

    /// The answer of the server, after it is stored, also if no change of the mutation has an effect.
    ///
    /// If the task that waits is cancelled, it throws a `CancellationError`, and the mutation goes on.
    ///
    /// - Throws: The error that `send` has thrown, or a ``MutationError`` if the mutation was cancelled or replaced.
    public var value: Answer {
        get async throws {
            try await waitForEnd()
            guard let answer else { throw MutationError.cancelled }
            return answer()
        }
    }

    override func send(in cache: FlatCache) {
        sentRevision = cache.lastRevision
        guard enter(.sending) else { return }
        Task {
            do {
                let store = try await PendingMutation.$sending.withValue(self) {
                    try await FlatCache.withCurrent(cache, work)
                }
                // After a restart, entities that it changes can be only in the store.
                let held = steps.compactMap { $0.hold(in: cache) }
                if !held.isEmpty { await cache.load(held, isolation: nil) }
                // If all entities were removed meanwhile, the mutation has ended already, and the answer isn't stored.
                if enter(.confirmed) {
                    let result = cache.confirm(self, storing: store)
                    answer = { result }
                    end(in: cache, because: nil)
                } else {
                    cache.sendNext(after: self)
                }
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

    private func end(in cache: FlatCache, because error: (any Error)?) {
        cache.sendNext(after: self)
        if let error { cache.dropFollowers(of: self, because: error) } else { cache.sendFollowers(of: self) }
        finish()
    }
}
