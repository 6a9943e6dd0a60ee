extension FlatCache {
    /// Stores several entities of a type in one commit: each observer is notified once.
    ///
    ///     cache.set(contentsOf: page.posts)
    ///
    /// - Parameter values: The entities. Of two with one identifier, the later is stored.
    /// - Complexity: O(*n*) on average for *n* entities, as much for each as ``set(_:)``.
    @inlinable
    public func set<Value: Cachable>(contentsOf values: some Sequence<Value>) {
        let batch = EntityBatch(values, table: registry.table(of: Value.self).takeUnretainedValue())
        guard !batch.isEmpty else { return }
        if let transaction = history.transactionOfThread { return batch.store(in: transaction) }
        history.followClock()
        batch.store(in: self)
    }

    /// Changes a stored entity in place, atomically: no write of another thread is lost in between.
    ///
    ///     let likes = cache.update(Post.self, id: "1") { post in
    ///         post.likes += 1
    ///         return post.likes
    ///     }
    ///
    /// The body gets a copy, and runs without a lock: it may read and write whatever it likes. When another thread
    /// replaces the entity before the body's result is stored, the body runs again on the new one. So change the entity
    /// in the body, and do what must happen only once after it. What the body itself writes to the entity by other means
    /// is replaced by its result, and so is what observers write to it that those writes call.
    ///
    /// An entity lives under its own identifier: if the body changes that, the entity moves, and replaces the one that is
    /// stored there. It moves alone: lists, names, handles, observers and the identifiers in other entities keep the old
    /// identifier. Change those that should follow in the same ``transaction(_:)``.
    ///
    /// A closure that returns nothing finds ``update(_:id:_:)->Bool``, which returns whether the entity is stored. The value of a
    /// `switch` or `if` counts as nothing there; write `return` before it. Write `_ =` before an `update` that is all of a
    /// ``transaction(_:)`` in a closure that returns nothing: the compiler can't choose between the two there.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity.
    ///   - body: Changes the entity.
    /// - Returns: What the body returns, or `nil` when the entity is not stored; the body is not called then.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: O(1) on average, and the body, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable, Result, Failure: Error>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let table = registry.table(of: Value.self).takeUnretainedValue()
        let hash = HashedID(id)
        if let snapshot = history.snapshotOfThread {
            if let transaction = snapshot.transaction {
                return try transaction.table(table).update(
                    id,
                    hash,
                    in: snapshot,
                    storing: EntityBatch<Value>?.none,
                    body
                )
            }
            return try ReadContext.runOutside(of: history.object) { () throws(Failure) in
                try update(Value.self, id: id, body)
            }
        }
        guard let slot = table.pinnedSlotToWrite(for: id, hash) else { return nil }
        return try update(slot, of: table, storing: EntityBatch<Value>?.none, body)
    }

    /// Updates the entity of a slot, and stores others in the same commit.
    ///
    /// - Parameters:
    ///   - slot: The slot, pinned by the caller; the pin is taken away.
    ///   - table: The table of the slot.
    ///   - batch: What to store with it.
    ///   - body: Changes the entity.
    /// - Returns: What the body returns, or `nil` when there is no entity; nothing is stored then.
    @inlinable
    func update<Value: Cachable, Related: Cachable, Result, Failure: Error>(
        _ slot: Slot<Value>,
        of table: Table<Value>,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let shard = table.shards[HashedID(slot)]
        let running = RunningUpdate(of: slot)
        var overtaken = Overtaken()
        defer { overtaken.end() }
        while true {
            // At the beginning of a turn: at its end what the last body has made is released, which can run user code.
            shard.lock()
            shard.waitForLargeCommit()
            guard var value = slot.copy else {
                shard.unlock(unpinning: slot)
                return nil
            }
            running.expectedRevision = slot.revision
            shard.unlock()

            running.beginBody()
            let result: Result
            do throws(Failure) {
                result = try body(&value)
            } catch {
                running.endBody()
                table.unpin(slot)
                throw error
            }
            let id = value.id
            running.endBody()

            history.followClock()
            if batch == nil && id == slot.id {
                shard.lock()
                shard.waitToWrite(slot)
                if slot.revision == running.expectedRevision {
                    shard.commit(value, to: .passUnretained(slot), of: self, unpinning: 1)
                    return result
                }
                shard.unlock()
            } else if id == slot.id
                && batch?.store(in: self, with: value, in: slot, of: table, at: running.expectedRevision) == true
                || running.commit(value, id, of: slot, in: table, storing: batch, to: self)
            {
                table.unpin(slot)
                return result
            }
            overtaken.again { $0.add(slot, of: table) }
        }
    }

    /// Removes an entity.
    ///
    /// Entities that refer to it keep its identifier; their accessors give `nil`, or leave it out.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    /// - Returns: The removed entity, or `nil` when it was not stored.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func remove<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Value? {
        let hash = HashedID(id)
        if let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction {
            let transaction = transaction.table(registry.table(of: Value.self).takeUnretainedValue())
            let removed = transaction.value(of: id, hash, in: snapshot)
            if removed != nil { transaction.remove(id, hash) }
            return removed
        }
        guard let table = registry.find(Value.self)?.takeUnretainedValue(),
            let slot = table.pinnedSlotToWrite(for: id, hash)
        else { return nil }
        let shard = table.shards[hash]
        shard.lock()
        shard.waitToWrite(slot)
        guard let removed = slot.copy else {
            shard.unlock(unpinning: slot)
            return nil
        }
        shard.commit(nil, to: .passUnretained(slot), of: self, unpinning: 1)
        return removed
    }

    /// Removes all entities of all types in one commit: each observer is notified once.
    ///
    /// Observers and handles stay, and hear of what is stored afterwards.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public func removeAll() {
        if let transaction = history.transactionOfThread { return transaction.removeAll(registry.all) }
        let transaction = Transaction()
        transaction.removeAll(registry.all)
        transaction.commit(to: self)
    }

    /// Removes all entities of a type in one commit: each observer is notified once.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(*n*) for *n* entities of the type.
    public func removeAll<Value: Cachable>(of type: Value.Type) {
        let table = registry.table(of: type).takeUnretainedValue()
        if let transaction = history.transactionOfThread { return transaction.table(table).removeAll() }
        let transaction = Transaction()
        transaction.table(table).removeAll()
        transaction.commit(to: self)
    }
}
