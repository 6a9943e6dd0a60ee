import FlatCacheStore

/// A store in memory of which some methods can be replaced by faulty ones.
final class FaultyStore: EntityStore, @unchecked Sendable {  // The checks use it from one thread at a time.
    let base: MemoryStore

    var onOpen: (MemoryStore, StoreAccess) throws -> Void = { try $0.open($1) }
    var onClose: (MemoryStore) -> Void = { $0.close() }
    var onGroups: (MemoryStore) throws -> [RecordGroup: Int] = { try $0.groups() }
    var onRead: (MemoryStore, Set<RecordGroup>, (RecordGroup, [StoredRecord]) throws -> Void) throws -> Void = {
        try $0.read($1, $2)
    }
    var onReadKeys: (MemoryStore, RecordGroup, [ArraySlice<UInt8>]) throws -> [StoredRecord] = {
        try $0.read($1, keys: $2)
    }
    var onWrite: (MemoryStore, StoreBatch) throws -> Void = { try $0.write($1) }
    var onFlush: (MemoryStore) throws -> Void = { try $0.flush() }
    var onRefresh: (MemoryStore) throws -> StoreNews = { try $0.refresh() }
    var onResume: (MemoryStore) throws -> StoreNews = { try $0.resume() }
    var onErase: (MemoryStore) throws -> Void = { try $0.removeAll() }
    var onSize: (MemoryStore) throws -> StoreSize = { try $0.size() }

    init(in place: MemoryPlace, _ plant: (FaultyStore) -> Void) {
        base = MemoryStore(in: place)
        plant(self)
    }

    /// Replaces each batch by another one, before it is written.
    func changeBatches(_ change: @escaping ([StoreBatch.Part]) throws -> [StoreBatch.Part]) {
        onWrite = { store, batch in try store.write(StoreBatch(change(Array(batch)))) }
    }

    /// Replaces each change by another one, before it is written.
    func changeRecords(_ change: @escaping (RecordChange) throws -> RecordChange?) {
        changeBatches { parts in
            try parts.map {
                try StoreBatch.Part($0.group, removesAll: $0.removesAll, changes: $0.changes.compactMap(change))
            }
        }
    }

    func open(_ access: StoreAccess) throws { try onOpen(base, access) }

    func close() { onClose(base) }

    func groups() throws -> [RecordGroup: Int] { try onGroups(base) }

    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        try withoutActuallyEscaping(body) { try onRead(base, groups, $0) }
    }

    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        try onReadKeys(base, group, keys)
    }

    func write(_ batch: StoreBatch) throws { try onWrite(base, batch) }

    func flush() throws { try onFlush(base) }

    func refresh() throws -> StoreNews { try onRefresh(base) }

    func suspend() throws { try base.suspend() }

    func resume() throws -> StoreNews { try onResume(base) }

    func removeAll() throws { try onErase(base) }

    func size() throws -> StoreSize { try onSize(base) }
}
