/// What a mutation knows when it is sent.
///
///     cache.mutate { change in
///         change.insert(temporary: draft)
///         change.prepend(draft.id, to: home)
///     } send: { context in
///         try await api.create(context.entity(Post.self, id: draft.id))
///     }
///
/// All members can be used from any thread.
public struct MutationContext: Sendable {
    /// A text by which the server can recognize that it has received the mutation before.
    ///
    /// It consists of 32 random hexadecimal digits. Each mutation has another one. A ``StorableMutation`` keeps it after a restart.
    /// Send it as a header, or as the identifier of the created entity.
    public let idempotencyKey: String

    /// Whether the mutation was begun by an earlier process, which can have sent it.
    ///
    /// If the server doesn't recognize idempotency keys, `send` can ask it first whether it has the mutation.
    public let isReplay: Bool

    /// The mutation, or `nil` in a test.
    private let mutation: PendingMutation?
    private let entities: [FlatCacheKey: any Cachable]

    /// Creates the context of a mutation, for tests of ``StorableMutation/send(_:)``.
    ///
    /// - Parameters:
    ///   - idempotencyKey: The idempotency key.
    ///   - isReplay: Whether the mutation can have been sent before.
    ///   - entities: The entities that ``entity(_:id:)`` returns.
    public init(idempotencyKey: String, isReplay: Bool = false, entities: [any Cachable] = []) {
        self.idempotencyKey = idempotencyKey
        self.isReplay = isReplay
        self.entities = Dictionary(entities.map { ($0.flatCacheKey, $0) }) { $1 }
        mutation = nil
    }

    init(of mutation: PendingMutation, _ idempotencyKey: String? = nil, isReplay: Bool = false) {
        self.idempotencyKey = idempotencyKey ?? StoredMutation.makeIdempotencyKey()
        self.isReplay = isReplay
        self.mutation = mutation
        entities = [:]
    }

    /// An entity as it is to be sent.
    ///
    /// It has the changes of this mutation and of those before, and not of those after it. Its own identifier and those in its
    /// annotated relationships are the current ones.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: Its identifier, which may be a temporary one.
    /// - Returns: The entity.
    /// - Throws: ``MutationError/missing(_:)`` if there is none, or the error that the closure of a change of the entity has thrown.
    /// - Complexity: The time of the closures that change the entity.
    public func entity<Value: Cachable>(_ type: Value.Type = Value.self, id: Value.ID) throws -> Value {
        if let mutation { return try mutation.sentEntity(type, id: id) }
        let key = FlatCacheKey(type, id: id)
        guard let entity = entities[key] as? Value else { throw MutationError.missing(key) }
        return entity
    }

    /// Returns the identifier that has taken the place of another one.
    ///
    /// The mutation is sent after the insertions of the entities that its changes name have ended. So the identifier is the one that
    /// the server knows.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier.
    /// - Returns: The identifier that has replaced it, or the identifier itself if it wasn't replaced.
    /// - Complexity: O(1) on average, and O(*n*) after *n* replacements one after the other.
    public func currentID<Value: Cachable>(of type: Value.Type, _ id: Value.ID) -> Value.ID {
        mutation?.reference.object?.currentID(of: type, id) ?? id
    }
}

extension MutationContext: CustomStringConvertible, CustomReflectable {
    /// A line with the idempotency key: `MutationContext("8f1c…"): replay`.
    public var description: String {
        Summary.line("MutationContext", String(reflecting: idempotencyKey), [isReplay ? "replay" : nil])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
