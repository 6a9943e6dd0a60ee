extension FlatCache {
    /// Stores an entity of a type with a merge.
    ///
    /// - Returns: Whether an entity was stored, and not kept by the merge.
    @inlinable @inline(never)
    func set<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        switch store(value, mergedBy: merge, mayInsert: true) {
        case .stored: true
        case .kept, .missing: false
        case .needsTransaction: setTogether(value, merging: merge)
        }
    }

    /// Merges an entity into the stored one, or replaces that, unless none is stored under the identifier itself.
    ///
    /// - Returns: Whether an entity is stored.
    @inlinable @inline(never)
    func update<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        switch store(value, mergedBy: merge, mayInsert: false) {
        case .stored, .kept: true
        case .missing: false
        case .needsTransaction: updateTogether(value, merging: merge)
        }
    }

    /// Stores an entity in the transaction of the calling thread, or in one of its own.
    @usableFromInline func setTogether<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        inTransaction(of: Value.self) { changes, snapshot in
            let id = value.id
            let hash = HashedID(id)
            if changes.receivesOtherwise {
                return changes.receiveOtherwise(value, id, hash, if: .always, merging: merge)
            }
            let resolve = merge.resolver(for: value)
            var isStored = false
            changes.write(id, hash, in: snapshot) { stored in
                let resolved = resolve(stored)
                isStored = resolved != nil
                return resolved
            }
            return isStored
        }
    }

    /// Updates an entity in the transaction of the calling thread, or in one of its own.
    @usableFromInline func updateTogether<Value: Cachable>(_ value: Value, merging merge: Merge<Value>) -> Bool {
        inTransaction(of: Value.self) { changes, snapshot in
            let id = value.id
            let hash = HashedID(id)
            guard changes.value(of: id, hash, in: snapshot) != nil else { return false }
            changes.receive(value, id, hash, merging: merge)
            return true
        }
    }

    /// Calls a closure with the changes of a type in the transaction of the calling thread, or in one of its own, and the snapshot.
    private func inTransaction<Value: Cachable>(
        of type: Value.Type,
        _ body: (TableTransaction<Value>, Snapshot) -> Bool
    ) -> Bool {
        guard let snapshot = history.snapshotOfThread else { return commitTogether { inTransaction(of: type, body) } }
        guard let transaction = snapshot.transaction else {
            return ReadContext.runOutside(of: history.object) { inTransaction(of: type, body) }
        }
        return body(transaction.table(registry.table(of: type).takeUnretainedValue()), snapshot)
    }

    /// What a merge of one entity has come to.
    @frozen @usableFromInline
    enum MergeOutcome {
        case stored
        /// The merge has kept the stored entity.
        case kept
        /// No entity is stored.
        case missing
        case needsTransaction
    }

    /// Stores what a merge makes of an entity and the stored one, in a commit of its own.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - merge: The merge.
    ///   - mayInsert: Whether the entity is stored where none is.
    @inlinable func store<Value: Cachable>(
        _ value: Value,
        mergedBy merge: Merge<Value>,
        mayInsert: Bool
    ) -> MergeOutcome {
        let table = registry.table(of: Value.self).takeUnretainedValue()
        if table.mayHaveMergeBases { return .needsTransaction }
        let id = value.id
        let hash = HashedID(id)
        let resolve = merge.resolver(for: value)
        var update = withUnsafePointer(to: id) {
            EntityUpdate(ofIDAt: UnsafeRawPointer($0), hash, in: table, of: self, mayInsert: mayInsert)
        }
        // The update has a reference that doesn't keep the cache alive.
        defer { withExtendedLifetime(self) { update.end() } }
        while update.beginWriting() {
            let stored = update.entity?.assumingMemoryBound(to: Value.self).pointee
            // A merge that writes the entity itself runs again, once.
            update.beginBody(followingOwnWrites: false)
            guard let resolved = resolve(stored) else {
                update.fail()
                return .kept
            }
            if update.store(resolved) { return .stored }
        }
        return update.isTogether ? .needsTransaction : .missing
    }
}
