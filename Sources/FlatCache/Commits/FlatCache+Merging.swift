extension FlatCache {
    /// Stores an entity of a type with a merge.
    ///
    /// - Returns: Whether an entity was stored, and not kept by the merge.
    @_semantics("optimize.sil.specialize.generic.never") @usableFromInline
    func set<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        let (id, resolve) = (value.id, merge.resolver(for: value))
        let hash = HashedID(id)
        var isStored = false
        let isMade = write(to: Value.self) { changes, snapshot in
            if changes.receivesOtherwise {
                isStored = changes.receiveOtherwise(value, id, hash, if: .always, merging: merge)
            } else {
                changes.write(id, hash, in: snapshot) { stored in
                    let resolved = resolve(stored)
                    isStored = if case .none = resolved { false } else { true }
                    return resolved
                }
            }
        }
        return isMade ? isStored : commitTogether { set(value) }
    }

    /// Merges an entity into the stored one, or replaces that, unless none is stored under the identifier itself.
    ///
    /// - Returns: Whether an entity is stored.
    @_semantics("optimize.sil.specialize.generic.never") @usableFromInline
    func update<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        let (id, resolve) = (value.id, merge.resolver(for: value))
        let hash = HashedID(id)
        var isStored = false
        let isMade = write(to: Value.self) { changes, snapshot in
            guard let snapshot else {
                return changes.write(id, hash) { stored in
                    isStored = if case .none = stored { false } else { true }
                    return isStored ? resolve(stored) : nil
                }
            }
            guard case .some = changes.value(of: id, hash, in: snapshot) else { return }
            isStored = true
            changes.receive(value, id, hash, merging: merge)
        }
        return isMade ? isStored : commitTogether { update(value) }
    }

    /// Writes entities of a type in the transaction of the calling thread, or in a commit of their own.
    ///
    /// - Parameter body: A closure that is called with the changes, and with the snapshot of the transaction of the thread.
    /// - Returns: Whether the closure was called. If it wasn't, it needs a transaction with a snapshot.
    private func write<Value: Cachable>(
        to type: Value.Type,
        _ body: (TableTransaction<Value>, Snapshot?) -> Void
    ) -> Bool {
        let table = registry.table(of: type).takeUnretainedValue()
        if let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction {
            body(transaction.table(table), snapshot)
            return true
        }
        if table.mayHaveMergeBases || table.awaitsInsertions { return false }
        let transaction = Transaction()
        body(transaction.table(table), nil)
        transaction.commit(to: self)
        transaction.release()
        return true
    }
}
