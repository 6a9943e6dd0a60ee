/// A change that readers see at once, and the answer of the server.
///
///     let like = cache.mutate(Post.self, id: "1") { $0.isFavourite = true } send: { try await api.favourite("1") }
///     try await like.value
///
/// The mutation goes on if it isn't kept. All members can be used from any thread.
public final class Mutation<Answer: Sendable>: PendingMutation, @unchecked Sendable {  // Constant.
    private let work: @Sendable () async throws -> @Sendable (FlatCache) -> Answer
    private let waiters = Waiters<Answer>()

    /// Creates a mutation that isn't begun.
    ///
    /// - Parameter work: Sends the mutation, and returns a closure that stores the answer, in the transaction that confirms the
    ///   mutation.
    init(
        number: UInt64,
        _ steps: [any MutationStep],
        _ order: MutationOrder,
        in reference: WeakReference<FlatCache>,
        _ work: @escaping @Sendable () async throws -> @Sendable (FlatCache) -> Answer
    ) {
        self.work = work
        super.init(number: number, steps, order, in: reference)
    }

    /// The answer of the server, after it is stored.
    ///
    /// If the task that waits is cancelled, it throws a `CancellationError`, and the mutation goes on.
    ///
    /// - Throws: The error that `send` has thrown, or a ``MutationError`` if the mutation was cancelled or replaced.
    public var value: Answer {
        get async throws { try await waiters.wait() }
    }

    override func send(in cache: FlatCache) {
        guard enter(.sending) else { return }
        Task {
            // If all entities were removed meanwhile, the mutation has ended already, and the answer isn't stored.
            var result: Result<Answer, any Error>?
            do {
                let store = try await FlatCache.withCurrent(cache, work)
                // After a restart, entities that it changes can be only in the store.
                let held = steps.compactMap { $0.hold(in: cache) }
                if !held.isEmpty { await cache.load(held, isolation: nil) }
                if enter(.confirmed) { result = .success(cache.confirm(self, storing: store)) }
            } catch {
                if enter(.failed(error)) {
                    cache.removeLayers(of: self, .dropped(error))
                    result = .failure(error)
                }
            }
            cache.sendNext(after: self)
            switch result {
            case .success: cache.sendFollowers(of: self)
            case .failure(let error): cache.dropFollowers(of: self, because: error)
            case nil: break
            }
            if let result { waiters.finish(result) }
        }
    }

    override func waitForEnd() async throws { _ = try await value }

    override func finish(with error: any Error) { waiters.finish(.failure(error)) }
}
