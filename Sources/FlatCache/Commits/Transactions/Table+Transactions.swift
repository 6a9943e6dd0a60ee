/// A table as the calling thread sees it, in the state of a `read` or transaction.
extension Table {
    /// All entities, as the calling thread sees them.
    @inlinable var values: [Value] {
        withSnapshot { $0.values(in: self) }
    }

    /// All entities in the order of their insertion, as the calling thread sees them.
    @inlinable var orderedValues: [Value] {
        let entities = entities
        return entities.indices.sorted { entities[$0].ordinal < entities[$1].ordinal }.map { entities[$0].value }
    }

    /// All entities with their places in the order of insertion, as the calling thread sees them.
    @inlinable var entities: [StoredEntity<Value>] {
        withSnapshot { snapshot in
            var entities: [StoredEntity<Value>] = []
            snapshot.forEachPiece(in: self) { entities += $0 }
            return entities
        }
    }

    /// Runs a body with the snapshot that the calling thread reads, or with one of the current state.
    @usableFromInline func withSnapshot<Result>(_ body: (Snapshot) -> Result) -> Result {
        if let snapshot = history.snapshotOfThread { return body(snapshot) }
        let snapshot = history.object.openSnapshot()
        defer { history.object.close(snapshot) }
        return body(snapshot)
    }

    /// The number of entities, as the calling thread sees them.
    var count: Int {
        if let snapshot = history.snapshotOfThread { return snapshot.count(in: self) }
        return committedCount
    }
}

extension EntityTable {
    /// The number of entities in the committed state.
    var committedCount: Int { withAllShards { storedCount } }

    /// The number of stored entities, while all shards are locked.
    var storedCount: Int {
        // Each eviction counts, so without an array.
        var count = 0
        for number in 0..<shardCount { count += shards[number].pointer.pointee.storedCount }
        return count
    }
}

/// Counts the entities of users.
struct EntityCount: TableVisitor {
    func visit<Value>(_ table: Table<Value>) -> Int { table.isInternal ? 0 : table.count }
}
