/// The writes of one entity, in code that doesn't know its type.
extension FlatCache {
    /// Stores an entity in place of the current one, without a merge.
    ///
    /// - Parameters:
    ///   - entity: The memory of the entity, which is moved out of it.
    ///   - id: The memory of its identifier.
    ///   - hash: The hash of the identifier.
    ///   - table: Its table.
    /// - Returns: Whether the replaced entity is in the memory, to be released.
    @usableFromInline func store(
        _ entity: UnsafeMutableRawPointer,
        idAt id: UnsafeRawPointer,
        _ hash: HashedID,
        in table: EntityTable
    ) -> Bool {
        if let transaction = history.transactionOfThread {
            transaction.part(of: table).receive(entity, idAt: id, hash)
            return false
        }
        history.followClock()
        guard let shard = table.shardToRead(hash) else { return storeOtherwise(entity, idAt: id, hash, in: table) }
        let slot =
            if table.isPlain {
                shard.slot(forIDAt: id, hash, table.layout)
            } else {
                shard.slotOfSameKeys(forIDAt: id, hash, entity, of: table)
            }
        guard let slot, !slot.isLayered else {
            shard.unlock()
            return slot == nil
                ? storeOtherwise(entity, idAt: id, hash, in: table) : storeConfirmed(entity, idAt: id, hash, in: table)
        }
        return shard.commit(.moved(from: entity), to: slot, of: table, in: self, unpinning: 0, old: entity)
    }

    /// Stores an entity whose identifier must be compared without a lock, that has layers or changes an index, or during a large
    /// commit or a reservation.
    ///
    /// - Returns: Whether an entity is in the memory, to be released.
    private func storeOtherwise(
        _ entity: UnsafeMutableRawPointer,
        idAt id: UnsafeRawPointer,
        _ hash: HashedID,
        in table: EntityTable
    ) -> Bool {
        if history.snapshotOfThread != nil {
            return ReadContext.runOutside(of: history.object) { storeOtherwise(entity, idAt: id, hash, in: table) }
        }
        var update = EntityUpdate(ofIDAt: id, hash, in: table, of: self, mayInsert: true)
        defer { update.end() }
        while update.beginWriting() {
            update.beginBody()
            let (isStored, isLeft) = update.store(entity, idAt: id)
            if isStored { return isLeft }
        }
        return storeConfirmed(entity, idAt: id, hash, in: table)
    }

    /// Stores an entity below its layers.
    ///
    /// - Returns: `false`, because no entity is left in the memory.
    private func storeConfirmed(
        _ entity: UnsafeMutableRawPointer,
        idAt id: UnsafeRawPointer,
        _ hash: HashedID,
        in table: EntityTable
    ) -> Bool {
        table.accept(ConfirmedWrite(cache: self, entity: entity, id: id, hash: hash))
        return false
    }

    /// A write of an entity that has layers, or of a type of which inserted entities wait for those of the server.
    private struct ConfirmedWrite: TableVisitor {
        let cache: FlatCache
        let entity: UnsafeMutableRawPointer
        let id: UnsafeRawPointer
        let hash: HashedID

        func visit<Value>(_ table: Table<Value>) {
            let value = entity.assumingMemoryBound(to: Value.self).move()
            guard !table.awaitsInsertions, let code = table.layerCode else { return cache.replaceTogether(value) }
            code.replace(cache, value, id.assumingMemoryBound(to: Value.ID.self).pointee, hash, table)
        }
    }

    /// Removes a stored entity, unless there is more to look at than its slot.
    ///
    /// - Parameter memory: Memory to which the entity is moved.
    /// - Returns: Whether an entity was removed.
    @usableFromInline func removePlain(
        idAt id: UnsafeRawPointer,
        _ hash: HashedID,
        in table: EntityTable,
        to memory: UnsafeMutableRawPointer
    ) -> Bool {
        guard case .none = history.snapshotOfThread, let shard = table.shardToRead(hash) else { return false }
        guard table.isPlain, !table.mayHaveMergeBases, table.removalRules.isEmpty,
            let slot = shard.pointer.pointee.index.find(id, hash, table.layout), !slot.isLayered, slot.isStored
        else {
            shard.unlock()
            return false
        }
        return shard.commit(.none, to: slot, of: table, in: self, unpinning: 0, old: memory, leavesOld: true)
    }
}

extension ShardReference {
    /// The slot of an identifier in memory, if its entity can be replaced without changing an index or looking at others.
    fileprivate func slotOfSameKeys(
        forIDAt id: UnsafeRawPointer,
        _ hash: HashedID,
        _ entity: UnsafeRawPointer,
        of table: EntityTable
    ) -> Slot? {
        guard let slot = pointer.pointee.index.find(id, hash, table.layout), !table.awaitsInsertions else { return nil }
        return table.keepsKeys(of: slot, inMemory: entity) ? slot : nil
    }
}
