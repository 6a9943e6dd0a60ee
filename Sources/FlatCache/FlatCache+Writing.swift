extension FlatCache {
    /// Stores several entities of a type in one commit, which notifies each observer once.
    ///
    ///     cache.set(contentsOf: page.posts)
    ///
    /// If the type has a ``Cachable/merge``, each entity is merged in order.
    ///
    /// - Parameter values: The entities. If two have the same identifier, the later one is stored.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    @inlinable
    public func set<Value: Cachable>(contentsOf values: some Sequence<Value>) {
        EntityBatch(values, table: registry.table(of: Value.self).takeUnretainedValue()).store(in: self)
    }

    /// Changes a stored entity in place, atomically, without losing writes of other threads.
    ///
    ///     let likes = cache.update(Post.self, id: "1") { post in
    ///         post.likes += 1
    ///         return post.likes
    ///     }
    ///
    /// The body receives a copy and runs without a lock, so it may read and write any entity. If another thread
    /// replaces the entity before the result is stored, the body runs again with the new entity. So only change the
    /// entity in the body, and put effects that must happen once after it. If the body writes the entity by other
    /// means, its result replaces that write. The result also replaces writes by observers that such a write calls.
    ///
    /// If the body changes the identifier, the entity moves to the new identifier and replaces the entity that is
    /// stored there. Only the entity moves. Lists, references, handles, observers and the identifiers in other entities
    /// keep the old identifier. To change them too, use ``replaceIdentifier(of:_:with:)``.
    ///
    /// With a closure that returns nothing, the compiler chooses ``update(_:id:_:)->Bool``, which returns whether the
    /// entity is stored. The value of a `switch` or `if` doesn't count as a return value; write `return` before it. If
    /// an `update` is the only statement of a ``transaction(_:)``, and its closure returns nothing, write `_ =` before
    /// it, because the compiler can't choose between the two methods.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    ///   - body: A closure that changes the entity.
    /// - Returns: The body's return value, or `nil` if the entity is not stored. Then the body is not called.
    /// - Throws: The error that the body throws. Then the entity isn't changed.
    /// - Complexity: The time of the body, and O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable, Result, Failure: Error>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try update(id, storing: EntityBatch<Value>?.none, body)
    }

    /// Removes an entity.
    ///
    /// Entities that refer to it keep its identifier, unless they have a delete rule (``Cachable/deleteRules``). Their
    /// accessors return `nil`, or an array without it.
    ///
    /// The answer to a request that began before the removal doesn't store the entity. Nothing of that depends on
    /// whether the entity is stored: the removal of an identifier without an entity changes those that refer to it,
    /// too, and is remembered. It notifies nobody who observes the key.
    ///
    /// A fetch knows of all removals of its own entities. Of other entities in its answer, and for `store(_:since:)`
    /// and pages of lists, each of the 16 parts of a type remembers the last 256 removals. If one has forgotten a later
    /// removal than the request, no entity of that part that isn't stored is stored by the answer.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    /// - Returns: The removed entity, or `nil` if it was not stored.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func remove<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Value? {
        let hash = HashedID(id)
        guard let table = registry.find(Value.self) else { return removeOther(id, hash) }
        return table._withUnsafeGuaranteedRef { table in
            let removed = entity(of: Value.self) { memory in
                withUnsafePointer(to: id) { removePlain(idAt: UnsafeRawPointer($0), hash, in: table, to: memory) }
            }
            return removed ?? removeOther(id, hash)
        }
    }

    /// Removes the entity with an identifier, or with the one that has replaced it.
    @usableFromInline
    func removeOther<Value: Cachable>(_ id: Value.ID, _ hash: HashedID) -> Value? {
        if let removed: Value = removeStored(id, hash) { return removed }
        guard registry.table(of: Value.self).takeUnretainedValue().mayForward else { return nil }
        let current = currentID(of: Value.self, id)
        return current == id ? nil : remove(Value.self, id: current)
    }

    /// Removes the entity that is stored under an identifier itself.
    private func removeStored<Value: Cachable>(_ id: Value.ID, _ hash: HashedID) -> Value? {
        let table = registry.table(of: Value.self).takeUnretainedValue()
        if let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction {
            let changes = transaction.table(table)
            if table.mayHaveMergeBases { changes.removeMergeBase(id) }
            let removed = changes.value(of: id, hash, in: snapshot)
            changes.remove(id, hash)
            applyDeleteRules(in: changes) { [id] }
            return removed
        }
        let found = withUnsafePointer(to: id) { table.pinnedSlotToRemove(forIDAt: UnsafeRawPointer($0), hash) }
        guard let slot = found else { return nil }
        let shard = table.shards[hash]
        shard.lock()
        shard.waitToWrite(slot)
        guard !slot.isLayered, table.removalRules.isEmpty else {
            shard.unlock(unpinning: slot)
            return removeTogether(id, hash)
        }
        guard slot.isStored else {
            shard.noteRemoval(of: slot, Commit(of: self))
            shard.unlock(unpinning: slot)
            return nil
        }
        guard case .none = table.indexes, !table.mayHaveMergeBases else {
            shard.unlock(unpinning: slot)
            return removeTogether(id, hash)
        }
        return entity(of: Value.self) {
            shard.commit(.none, to: slot, of: table, in: self, unpinning: 1, old: $0, leavesOld: true)
        }
    }

    /// Removes an entity together with its places in the indexes of its type, and applies delete rules.
    private func removeTogether<Value: Cachable>(_ id: Value.ID, _ hash: HashedID) -> Value? {
        commitTogether { removeStored(id, hash) }
    }

    /// Removes all entities of all types in one commit, which notifies each observer once.
    ///
    /// Observers and handles remain, and are notified of entities that are stored afterwards. Mutations that have not ended are
    /// dropped, and the answers to those that are being sent aren't stored, nor are pages of lists that are being loaded, and the responses to requests by
    /// ``load(_:with:strict:isolation:_:)`` that began before.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public func removeAll() {
        if let transaction = history.transactionOfThread {
            transaction.removeAll(registry.all)
            mutations.beginRemoval()
            return transaction.addEffect { [self, unowned transaction] isCommitted in
                defer { mutations.endRemoval() }
                if !isCommitted { return }
                registry.noteCleared(transaction.revision)
                listLoaders.dropCalls()
                if !mutations.isEmpty { commitWithoutMutations(Transaction()) }
            }
        }
        mutations.beginRemoval()
        defer { mutations.endRemoval() }
        listLoaders.dropCalls()
        // Before the commit, so that a type that is used meanwhile is part of it or has no older entity.
        registry.noteCleared(history.nextRevision())
        let transaction = Transaction()
        transaction.removeAll(registry.all)
        commitWithoutMutations(transaction)
    }

    /// Removes all entities of a type in one commit, which notifies each observer once.
    ///
    /// Entities that refer to them keep their identifiers, unless they have a delete rule (``Cachable/deleteRules``). Pages of
    /// lists of the type that are being loaded don't join their lists.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(*n*) for *n* entities and lists of the type.
    public func removeAll<Value: Cachable>(of type: Value.Type) {
        let table = registry.table(of: type).takeUnretainedValue()
        if let transaction = history.transactionOfThread {
            let changes = transaction.table(table)
            let removed = removeAll(in: changes)
            noteClear(in: changes)
            noteClearOfLists(of: type)
            return applyDeleteRules(in: changes) { removed }
        }
        let transaction = Transaction()
        let changes = transaction.table(table)
        if !changes.hasRules, !mayLoadLists(of: type) {
            changes.mergeBases?.removeAll()
            changes.removeAll()
            if transaction.commit(to: self) { return }
        }
        commitTogether { removeAll(of: type) }
    }

    /// Removes the entities of a type that meet a condition, in one commit, which notifies each observer once.
    ///
    ///     cache.remove(Post.self) { $0.isDraft }
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - isRemoved: A closure that returns whether an entity is removed. It may read the cache. It runs again if another
    ///     thread changes an entity of the type meanwhile.
    /// - Returns: The removed entities, in the order of their insertion.
    /// - Throws: The error that the closure throws. Then nothing is removed.
    /// - Complexity: O(*n* log *n*) for *n* entities of the type.
    @discardableResult
    public func remove<Value: Cachable, Failure: Error>(
        _ type: Value.Type,
        where isRemoved: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> [Value] {
        try transaction { () throws(Failure) in
            var removed: [Value] = []
            for value in allValues(of: type, inOrder: true) {
                if try isRemoved(value) { removed.append(value) }
            }
            return remove(type, ids: removed.map { $0.id })
        }
    }

    /// Replaces all entities of a type by others, in one commit, which notifies each observer once.
    ///
    ///     cache.replaceAll(of: Channel.self, with: channels)          // what the server has now
    ///
    /// Entities that aren't among the new ones are removed, with their delete rules, which don't change the new ones. The new
    /// ones are stored as they are, even if the type has a ``Cachable/merge``. An entity that was stored before keeps its place
    /// in the order of insertion. One that only the same transaction has stored before gets a new place. Pages of lists of the
    /// type that are being loaded don't join their lists.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - values: The entities. If two have the same identifier, the later one is stored.
    /// - Complexity: O(*n*) on average for *n* old and new entities, and lists of the type.
    public func replaceAll<Value: Cachable>(of type: Value.Type, with values: some Sequence<Value>) {
        // The transaction may run more than once, but some sequences can be iterated only once.
        let values = Array(values)
        let table = registry.table(of: type).takeUnretainedValue()
        commitTogether {
            guard let transaction = history.transactionOfThread else { return }
            let changes = transaction.table(table)
            let removed = removeAll(in: changes)
            noteClear(in: changes, keeping: values.map { $0.id })
            noteClearOfLists(of: type)
            applyDeleteRules(in: changes) { KeySet(removed).subtracting(KeySet(values.map { $0.id })) }
            EntityBatch(values, table: table).store(in: transaction, merging: .replace)
        }
    }

    /// Removes all entities of a type in the transaction of the calling thread, without delete rules.
    ///
    /// - Returns: The identifiers of the removed entities if there are rules, or none.
    private func removeAll<Value: Cachable>(in changes: TableTransaction<Value>) -> [Value.ID] {
        let removed = changes.hasRules ? allValues(of: Value.self).map { $0.id } : []
        changes.mergeBases?.removeAll()
        changes.removeAll()
        return removed
    }
}
