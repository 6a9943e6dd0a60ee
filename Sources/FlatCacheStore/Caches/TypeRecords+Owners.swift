internal import FlatCache

extension TypeRecords {
    func complete(_ removals: any ErasedNotedRemovals, from store: any EntityStore) throws {
        guard let removals = removals as? NotedRemovals<Value>, removals.isAll else { return }
        var ids: [Value.ID] = []
        try store.read([group(.entities)]) { _, records in
            ids += records.compactMap { try? RecordKey.id(as: Value.ID.self, from: $0.key) }
        }
        removals.add(ids)
    }

    func reachOwners(
        of removals: [any ErasedNotedRemovals],
        from store: any EntityStore,
        in cache: FlatCache,
        at revision: UInt64,
        time: UInt64
    ) throws -> [StoreError] {
        guard let search = OwnerSearch<Value>(for: removals, in: cache) else { return [] }
        var found: [RestoredEntity<Value>] = []
        var errors: [StoreError] = []
        try store.read([group(.entities)]) { _, records in
            let (read, unreadable) = entities(records)
            found += read.filter { search.concerns($0.value) }
            errors += unreadable
        }
        search.apply(to: found, at: revision, time: time)
        return errors
    }
}
