/// The changes of a mutation of several entities, lists and references.
///
///     cache.mutate { change in
///         change.set(Post(id: draft.id, text: text))
///         change.prepend(draft.id, to: home)
///     } send: {
///         try await api.post(text)
///     }
///
/// Each change is of one key. Its closure receives what is stored under the key, and is called again whenever the confirmed
/// state of the key changes. So it must not depend on anything else, and must have no effects: no reads and writes of the cache,
/// no counters, no current time.
public struct MutationChanges {
    let cache: FlatCache
    var steps: [any MutationStep] = []

    init(of cache: FlatCache) {
        self.cache = cache
    }

    /// Changes a stored entity.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect.
    ///   - change: A closure that changes the entity. If it throws, it has no effect; see ``PendingMutation/problems``.
    public mutating func update<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) {
        steps.append(.update(type, id: id, change))
    }

    /// Stores an entity in place of the current one.
    ///
    /// - Parameter value: The entity.
    public mutating func set<Value: Cachable>(_ value: Value) {
        steps.append(EntityStep<Value>(id: value.id) { _ in value })
    }

    /// Removes an entity.
    ///
    /// Entities that refer to it keep its identifier until the mutation is confirmed. Then delete rules are applied.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    public mutating func remove<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        steps.append(EntityStep<Value>(id: id) { _ in nil })
    }

    /// Adds an identifier to the end of a list, unless it is listed.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - list: The list.
    public mutating func append<Value: Cachable>(_ id: Value.ID, to list: CachedList<Value>) {
        change(list) { $0.append([id]) }
    }

    /// Adds an identifier to the beginning of a list, unless it is listed.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - list: The list.
    public mutating func prepend<Value: Cachable>(_ id: Value.ID, to list: CachedList<Value>) {
        change(list) { $0.prepend([id]) }
    }

    /// Removes an identifier from a list.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - list: The list.
    public mutating func remove<Value: Cachable>(_ id: Value.ID, from list: CachedList<Value>) {
        change(list) { _ = $0.remove(id) }
    }

    /// Moves an identifier of a list before another one.
    ///
    /// - Parameters:
    ///   - id: The identifier. If it isn't listed, the change has no effect.
    ///   - other: The identifier before which it is moved, or `nil` for the end of the list.
    ///   - list: The list.
    public mutating func move<Value: Cachable>(_ id: Value.ID, before other: Value.ID?, in list: CachedList<Value>) {
        change(list) { _ = $0.move(id, before: other) }
    }

    /// Lets a reference refer to another entity, or to nothing.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` for nothing.
    ///   - reference: The reference.
    public mutating func set<Value: Cachable>(_ id: Value.ID?, of reference: CachedReference<Value>) {
        let name = reference.name
        steps.append(
            EntityStep<ReferenceContents<Value>>(id: name) { below in
                id.map { ReferenceContents(id: name, target: $0, dropsRemoved: below?.dropsRemoved ?? false) }
            }
        )
    }

    private mutating func change<Value: Cachable>(
        _ list: CachedList<Value>,
        _ body: @escaping @Sendable (inout ListContents<Value>) -> Void
    ) {
        let name = list.name
        steps.append(
            EntityStep<ListContents<Value>>(id: name) { below in
                var contents = below ?? ListContents(name: name)
                body(&contents)
                return contents
            }
        )
    }
}

extension MutationStep {
    /// The change of a stored entity.
    static func update<Value: Cachable>(
        _ type: Value.Type,
        id: Value.ID,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) -> Self where Self == EntityStep<Value> {
        EntityStep(id: id) { below in
            guard var value = below else { throw MutationError.missing(FlatCacheKey(type, id: id)) }
            try change(&value)
            return value
        }
    }
}
