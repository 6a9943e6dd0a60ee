/// How a mutation is sent, and how its answer is stored.
@usableFromInline
struct MutationSend<Answer: Sendable>: Sendable {
    /// Sends the mutation, and returns a closure that stores the answer.
    let work: @Sendable () async throws -> @Sendable (FlatCache) -> Answer

    @usableFromInline static func nothing(_ send: @escaping @Sendable () async throws -> Void) -> Self
    where Answer == Void {
        MutationSend {
            try await send()
            return { _ in }
        }
    }

    @usableFromInline static func entity(_ send: @escaping @Sendable () async throws -> Answer) -> Self
    where Answer: Cachable {
        MutationSend {
            let answer = try await send()
            return { cache in
                cache.set(answer)
                return cache.get(Answer.self, id: answer.id) ?? answer
            }
        }
    }

    /// - Parameters:
    ///   - send: Returns the payload.
    ///   - insertions: The insertions of entities, of which the root of the payload takes the place of the first of its type.
    @usableFromInline static func payload<Root>(
        _ send: @escaping @Sendable () async throws -> Payload<Root>,
        replacing insertions: [any MutationStep] = []
    ) -> Self where Answer == StoredPayload<Root> {
        MutationSend {
            let payload = try await send()
            return { cache in
                insertions.store(payload.root.entityKey, in: cache) {
                    let answer = cache.store(payload)
                    return (answer, answer.value)
                }
            }
        }
    }
}

extension [any MutationStep] {
    /// Stores an answer, and lets its entity take the place of the first inserted one of its type.
    ///
    /// - Parameters:
    ///   - key: The key of the root of a payload, or `nil` if the answer is none.
    ///   - cache: The cache.
    ///   - store: Stores the answer, and returns the entity.
    func store<Answer>(
        _ key: FlatCacheKey?,
        in cache: FlatCache,
        _ store: () -> (answer: Answer, entity: (any Sendable)?)
    ) -> Answer {
        let isMoved = key.map { key in contains { $0.move(to: key, in: cache) } } ?? false
        let (answer, entity) = store()
        if !isMoved, let entity { _ = first { $0.replaceIdentifier(by: entity, in: cache) } }
        return answer
    }
}
