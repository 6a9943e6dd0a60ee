/// Entities of one type that are stored in one commit, hashed before any lock is taken.
@frozen @usableFromInline
struct EntityBatch<Value: Cachable> {
    @usableFromInline let values: [Value]
    @usableFromInline let hashes: [HashedID]
    @usableFromInline let table: Table<Value>

    @inlinable init(_ values: some Sequence<Value>, table: Table<Value>) {
        let values = Array(values)
        self.values = values
        self.table = table
        hashes = values.map { HashedID($0.id) }
    }

    @inlinable var isEmpty: Bool { values.isEmpty }

    @usableFromInline func insertLocks(into locks: inout LockSet) {
        var shards = ShardMask()
        for hash in hashes { shards.insert(hash.shard) }
        locks.insert(shards, of: table)
    }

    /// Stores the entities in a transaction.
    @inlinable func store(in draft: Draft) {
        let draft = draft.table(table)
        for (value, hash) in zip(values, hashes) { draft.write(value, hash) }
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

    /// Stores the entities, while the shards are locked.
    ///
    /// - Returns: The entities that were replaced, to be released after unlocking.
    @inlinable func store(_ commit: inout Commit) -> [Value] {
        reserveSlots()
        var replaced: [Value] = []
        for (value, hash) in zip(values, hashes) {
            let shard = table.shards[hash]
            if let old = shard.replace(shard.slot(for: value.id, hash), with: value, &commit) { replaced.append(old) }
        }
        return replaced
    }
}
