extension FlatCache {
    /// Stores several entities of a type in one commit: each observer is told once.
    ///
    ///     cache.set(contentsOf: page.posts)
    ///
    /// - Parameter values: The entities. Of two with one identifier, the later is stored.
    /// - Complexity: O(*n*) on average for *n* entities, as much for each as ``set(_:)``.
    @inlinable
    public func set<Value: Cachable>(contentsOf values: some Sequence<Value>) {
        let batch = EntityBatch(values, table: registry.table(of: Value.self).takeUnretainedValue())
        guard !batch.isEmpty else { return }
        if let draft = history.draftOfThread { return batch.store(in: draft) }
        history.followClock()
        var locks = LockSet()
        batch.insertLocks(into: &locks)
        locks.lock()
        var commit = Commit(of: self)
        let replaced = batch.store(&commit)
        commit.finish { locks.unlock() }
        withExtendedLifetime(replaced) {}
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
    /// `switch` or `if` counts as nothing there; write `return` before it.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be left out where the body tells it.
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
            if let draft = snapshot.draft {
                return try draft.table(table).update(id, hash, in: snapshot, storing: EntityBatch<Value>?.none, body)
            }
            return try RunningBody.runOutside(of: history.object) { () throws(Failure) in
                try update(Value.self, id: id, body)
            }
        }
        let shard = table.shards[hash]
        shard.lock()
        guard let slot = shard.pointer.pointee.index.find(id, hash)?.takeUnretainedValue() else {
            shard.unlock()
            return nil
        }
        slot.pins += 1
        shard.unlock()
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
        let shard = table.shards[HashedID(slot.id)]
        shard.lock()
        let running = RunningUpdate(of: slot)
        defer { running.end() }
        while true {
            // The shard is locked here, at the first turn as at all others.
            guard var value = slot.copy else {
                shard.unpin(slot)
                shard.unlock()
                return nil
            }
            running.expectedRevision = slot.revision
            shard.unlock()

            let result: Result
            do throws(Failure) {
                result = try body(&value)
            } catch {
                shard.lock()
                shard.unpin(slot)
                shard.unlock()
                throw error
            }

            history.followClock()
            if batch == nil && value.id == slot.id {
                shard.lock()
                guard slot.revision == running.expectedRevision else { continue }
                shard.commit(value, to: .passUnretained(slot), of: self, unpinning: 1)
                return result
            }

            let write = UpdateWrite(of: value, from: slot, table: table, batch: batch)
            write.locks.lock()
            if slot.revision == running.expectedRevision {
                var commit = Commit(of: self)
                let replaced = write.store(&commit)
                shard.unpin(slot)
                commit.finish { write.locks.unlock() }
                withExtendedLifetime(replaced) {}
                return result
            }
            write.locks.unlock()
            shard.lock()
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
        if let snapshot = history.snapshotOfThread, let draft = snapshot.draft {
            let draft = draft.table(registry.table(of: Value.self).takeUnretainedValue())
            let removed = draft.value(of: id, hash, in: snapshot)
            if removed != nil { draft.remove(id, hash) }
            return removed
        }
        guard let table = registry.find(Value.self) else { return nil }
        let shard = table._withUnsafeGuaranteedRef { $0.shards[hash] }
        shard.lock()
        guard let slot = shard.pointer.pointee.index.find(id, hash),
            let removed = slot._withUnsafeGuaranteedRef({ $0.copy })
        else {
            shard.unlock()
            return nil
        }
        shard.commit(nil, to: slot, of: self)
        return removed
    }

    /// Removes all entities of all types in one commit: each observer is told once.
    ///
    /// Observers and handles stay, and hear of what is stored afterwards.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public func removeAll() {
        if let draft = history.draftOfThread { return draft.removeAll(registry.all) }
        while true {
            let tables = registry.all
            let locks = lock(tables)
            // A type that came in before everything was locked belongs to everything, too.
            if registry.all.count == tables.count { return removeAll(from: tables, locks) }
            locks.unlock()
        }
    }

    /// Removes all entities of a type in one commit: each observer is told once.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(*n*) for *n* entities of the type.
    public func removeAll<Value: Cachable>(of type: Value.Type) {
        let table = registry.table(of: type).takeUnretainedValue()
        if let draft = history.draftOfThread { return table.removeAll(in: draft) }
        removeAll(from: [table], lock([table]))
    }

    private func lock(_ tables: [any ErasedTable]) -> LockSet {
        var locks = LockSet()
        for table in tables { table.insertLocks(into: &locks) }
        RacePoint.reach(.listed)
        locks.lock()
        return locks
    }

    private func removeAll(from tables: [any ErasedTable], _ locks: LockSet) {
        var commit = Commit(of: self)
        let removed = tables.map { $0.removeAll(&commit) }
        commit.finish { locks.unlock() }
        withExtendedLifetime(removed) {}
    }
}
