/// Sends a mutation, and returns the answer.
@usableFromInline typealias Sending<Answer> = @Sendable (PendingMutation) async throws -> Answer

extension PendingMutation {
    /// Sends a mutation by a closure that doesn't need its entities.
    @usableFromInline static func sending<Answer>(
        _ send: @escaping @Sendable () async throws -> Answer
    ) -> Sending<Answer> {
        { _ in try await send() }
    }

    /// Sends a mutation by a closure that receives one of its entities.
    @usableFromInline static func sending<Value: Cachable, Answer>(
        _ id: Value.ID,
        _ send: @escaping @Sendable (Value) async throws -> Answer
    ) -> Sending<Answer> {
        { try await send($0.sentEntity(Value.self, id: id)) }
    }

    /// Sends a mutation by a closure that receives the context.
    static func sending<Answer>(
        _ send: @escaping @Sendable (MutationContext) async throws -> Answer
    ) -> Sending<Answer> {
        { try await send(MutationContext(of: $0)) }
    }
}

/// How a mutation is sent, and how its answer is stored.
@usableFromInline
enum MutationSend<Answer: Sendable>: Sendable {
    /// Calls the closure of an app that needs no entity and returns nothing, which isn't wrapped in another closure.
    case plain(@Sendable () async throws -> Void, answer: Answer)
    /// Calls a closure that returns what is stored.
    case answering(Sending<SentAnswer<Answer>>)

    func callAsFunction(_ mutation: PendingMutation) async throws -> SentAnswer<Answer> {
        switch self {
        case .plain(let send, let answer):
            try await send()
            return .nothing(answer)
        case .answering(let send):
            return try await send(mutation)
        }
    }

    @usableFromInline static func nothing(_ send: @escaping Sending<Void>) -> Self where Answer == Void {
        .answering {
            try await send($0)
            return .nothing(())
        }
    }

    @inlinable static func nothing(_ send: @escaping @Sendable () async throws -> Void) -> Self where Answer == Void {
        .plain(send, answer: ())
    }

    /// - Parameter position: Takes the answer, which is a position of the server.
    @usableFromInline static func position<Value: Cachable>(
        _ send: @escaping Sending<Answer>,
        _ position: AwaitedPosition<Value, Answer>
    ) -> Self {
        .answering { mutation in
            let answer = try await send(mutation)
            position.note(answer, of: mutation)
            return SentAnswer(
                value: answer,
                isAwaited: { position.isAwaited(by: $0, in: $1) },
                isStored: false,
                store: { _ in answer }
            )
        }
    }

    @usableFromInline static func entity(_ send: @escaping Sending<Answer>) -> Self where Answer: Cachable {
        .answering {
            let answer = try await send($0)
            return SentAnswer { cache in
                cache.set(answer)
                return cache.get(Answer.self, id: answer.id) ?? answer
            }
        }
    }

    /// - Parameters:
    ///   - send: Returns the payload.
    ///   - insertions: The insertions of entities, of which the root of the payload takes the place of the first of its type.
    @usableFromInline static func payload<Root>(
        _ send: @escaping Sending<Payload<Root>>,
        replacing insertions: [any MutationStep] = []
    ) -> Self where Answer == StoredPayload<Root> {
        .answering {
            let payload = try await send($0)
            return SentAnswer { cache in
                insertions.store(payload.root.entityKey, in: cache) {
                    let answer = cache.store(payload)
                    return (answer, answer.value)
                }
            }
        }
    }
}

/// What the server has answered to a mutation.
@usableFromInline
struct SentAnswer<Answer: Sendable>: Sendable {
    /// The answer, or `nil` if it isn't known before it is stored.
    var value: Answer?
    /// Whether the mutation ends later, because the server sends by another way what it has changed.
    var isAwaited: @Sendable (PendingMutation, FlatCache) -> Bool = { _, _ in false }
    /// Whether the closure that stores the answer does something.
    var isStored = true
    /// Stores the answer.
    let store: @Sendable (FlatCache) -> Answer
}

extension SentAnswer {
    /// No answer, so that an inserted entity is recognized when the server sends it.
    static func nothing(_ answer: Answer) -> SentAnswer {
        SentAnswer(
            value: answer,
            isAwaited: { $0.awaitsInsertions(in: $1) },
            isStored: false,
            store: { _ in answer }
        )
    }
}

extension [any MutationStep] {
    /// Stores an answer, and lets its entity take the place of the first inserted one of its type.
    ///
    /// - Parameters:
    ///   - key: The key of the root of a payload, or `nil` if the answer is none.
    ///   - entity: The key of the entity that the answer is, or `nil` if it is none.
    ///   - cache: The cache.
    ///   - store: Stores the answer, and returns the entity.
    func store<Answer>(
        _ key: FlatCacheKey?,
        orEntity entity: FlatCacheKey? = nil,
        in cache: FlatCache,
        _ store: () -> (answer: Answer, entity: (any Sendable)?)
    ) -> Answer {
        if let key = key ?? entity {
            for step in self { step.refuseAnswer(key, in: cache) }
        }
        let isMoved = key.map { key in contains { $0.move(to: key, in: cache) } } ?? false
        let (answer, entity) = store()
        if !isMoved, let entity { _ = first { $0.replaceIdentifier(by: entity, in: cache) } }
        return answer
    }
}
