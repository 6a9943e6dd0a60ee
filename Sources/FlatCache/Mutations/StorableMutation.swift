/// A mutation that a store keeps until the server has answered, so that it outlives the process.
///
///     struct Favourite: StorableMutation {
///         static let storedName = "favourite"
///
///         let postID: Post.ID
///
///         func change(_ change: inout MutationChanges) {
///             change.update(Post.self, id: postID) { $0.isFavourite = true }
///         }
///
///         func send(_ context: MutationContext) async throws {
///             try await api.favourite(postID, idempotencyKey: context.idempotencyKey)
///         }
///     }
///
///     cache.mutate(Favourite(postID: "1"))
///
/// The stored properties are the arguments of the mutation. They are what is stored, with the name. Like properties of
/// stored entities, an optional one can be added later, and others can be removed. In a cache without a store, the
/// mutation is an ordinary one. The types of the entities that it changes must be stored, too, or there is nothing to
/// change after a restart.
///
/// ## After a restart
///
/// The app registers the types of its mutations, by `registerMutations` of `FlatCacheStore`. Then those that were
/// pending are begun again: their changes are shown, handles show them as pending, and they are sent. Those that aren't
/// sent yet can be cancelled.
///
/// - The server can have received such a mutation already. So ``send(_:)`` passes the server the idempotency key, or
///   sends what can be repeated.
/// - The changes are made to the restored entities, also to what a later mutation has changed that was confirmed before
///   the restart.
/// - If a delete rule has removed the entity that it changes, it isn't sent, even if it has other changes.
/// - If an insertion fails or is discarded, those that wait for it end with it.
/// - Mutations whose types aren't registered are kept; see ``KeptMutation``.
public protocol StorableMutation: Codable, Sendable {
    /// What ``send(_:)`` returns: nothing, an entity, a payload, or a type whose ``store(_:in:)`` the mutation implements.
    associatedtype Answer: Sendable = Void

    /// What ``Mutation/value`` returns, the answer after it is stored: nothing, the entity, or a ``StoredPayload``.
    associatedtype StoredAnswer: Sendable

    /// The name of the mutation in the store, which must never change.
    ///
    /// It isn't derived from the name of the type, so that can be changed. Each type of mutations has a name of its own.
    static var storedName: String { get }

    /// When the mutation is sent, if others are pending.
    ///
    /// By default it is sent after those of the same entities that have begun before.
    var order: MutationOrder { get }

    /// Lists the changes that readers see at once.
    ///
    /// It is called once when the mutation begins, and once after each restart. The cache is ``FlatCache/current``. It must
    /// depend on the properties of the mutation alone, and the closures that it passes on their argument and these
    /// properties. It must have no effects. Random identifiers and the current time are properties, too.
    ///
    /// - Parameter change: The list of the changes.
    func change(_ change: inout MutationChanges)

    /// Sends the mutation to the server.
    ///
    /// It runs in a task of its own, in which the cache is ``FlatCache/current``. After the end of a process it is called
    /// again, also if the server has the mutation already.
    ///
    /// - Parameter context: The entities as they are to be sent, the idempotency key, and whether the mutation can have been sent
    ///   before.
    /// - Returns: The answer of the server.
    /// - Throws: An error if the server refuses the mutation, or can't be reached. Then the changes are dropped, and the
    ///   mutation isn't sent again.
    func send(_ context: MutationContext) async throws -> Answer

    /// Stores the answer of the server, in the transaction that confirms the changes.
    ///
    /// By default an entity or a payload is stored.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - cache: The cache.
    /// - Returns: What ``Mutation/value`` returns.
    func store(_ answer: Answer, in cache: FlatCache) -> StoredAnswer
}

extension StorableMutation {
    /// After the mutations of the same entities that have begun before.
    public var order: MutationOrder { .byEntity }
}

extension StorableMutation where Answer == Void {
    /// Stores nothing.
    public func store(_ answer: Void, in cache: FlatCache) {}
}

// The condition on entities includes payloads, so that the compiler prefers the other function for them.
extension StorableMutation where Answer: _StorableAnswer {
    /// Stores the entity.
    public func store(_ answer: Answer, in cache: FlatCache) -> Answer {
        func store<Entity: Cachable>(_ entity: Entity) -> Entity {
            cache.set(entity)
            return cache.get(Entity.self, id: entity.id) ?? entity
        }
        guard let entity = answer as? any Cachable else { return answer }
        return store(entity) as? Answer ?? answer
    }
}

extension StorableMutation where Answer: PayloadConvertible {
    /// Stores the payload.
    public func store(_ answer: Answer, in cache: FlatCache) -> StoredPayload<Answer.Root> {
        cache.store(answer.payload)
    }
}
