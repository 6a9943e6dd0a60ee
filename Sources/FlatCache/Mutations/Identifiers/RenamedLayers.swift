extension PendingMutation {
    /// The result of a layer with current identifiers in place of those that were replaced.
    @usableFromInline func renamed<Value: Cachable>(_ value: Value?) -> Value? {
        guard let value, let cache = reference.object, cache.mutations.hasReplacements else { return value }
        return cache.withCurrentIDs(value)
    }
}

extension FlatCache {
    /// Whether a list, a reference or an entity has identifiers that were replaced.
    func namesReplacedIDs<Value: Cachable>(_ value: Value) -> Bool {
        if let name = value as? any RenamedName { return namesReplacedIDs(name) }
        return (value as? any RelationshipOwner)?.names(CurrentIDs(cache: self)) ?? false
    }

    private func namesReplacedIDs<Name: RenamedName>(_ name: Name) -> Bool {
        replacedIDs(of: Name.Target.self).contains { name.names(IDReplacement(old: $0.old, new: $0.new)) }
    }

    /// A list, a reference or an entity with current identifiers in place of those that were replaced.
    func withCurrentIDs<Value: Cachable>(_ value: Value) -> Value {
        if let name = value as? any RenamedName { return withCurrentIDs(of: name) as? Value ?? value }
        guard let owner = value as? any RelationshipOwner else { return value }
        return withCurrentIDs(of: owner) as? Value ?? value
    }

    private func withCurrentIDs<Name: RenamedName>(of name: Name) -> Any {
        var renamings = replacedIDs(of: Name.Target.self).map { IDReplacement<Name.Target>(old: $0.old, new: $0.new) }
        renamings.removeAll { !name.names($0) }
        if renamings.count > 1 { renamings = name.inOrder(renamings) }
        var name = name
        for renaming in renamings { name.rename(renaming) }
        return name
    }

    private func withCurrentIDs<Owner: RelationshipOwner>(of owner: Owner) -> Any {
        var owner = owner
        _ = owner.rename(CurrentIDs(cache: self))
        return owner
    }
}
