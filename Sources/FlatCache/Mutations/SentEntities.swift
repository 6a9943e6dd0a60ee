/// The entities of a mutation as they are to be sent.
extension PendingMutation {
    /// An entity with the changes of the mutation and of those before it.
    ///
    /// - Throws: ``MutationError/missing(_:)`` if there is none, or the error of a change.
    func sentEntity<Value: Cachable>(_ type: Value.Type, id: Value.ID) throws -> Value {
        let key = FlatCacheKey(type, id: id)
        guard let cache = reference.object else { throw MutationError.cacheGone(key) }
        let current = cache.currentID(of: type, id)
        let places = steps.indices.filter { place in
            guard let step = steps[place] as? EntityStep<Value> else { return false }
            return step.id == id || step.currentID(of: self, in: cache) == current
        }
        let last = places.last.flatMap { steps[$0] as? EntityStep<Value> }
        let sent = last.map { $0.sent(by: self, in: cache) } ?? cache.entity(type, id: current, sentBy: self)
        for place in places { if let error = failure(at: place) { throw error } }
        guard let sent else { throw MutationError.missing(key) }
        return sent
    }
}

extension EntityStep {
    /// The entity with the change and with those before it, or `nil` if there is none.
    fileprivate func sent(by mutation: PendingMutation, in cache: FlatCache) -> Value? {
        cache.entity(Value.self, id: currentID(of: mutation, in: cache), sentBy: mutation, by: self)
    }

    @usableFromInline func namedKeys(by mutation: PendingMutation, in cache: FlatCache) -> [FlatCacheKey] {
        // The mutation doesn't send what delete rules make of an entity.
        guard kind != .consequence, kind != .removal, Value.self is any RelationshipOwner.Type,
            let owner = sent(by: mutation, in: cache) as? any RelationshipOwner
        else { return named }
        let visitor = RelatedKeys()
        visitor.visitRelated(of: owner)
        return visitor.keys
    }
}

extension FlatCache {
    /// An entity with the changes of a mutation and of those before it, or `nil` if there is none.
    ///
    /// - Parameter step: A change that the entity doesn't have if its layer isn't added yet.
    fileprivate func entity<Value: Cachable>(
        _ type: Value.Type,
        id: Value.ID,
        sentBy mutation: PendingMutation,
        by step: EntityStep<Value>? = nil
    ) -> Value? {
        let table = registry.table(of: type).takeUnretainedValue()
        var (value, shown, layers) = table.withSlot(for: id, HashedID(id)) { slot in
            (slot.base(of: type), slot.copy(of: Value.self), slot.layered(of: Value.self)?.layers ?? [])
        }
        let count = layers.count
        layers.removeAll { $0.number > mutation.number }
        let isAdded = step == nil || layers.contains { $0.number == mutation.number && $0.place == step?.place }
        ReadContext.runOutside(of: history.object) {
            if layers.count == count {
                value = shown
            } else {
                for layer in layers { value = layer.shown(over: value, of: id) }
            }
            if !isAdded { value = step?.changed(value, of: id, by: mutation) }
            value = mutation.renamed(value)
        }
        return value
    }
}

/// The keys of the entities to which an owner refers.
private final class RelatedKeys: IDVisitor {
    private(set) var keys: [FlatCacheKey] = []

    func visit<Value: Cachable>(_ type: Value.Type, _ ids: [Value.ID]) {
        keys += ids.map { FlatCacheKey(type, id: $0) }
    }
}
