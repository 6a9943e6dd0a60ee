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
    @usableFromInline let cache: FlatCache
    @usableFromInline var steps: [any MutationStep] = []

    init(of cache: FlatCache) {
        self.cache = cache
    }

    /// Changes a stored entity.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect.
    ///   - isContained: Returns whether a confirmed entity contains the change already. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect; see ``PendingMutation/problems``.
    @inlinable public mutating func update<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) {
        let code = cache.mutationCode(of: type)
        steps.append(.update(id: id, at: steps.count, code: code, until: isContained, change))
    }

    /// Stores an entity in place of the current one, without a ``Cachable/merge``.
    ///
    /// If its identifier is replaced while the mutation is pending, the entity is shown under the new one if the type
    /// is `Codable`. Otherwise the change has no effect; see ``PendingMutation/problems``.
    ///
    /// - Parameter value: The entity.
    @inlinable public mutating func set<Value: Cachable>(_ value: Value) {
        let code = cache.mutationCode(of: Value.self)
        steps.append(EntityStep(id: value.id, at: steps.count, .storing, code: code, .replacement { _ in value }))
    }

    /// Inserts an entity with an identifier that the app has made, until the server gives it another one.
    ///
    ///     cache.mutate { change in
    ///         change.insert(temporary: draft)
    ///         change.prepend(draft.id, to: home)
    ///     } send: {
    ///         try await api.create(draft)         // returns the post with the identifier of the server
    ///     }
    ///
    /// The entity of its type that `send` returns takes its place as by ``FlatCache/FlatCache/replaceIdentifier(of:_:with:)``. A
    /// mutation has one such entity of the type that `send` returns. Others, and those of a `send` that returns nothing, are dropped
    /// when the server has confirmed the mutation; see ``MutationError/unidentified(_:)`` and ``insert(temporary:matching:)``.
    ///
    /// If the mutation fails, the entity is gone, and so are the changes that others have made to it.
    ///
    /// Use a temporary identifier once. If two mutations insert an entity with the same identifier, they insert one
    /// entity, which has the identifier of the last answer.
    ///
    /// - Parameter value: The entity.
    @inlinable public mutating func insert<Value: Cachable>(temporary value: Value) {
        steps.append(.insertion(of: value, at: steps.count, code: cache.mutationCode(of: Value.self)))
    }

    /// Inserts an entity with an identifier that the app has made, until the server's entity comes by any means.
    ///
    ///     change.insert(temporary: draft, matching: \.clientKey)
    ///
    /// The first entity of the type with an equal value of the property that is stored after the mutation has begun
    /// takes its place, in the commit that stores it. If `send` returns nothing, the mutation ends when all entities
    /// have come that it has inserted. If they never come, ``PendingMutation/cancel()`` drops them. Give each insertion
    /// a value of its own.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - path: A property whose value the app makes for this insertion and the server returns unchanged, such as an idempotency key.
    ///     An entity with `nil` is inserted as without the property.
    @inlinable public mutating func insert<Value: Cachable, Key: Hashable & Sendable>(
        temporary value: Value,
        matching path: any KeyPath<Value, Key> & Sendable
    ) {
        let code = cache.mutationCode(of: Value.self)
        steps.append(.insertion(of: value, matching: MatchingKey(path), at: steps.count, code: code))
    }

    /// Removes an entity, and changes those that refer to it by its delete rules, also if it isn't stored.
    ///
    /// Until the mutation ends, the rules are shown for the entities that refer to it now, as long as they do. When it
    /// is confirmed, the removal applies them to the confirmed entities that refer to it then, if the entity itself is
    /// confirmed. A later write of an entity that refers to it is shown meanwhile, and so is an earlier change of it by
    /// the same mutation.
    ///
    /// A fetch of the removed entity throws ``FetchError/removed(_:)``. Its answer is stored, and shown if the mutation
    /// fails.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    public mutating func remove<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        var removal = LayeredRemoval(of: cache, after: steps.count)
        removal.remove(type, id: cache.currentID(of: type, id))
        steps += removal.steps
    }

    /// Adds an identifier to the end of a list, unless it is listed.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - list: The list.
    public mutating func append<Value: Cachable>(_ id: Value.ID, to list: CachedList<Value>) {
        change(list, naming: [id]) { $0.append([$1(id)]) }
    }

    /// Adds an identifier to the beginning of a list, unless it is listed.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - list: The list.
    public mutating func prepend<Value: Cachable>(_ id: Value.ID, to list: CachedList<Value>) {
        change(list, naming: [id]) { $0.prepend([$1(id)]) }
    }

    /// Removes an identifier from a list.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - list: The list.
    public mutating func remove<Value: Cachable>(_ id: Value.ID, from list: CachedList<Value>) {
        change(list, naming: [id]) { _ = $0.remove($1(id)) }
    }

    /// Moves an identifier of a list before another one.
    ///
    /// - Parameters:
    ///   - id: The identifier. If it isn't listed, the change has no effect.
    ///   - other: The identifier before which it is moved, or `nil` for the end of the list.
    ///   - list: The list.
    public mutating func move<Value: Cachable>(_ id: Value.ID, before other: Value.ID?, in list: CachedList<Value>) {
        change(list, naming: [id] + (other.map { [$0] } ?? [])) {
            _ = $0.move($1(id), before: other.map($1.callAsFunction))
        }
    }

    /// Lets a reference refer to another entity, or to nothing.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` for nothing.
    ///   - reference: The reference.
    public mutating func set<Value: Cachable>(_ id: Value.ID?, of reference: CachedReference<Value>) {
        let name = reference.name
        let dropsRemoved = reference.dropsRemoved
        if dropsRemoved { ReferenceContents<Value>.dropRemoved(in: cache) }
        let ids = ReplacedIDs<Value>(reference: cache.reference)
        let code = cache.mutationCode(of: ReferenceContents<Value>.self)
        let named = id.map { [FlatCacheKey(Value.self, id: $0)] } ?? []
        let body = StepChange<ReferenceContents<Value>>.replacement { below in
            id.map {
                ReferenceContents(id: name, target: ids($0), dropsRemoved: dropsRemoved || below?.dropsRemoved == true)
            }
        }
        steps.append(EntityStep(id: name, at: steps.count, code: code, naming: named, body))
    }

    private mutating func change<Value: Cachable>(
        _ list: CachedList<Value>,
        naming named: [Value.ID],
        _ body: @escaping @Sendable (inout ListContents<Value>, ReplacedIDs<Value>) -> Void
    ) {
        let name = list.name
        let (dropsRemoved, keeps) = (list.dropsRemoved, list.keeps)
        if dropsRemoved {
            var contents = ListContents<Value>(name: name)
            contents.dropRemoved(in: cache)
        }
        let ids = ReplacedIDs<Value>(reference: cache.reference)
        let code = cache.mutationCode(of: ListContents<Value>.self)
        let named = named.map { FlatCacheKey(Value.self, id: $0) }
        let change = StepChange<ListContents<Value>>.replacement { below in
            var contents = below ?? ListContents(name: name)
            if dropsRemoved { contents.dropsRemoved = true }
            if let keeps { contents.keeps = keeps }
            body(&contents, ids)
            return contents
        }
        steps.append(EntityStep(id: name, at: steps.count, code: code, naming: named, change))
    }
}

/// The removal of an entity, with what delete rules change.
private struct LayeredRemoval: OwnerVisitor {
    private let cache: FlatCache
    /// The number of changes before these.
    private let count: Int
    private(set) var steps: [any MutationStep] = []
    private var removed: Set<FlatCacheKey> = []
    /// The removals whose rules are still to be looked at, because a chain of entities can be long.
    private var next: [@Sendable (inout LayeredRemoval) -> Void] = []

    init(of cache: FlatCache, after count: Int) {
        self.cache = cache
        self.count = count
    }

    mutating func remove<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        steps.append(
            EntityStep(id: id, at: count, .removal, code: cache.mutationCode(of: type), .replacement { _ in nil })
        )
        noteRemoval(type, id: id)
        while let visit = next.popLast() { visit(&self) }
    }

    private mutating func noteRemoval<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        guard removed.insert(FlatCacheKey(type, id: id)).inserted else { return }
        next.append { [cache] in cache.visitOwners(type, of: id, &$0) }
    }

    mutating func visit<Owner: Cachable>(_ owner: Owner, _ change: @escaping @Sendable (Owner) -> Owner?) {
        let code = cache.mutationCode(of: Owner.self)
        let place = count + steps.count
        let body = StepChange.replacement { below in below.flatMap(change) }
        steps.append(EntityStep(id: owner.id, at: place, .consequence, code: code, body))
        if change(owner) == nil { noteRemoval(Owner.self, id: owner.id) }
    }
}

extension MutationStep {
    /// The change of a stored entity.
    @inlinable static func update<Value: Cachable>(
        id: Value.ID,
        at place: Int = 0,
        code: MutationCode<Value>,
        until isContained: (@Sendable (Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) -> Self where Self == EntityStep<Value> {
        EntityStep(id: id, at: place, code: code, .update(until: isContained, change))
    }
}

extension MutationChanges: CustomStringConvertible, CustomReflectable {
    /// A line with the number of changes: `MutationChanges: 2 changes`.
    public var description: String { Summary.line("MutationChanges", nil, [Summary.count(steps.count, "change")]) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
