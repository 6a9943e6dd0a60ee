/// The insertion of an entity, and how it is recognized among those of the server.
extension EntityStep {
    @usableFromInline var isMatched: Bool { match != nil }

    @usableFromInline func await(of mutation: PendingMutation, in transaction: Transaction, _ cache: FlatCache) {
        if let match { cache.await(match, id, of: mutation, in: transaction) }
    }

    @usableFromInline func stopAwaiting(
        of mutation: PendingMutation,
        isDropped: Bool,
        in transaction: Transaction,
        _ cache: FlatCache
    ) {
        guard let match, cache.awaits(match, of: mutation) else { return }
        cache.stopAwaiting(match, of: mutation, isDropped: isDropped, in: transaction)
    }

    @usableFromInline func isAwaited(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        match.map { cache.awaits($0, of: mutation) } ?? false
    }

    @usableFromInline func matchStored(of mutation: PendingMutation, in cache: FlatCache) {
        if let match { cache.matchStored(match, of: mutation) }
    }

    /// Whether an entity has taken the place of the inserted one because of its matching key.
    ///
    /// An answer with another identifier is another entity.
    @usableFromInline func isRecognized(in cache: FlatCache) -> Bool {
        match != nil && cache.currentID(of: Value.self, id) != id
    }

    @usableFromInline func dropUnidentified(of mutation: PendingMutation, in cache: FlatCache) -> MutationError? {
        guard kind == .insertion, let transaction = cache.history.transactionOfThread,
            cache.currentID(of: Value.self, id) == id
        else { return nil }
        let changes = table(of: cache, in: transaction)
        let isRefused = changes.isRefused(id)
        if !isRefused, !changes.isUnidentified(id) { return nil }
        cache.dropInserted(Value.self, id)
        if isRefused { return nil }
        let error = MutationError.unidentified(key)
        note(error, of: mutation)
        return error
    }
}

extension FlatCache {
    /// Removes an inserted entity, and its temporary identifier from all lists and references.
    func dropInserted<Value: Cachable>(_ type: Value.Type, _ id: Value.ID) {
        remove(type, id: id)
        dropName(id, from: ListContents<Value>.self)
        dropName(id, from: ReferenceContents<Value>.self)
    }

    /// Removes an identifier from all lists, or from all references.
    fileprivate func dropName<Name: RenamedName>(_ id: Name.Target.ID, from names: Name.Type) {
        guard registry.find(names) != nil else { return }
        for name in names.allStored(in: self) where name.names(IDReplacement(old: id, new: id)) {
            if let left = name.without(id) { left.store(in: self) } else { names.remove(name.id, from: self) }
        }
    }
}
