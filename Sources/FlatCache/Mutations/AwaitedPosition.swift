/// The position of the server from which on its entities contain a change, as the answer to the mutation names it.
@usableFromInline
final class AwaitedPosition<Value: Cachable, Position: Sendable>: @unchecked Sendable {
    // The lock guards the variables.
    private let isContained: @Sendable (Value, Position) -> Bool
    private let lock = Lock()
    private var position: Position?
    /// The mutation, which is kept while it is pending.
    private weak var mutation: PendingMutation?

    @usableFromInline init(_ isContained: @escaping @Sendable (Value, Position) -> Bool) {
        self.isContained = isContained
    }

    /// Notes the answer to the mutation.
    func note(_ position: Position, of mutation: PendingMutation) {
        lock.withLock {
            self.position = position
            self.mutation = mutation
        }
    }

    /// Whether an entity contains the change, which then ends the mutation.
    @usableFromInline var isReached: @Sendable (Value) -> Bool {
        { [self] value in
            let (position, mutation) = lock.withLock { (self.position, self.mutation) }
            guard let position, isContained(value, position) else { return false }
            // The commit isn't made yet for which the change is looked at.
            if let mutation { Task { self.end(mutation) } }
            return true
        }
    }

    /// Ends the mutation after the commit, or lets that look at the change again if it isn't made yet.
    private func end(_ mutation: PendingMutation) {
        guard let cache = mutation.reference.object else { return }
        if !isAwaited(by: mutation, in: cache) { return mutation.end() }
        cache.commitTogether { mutation.steps.first?.applyAgain(of: mutation, in: cache) }
    }

    /// Whether the confirmed entity doesn't contain the change yet.
    func isAwaited(by mutation: PendingMutation, in cache: FlatCache) -> Bool {
        guard let step = mutation.steps.first, let position = lock.withLock({ position }) else { return false }
        let key = step.key(of: mutation, in: cache)
        let confirmed = cache.confirmed { key.id(as: Value.self).flatMap { cache.get(Value.self, id: $0) } }
        return confirmed.map { !isContained($0, position) } ?? false
    }
}
