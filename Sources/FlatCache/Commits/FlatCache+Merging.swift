extension FlatCache {
    /// Stores an entity of a type with a merge.
    ///
    /// - Returns: Whether an entity was stored, and not kept by the merge.
    @inlinable @inline(never)
    func set<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        let id = value.id
        let hash = HashedID(id)
        let table = registry.table(of: Value.self).takeUnretainedValue()
        let resolve = merge.resolver(for: value)
        // The last call is decisive.
        var isStored = false
        let resolver: (Value?) -> Value? = { stored in
            let resolved = resolve(stored)
            isStored = if case .none = resolved { false } else { true }
            return resolved
        }
        if let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction {
            transaction.table(table).write(id, hash, in: snapshot, resolving: resolver)
        } else {
            let transaction = Transaction()
            transaction.table(table).write(id, hash, resolving: resolver)
            transaction.commit(to: self)
        }
        return isStored
    }

    /// Merges an entity into the stored one, unless none is stored.
    ///
    /// - Returns: Whether an entity is stored.
    @inlinable @inline(never)
    func update<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        let id = value.id
        let hash = HashedID(id)
        let table = registry.table(of: Value.self).takeUnretainedValue()
        let resolve = merge.resolver(for: value)
        if let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction {
            let transaction = transaction.table(table)
            guard transaction.value(of: id, hash, in: snapshot) != nil else { return false }
            transaction.write(id, hash, in: snapshot, resolving: resolve)
            return true
        }
        var isStored = false
        let transaction = Transaction()
        transaction.table(table).write(id, hash) { stored in
            isStored = if case .none = stored { false } else { true }
            return isStored ? resolve(stored) : nil
        }
        transaction.commit(to: self)
        return isStored
    }
}
