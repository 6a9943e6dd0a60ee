extension PendingMutation {
    /// The result of a layer with current identifiers in place of those that were replaced, if it is an entity.
    func renamed<Value: Cachable>(_ value: Value?) -> Value? {
        guard let value, let cache = reference.object, let owner = value as? any RelationshipOwner else { return value }
        return cache.withCurrentIDs(owner) as? Value ?? value
    }
}

extension FlatCache {
    fileprivate func withCurrentIDs<Owner: RelationshipOwner>(_ owner: Owner) -> Any {
        var owner = owner
        _ = owner.rename(CurrentIDs(cache: self))
        return owner
    }
}

/// The current identifiers of a type, for the closures of layers of lists and references.
struct ReplacedIDs<Value: Cachable>: Sendable {
    let reference: WeakReference<FlatCache>

    /// The identifier at the end of the replacements of another one, or that one if it wasn't replaced.
    func callAsFunction(_ id: Value.ID) -> Value.ID { reference.object?.lastID(of: Value.self, id) ?? id }
}
