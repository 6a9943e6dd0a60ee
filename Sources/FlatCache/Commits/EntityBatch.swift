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
        let ids = values.map { $0.id }
        self.ids = ids
        hashes = ids.map { HashedID($0) }
    }

    @inlinable var isEmpty: Bool { values.isEmpty }

    /// Stores the entities in a transaction, in order.
    @inlinable func store(in transaction: Transaction) {
        let merge = Value.merge
        if merge.isReplace { replace(in: transaction) } else { mergeAll(in: transaction, merge) }
    }

    /// It isn't specialized, because every type that is stored in batches would have a copy.
    @_semantics("optimize.sil.specialize.generic.never")
    @usableFromInline func replace(in transaction: Transaction) { replaceAll(in: transaction) }

    @inlinable func replaceAll(in transaction: Transaction) { store(in: transaction, merging: .replace) }

    /// It isn't specialized, because every type that is stored in batches would have a copy.
    @_semantics("optimize.sil.specialize.generic.never")
    @usableFromInline func mergeAll(in transaction: Transaction, _ merge: Merge<Value>) {
        store(in: transaction, merging: merge)
    }

    @inlinable func store(in transaction: Transaction, merging merge: Merge<Value>) {
        let transaction = transaction.table(table)
        for place in values.indices {
            transaction.receive(values[place], ids[place], hashes[place], merging: merge)
        }
    }

    /// Stores the entities in a separate commit.
    @inlinable func store(in cache: FlatCache) {
        let merge = Value.merge
        if table.awaitsInsertions { return storeTogether(in: cache) }
        guard merge.isReplace else {
            if table.mayHaveMergeBases { return storeTogether(in: cache) }
            let transaction = Transaction()
            mergeAll(in: transaction, merge)
            transaction.commit(to: cache)
            return
        }
        // Identifiers of other types are compared while no lock is held, as in transactions.
        guard table.hasBuiltInIDs else { return storeByTransaction(in: cache) }
        guard values.count <= smallCommit else {
            // This closure is specialized for the type here, and the called code isn't.
            return storeInPieces(in: cache) { batch, places, commit, replaced in
                for place in places { batch.store(place, &commit, &replaced) }
            }
        }
        let shards = shards
        var locks = LockSet()
        locks.insert(shards, of: table)
        locks.lock()
        guard !table.isAnyGated(shards), table.indexes == nil, !table.hasLayers else {
            locks.unlock()
            return storeByTransaction(in: cache)
        }
        var commit = Commit(of: cache, count: Swift.max(values.count, 1))
        let replaced = storeAll(&commit)
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
        let replaced = storeAll(&commit)
        // The result is stored last, so that it takes precedence if the batch also has the entity.
        let old = owners.shards[hash].replace(slot, with: value, &commit)
        commit.finish { locks.unlock() }
        withExtendedLifetime((replaced, old)) {}
        return true
    }

    /// The shards of the entities.
    @inlinable var shards: ShardMask {
        var shards = ShardMask()
        for hash in hashes { shards.insert(hash.shard) }
        return shards
    }

    /// Stores the entities, while their shards are locked.
    ///
    /// - Returns: The replaced entities, to be released after unlocking.
    @inlinable func storeAll(_ commit: inout Commit) -> [Value] {
        reserveSlots()
        var replaced: [Value] = []
        for place in values.indices { store(place, &commit, &replaced) }
        return replaced
    }

    @usableFromInline func storeTogether(in cache: FlatCache) {
        cache.commitTogether { if let transaction = cache.history.transactionOfThread { store(in: transaction) } }
    }

    @usableFromInline func storeByTransaction(in cache: FlatCache) {
        if let indexes = table.maintainedIndexes { indexes.code.replaceAll(self, cache) } else { replaceAll(in: cache) }
    }

    @inlinable func replaceAll(in cache: FlatCache) {
        let transaction = Transaction()
        replaceAll(in: transaction)
        transaction.commit(to: cache)
    }

    /// Reserves capacity for the slots of the entities, while the shards are locked.
    ///
    /// Growth in steps would access the slots of a large table repeatedly.
    @inlinable func reserveSlots() {
        guard values.count >= 1_000 else { return }
        var counts = [Int](repeating: 0, count: shardCount)
        for hash in hashes { counts[hash.shard] += 1 }
        for (shard, count) in counts.enumerated() { table.shards[shard].pointer.pointee.index.reserve(count) }
    }

    /// Stores one of the entities, while its shard is locked.
    @inlinable func store(_ place: Int, _ commit: inout Commit, _ replaced: inout [Value]) {
        let hash = hashes[place]
        let shard = table.shards[hash]
        if let old = shard.replace(
            shard.slot(of: Value.self, for: ids[place], hash),
            with: values[place],
            at: place,
            &commit
        ) {
            replaced.append(old)
        }
    }

    /// Stores entities at some of the places in the batch, while their shard is locked.
    @usableFromInline typealias PieceStore = (EntityBatch, ArraySlice<Int>, inout Commit, inout [Value]) -> Void

    @usableFromInline func storeInPieces(in cache: FlatCache, _ store: @escaping PieceStore) {
        if cache.commitInPieces(from: .user, { [LargeBatch(self, store)] }) == nil { storeByTransaction(in: cache) }
    }
}
