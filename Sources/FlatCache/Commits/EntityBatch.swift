/// Entities of one type that are stored in one commit, hashed before any lock is taken.
@usableFromInline
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

    /// Stores the entities, while the shards are locked.
    ///
    /// - Returns: The entities that were replaced, to be released after unlocking.
    @inlinable func store(_ commit: inout Commit) -> [Value] {
        var replaced: [Value] = []
        for (value, hash) in zip(values, hashes) {
            let shard = table.shards[hash]
            if let old = shard.replace(shard.slot(for: value.id, hash), with: value, &commit) { replaced.append(old) }
        }
        return replaced
    }
}
