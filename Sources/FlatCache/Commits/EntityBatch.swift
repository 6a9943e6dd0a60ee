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
        let ids = values.map(\.id)
        self.ids = ids
        hashes = ids.map { HashedID($0) }
    }

    @inlinable var isEmpty: Bool { values.isEmpty }

    /// Stores the entities in a transaction.
    @usableFromInline func store(in draft: Draft) {
        let draft = draft.table(table)
        for place in values.indices { draft.write(values[place], ids[place], hashes[place]) }
    }

    /// Stores the entities in a commit of their own.
    @inlinable func store(in cache: FlatCache) {
        // Identifiers of other types are compared while no lock is held, as in transactions.
        guard table.hasBuiltInIDs else { return storeByTransaction(in: cache) }
        guard values.count <= smallCommit else { return storeInPieces(in: cache) }
        var shards = ShardMask()
        for hash in hashes { shards.insert(hash.shard) }
        var locks = LockSet()
        locks.insert(shards, of: table)
        locks.lock()
        guard !table.isAnyGated(shards) else {
            locks.unlock()
            return storeByTransaction(in: cache)
        }
        reserveSlots()
        var commit = Commit(of: cache)
        var replaced: [Value] = []
        for place in values.indices { store(place, &commit, &replaced) }
        commit.finish { locks.unlock() }
        withExtendedLifetime(replaced) {}
    }

    @usableFromInline func storeByTransaction(in cache: FlatCache) {
        let draft = Draft()
        store(in: draft)
        draft.commit(to: cache)
    }

    /// Makes room for as many slots as the entities have identifiers, while the shards are locked.
    ///
    /// Growing step by step would touch the slots of a large table again and again.
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
        if let old = shard.replace(shard.slot(for: ids[place], hash), with: values[place], &commit) {
            replaced.append(old)
        }
    }

    @usableFromInline func storeInPieces(in cache: FlatCache) {
        _ = cache.commitInPieces { [LargeBatch(self)] }
    }
}
