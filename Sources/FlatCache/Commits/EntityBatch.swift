/// Entities of one type that are stored in one commit, hashed before any lock is taken.
@frozen @usableFromInline
struct EntityBatch<Value: Cachable> {
    @usableFromInline let values: [Value]
    @usableFromInline let ids: [Value.ID]
    @usableFromInline let hashes: [HashedID]
    @usableFromInline let table: Table<Value>

    @inlinable init(_ values: some Sequence<Value>, table: Table<Value>) {
        let values = Array(values)
        self.values = values
        self.table = table
        ids = values.map { $0.id }
        hashes = ids.withUnsafeBytes { table.layout.hashes(ofIDsIn: $0) }
    }

    /// Stores the entities in a transaction, in order.
    ///
    /// - Parameter merge: The merge with the stored entities, or `nil` if it is that of the type.
    @usableFromInline func store(in transaction: Transaction, merging merge: Merge<Value>? = nil) {
        let merge = merge ?? Value.merge
        let changes = transaction.table(table)
        for place in values.indices { changes.receive(values[place], ids[place], hashes[place], merging: merge) }
    }

    /// Stores the entities in the transaction of the calling thread, or in a separate commit.
    @usableFromInline func store(in cache: FlatCache) {
        if values.isEmpty { return }
        if let transaction = cache.history.transactionOfThread { return store(in: transaction) }
        cache.history.followClock()
        if table.awaitsInsertions { return storeTogether(in: cache) }
        guard Value.merge.isReplace else {
            return table.mayHaveMergeBases ? storeTogether(in: cache) : storeByTransaction(in: cache)
        }
        // Identifiers of other types are compared while no lock is held, as in transactions.
        guard table.hasBuiltInIDs else { return storeByTransaction(in: cache) }
        guard values.count <= smallCommit else {
            if cache.commitInPieces(from: .user, { [LargeBatch(self)] }) == nil { storeByTransaction(in: cache) }
            return
        }
        let shards = shards
        let replaced = ReleasedEntities(table.layout, capacity: values.count)
        var locks = LockSet()
        locks.insert(shards, of: table)
        locks.lock()
        guard !table.isAnyGated(shards), table.indexes == nil, !table.hasLayers else {
            locks.unlock()
            return storeByTransaction(in: cache)
        }
        var commit = Commit(of: cache, count: Swift.max(values.count, 1))
        storeAll(&commit, replaced)
        commit.finish { locks.unlock() }
        withExtendedLifetime(replaced) {}
    }

    /// Stores the entities and then the result of an update of another one, in one commit.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - value: The result of the update.
    ///   - slot: The slot of the updated entity.
    ///   - owners: The table of the slot.
    ///   - revision: The revision that the slot must still have.
    /// - Returns: Whether the commit was made. If not, a transaction must be used.
    func store<Owner: Cachable>(
        in cache: FlatCache,
        with value: Owner,
        in slot: Slot,
        of owners: Table<Owner>,
        at revision: UInt64
    ) -> Bool {
        guard Value.merge.isReplace, table.hasBuiltInIDs, values.count <= smallCommit else { return false }
        var shards = shards
        let hash = HashedID(slot)
        let replaced = ReleasedEntities(table.layout, capacity: values.count)
        var locks = LockSet()
        if ObjectIdentifier(table) == ObjectIdentifier(owners) {
            shards.insert(hash.shard)
        } else {
            var owner = ShardMask()
            owner.insert(hash.shard)
            locks.insert(owner, of: owners)
        }
        locks.insert(shards, of: table)
        locks.lock()
        guard slot.revision == revision, !slot.isLayered, owners.indexes == nil, table.indexes == nil,
            !owners.shards[hash].isGated, !table.isAnyGated(shards), !table.hasLayers
        else {
            locks.unlock()
            return false
        }
        var commit = Commit(of: cache, count: Swift.max(values.count, 1))
        storeAll(&commit, replaced)
        // The result is stored last, so that it takes precedence if the batch also has the entity.
        let old = owners.shards[hash].replace(slot, with: value, &commit)
        commit.finish { locks.unlock() }
        withExtendedLifetime((replaced, old)) {}
        return true
    }

    /// The shards of the entities.
    private var shards: ShardMask {
        var shards = ShardMask()
        for hash in hashes { shards.insert(hash.shard) }
        return shards
    }

    private func storeTogether(in cache: FlatCache) {
        cache.commitTogether { if let transaction = cache.history.transactionOfThread { store(in: transaction) } }
    }

    private func storeByTransaction(in cache: FlatCache) {
        let transaction = Transaction()
        store(in: transaction)
        transaction.commit(to: cache)
    }

    /// Reserves capacity for the slots of the entities, while the shards are locked.
    ///
    /// Growth in steps would access the slots of a large table repeatedly.
    private func reserveSlots() {
        guard values.count >= 1_000 else { return }
        var counts = [Int](repeating: 0, count: shardCount)
        for hash in hashes { counts[hash.shard] += 1 }
        for (shard, count) in counts.enumerated() { table.shards[shard].pointer.pointee.index.reserve(count) }
    }

    /// Stores the entities at some of the places in the batch, while their shards are locked.
    func store(_ places: ArraySlice<Int>, _ commit: inout Commit, _ replaced: ReleasedEntities) {
        withMemory { entities, ids in
            for place in places { store(place, entities, ids, &commit, replaced) }
        }
    }

    /// Stores the entities, while their shards are locked.
    func storeAll(_ commit: inout Commit, _ replaced: ReleasedEntities) {
        reserveSlots()
        withMemory { entities, ids in
            for place in hashes.indices { store(place, entities, ids, &commit, replaced) }
        }
    }

    private func store(
        _ place: Int,
        _ entities: UnsafeRawPointer,
        _ ids: UnsafeRawPointer,
        _ commit: inout Commit,
        _ replaced: ReleasedEntities
    ) {
        let layout = table.layout
        let shard = table.shards[hashes[place]]
        let slot = shard.slot(forIDAt: ids + place * layout.idStride, hashes[place], layout)
        let new = EntitySource.copy(of: entities + place * layout.entityStride)
        shard.replace(slot, with: new, at: place, &commit, replaced)
    }

    /// The slot of the entity at a place in the batch, or `nil` if it has none, while its shard is locked.
    func slot(at place: Int, _ ids: UnsafeRawPointer, in shard: ShardReference) -> Slot? {
        shard.pointer.pointee.index.find(ids + place * table.layout.idStride, hashes[place], table.layout)
    }

    /// Calls a closure with the memory of the entities and that of their identifiers, unless the batch is empty.
    @discardableResult
    func withMemory<Result>(_ body: (_ entities: UnsafeRawPointer, _ ids: UnsafeRawPointer) -> Result) -> Result? {
        values.withUnsafeBufferPointer { values in
            ids.withUnsafeBufferPointer { ids in
                guard let values = values.baseAddress, let ids = ids.baseAddress else { return nil }
                return body(UnsafeRawPointer(values), UnsafeRawPointer(ids))
            }
        }
    }
}
