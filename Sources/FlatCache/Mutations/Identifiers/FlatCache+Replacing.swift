extension FlatCache {
    /// Stores an entity in place of one with another identifier, and lets everything that names the old identifier name the new.
    ///
    ///     let post = try await api.create(draft)                              // the server has given it the identifier "7"
    ///     cache.replaceIdentifier(of: Post.self, draft.id, with: post)
    ///
    /// One commit makes all changes:
    ///
    /// - The new entity is stored, with the place of the old one in the order of insertion, and the old one is gone. No delete
    ///   rule is applied. If an entity with the new identifier is stored already, it is replaced and keeps its place.
    ///   If the transaction stores an entity under the old identifier again, that one keeps the place.
    /// - Lists, references and annotated properties have the new identifier in place of the old one. A list or an array that
    ///   has the new one already loses the old one. An array of optional identifiers also loses elements that are `nil`.
    /// - A property that can't be set is replaced by encoding and decoding its entity or value, if the type is `Codable`,
    ///   encodes all of its stored properties, and is equal afterwards if it is `Equatable`. Otherwise it remains, and the
    ///   result names it. Values within an entity, which are owners without an identifier, are always replaced in this way.
    /// - Pending mutations of the old key are those of the new key.
    /// - Observers of the old key observe the new one. They are notified of one update.
    ///
    /// From now on, reads, updates, fetches and removals under the old identifier concern the new one, also by existing
    /// handles, until ``removeAll()``. What is written later with the old identifier, such as a property or a list,
    /// keeps it. Reads through it find the new entity. Backlinks and delete rules of the new entity don't find it.
    ///
    /// Entities that only a store has, and not the memory, aren't changed. Their accessors follow the replacement, which the store
    /// keeps.
    ///
    /// ## If the old identifier is used again
    ///
    /// - If an entity is stored under the old identifier again, reads, `update` and `remove` concern that one while it
    ///   is stored. So it is always in memory: it isn't evicted, and is restored even if its type stays on disk until
    ///   it is fetched.
    /// - The result of an `update` of the entity in whose body its identifier is replaced is stored under the old identifier.
    ///   Change `value` instead.
    /// - Observers of the old key still observe the new one, also after ``removeAll()``. Handles and the closures of
    ///   ``observe(initial:_:onChange:)`` read the one that is stored.
    /// - Pending changes of lists, references and properties that name the old identifier are made as if they named the
    ///   new one.
    /// - If the old identifier is replaced a second time, pending changes that name it name the second replacement.
    /// - If only a pending change shows an entity under the old identifier, the identifier stands for that entity in
    ///   writes and in ``confirmed(_:)``, too, although it is missing there.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The old identifier. An entity need not be stored under it.
    ///   - value: The entity with the new identifier. If the type has a ``Cachable/merge``, it is merged with the entity that is
    ///     stored under the new identifier.
    /// - Returns: What the commit has changed.
    /// - Complexity: O(*n*) for the *n* lists and references of the type, and for the entities of the types with relationships
    ///   to it. An index of the relationships, which delete rules and backlinks have, avoids looking at all entities of a type.
    @discardableResult
    public func replaceIdentifier<Value: Cachable>(
        of type: Value.Type,
        _ id: Value.ID,
        with value: Value
    ) -> IdentifierReplacement {
        commitTogether {
            set(value)
            return replaceIdentifier(of: type, id, by: value.id)
        }
    }

    /// Lets everything that names an identifier name another one, of an entity that the transaction of the calling thread has
    /// stored.
    @discardableResult
    func replaceIdentifier<Value: Cachable>(
        of type: Value.Type,
        _ id: Value.ID,
        by new: Value.ID
    ) -> IdentifierReplacement {
        let old = currentID(of: type, id)
        var replacement = IdentifierReplacement(
            old: FlatCacheKey(Value.self, id: old),
            new: FlatCacheKey(Value.self, id: new)
        )
        guard old != new, let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction else {
            return replacement
        }
        lead(old, to: new, of: type, in: snapshot, transaction)
        update(Forwarding<Value>.self, id: new) { $0.lead(to: nil) }
        var owners = OwnerRenaming(IDReplacement<Value>(old: old, new: new), in: self, snapshot, transaction)
        owners.run()
        replacement.changedOwners = owners.changed
        replacement.unchanged = owners.unchanged
        return replacement
    }

    /// Moves what is pending and observed from an identifier to another one in a transaction, and lets reads under the old one
    /// follow.
    ///
    /// The caller stores an entity under the new identifier, and ends the replacement of that.
    func lead<Value: Cachable>(
        _ old: Value.ID,
        to new: Value.ID,
        of type: Value.Type,
        in snapshot: Snapshot,
        _ transaction: Transaction
    ) {
        let (oldKey, newKey) = (FlatCacheKey(type, id: old), FlatCacheKey(type, id: new))
        let table = registry.table(of: type).takeUnretainedValue()
        let changes = transaction.table(table)
        let hash = HashedID(old)
        // From now on, the transaction depends on the old entity.
        _ = changes.value(of: old, hash, in: snapshot)
        changes.remove(old, hash)
        changes.move(old, to: new)
        table.noteReplacement()
        transaction.noteReplacement(of: oldKey, by: newKey)
        replacements.begin()
        transaction.addEffect { [replacements] _ in replacements.end() }
        update(default: Forwarding<Value>(id: old)) { $0.lead(to: new) }
        moveMutationError(from: oldKey, to: newKey, in: transaction)
    }

    /// Lets the handles of the new key have the error of the last mutation of the old one, and notifies those of the old key.
    private func moveMutationError(from old: FlatCacheKey, to new: FlatCacheKey, in transaction: Transaction) {
        guard registry.find(EntityMutations.self) != nil else { return }
        let moved = EntityMutations.stored(old, in: self)
        if let moved {
            var entry = EntityMutations.stored(new, in: self) ?? EntityMutations(id: new)
            entry.changes += moved.changes
            entry.isIdle = moved.isIdle && entry.isIdle
            if moved.lastError != nil { entry.lastError = moved.lastError }
            entry.store(in: self)
        } else if !EntityMutations.mayHaveSlot(old, in: self) {
            return
        }
        // Readers of the old key depend on its entry. They read again, and then depend on that of the new key.
        var left = moved ?? EntityMutations(id: old)
        left.changes += 1
        left.store(in: self)
        transaction.addEffect { [self] isCommitted in
            if isCommitted { EntityMutations.remove(old, from: self) }
        }
    }
}
