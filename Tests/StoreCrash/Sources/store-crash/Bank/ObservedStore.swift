import FlatCacheStore

/// What a process does with its store.
enum Operation: String, CaseIterable {
    case open, write, flush, compact
}

/// A store that reports when it begins and ends to write and to flush.
final class ObservedStore: EntityStore {
    /// What is reported.
    enum Moment {
        case begin, end, failure
    }

    let store: FileStore
    private let observe: @Sendable (Operation, Moment) -> Void

    init(_ store: FileStore, _ observe: @escaping @Sendable (Operation, Moment) -> Void) {
        self.store = store
        self.observe = observe
    }

    /// Runs an operation and reports its begin and end.
    func perform<Result>(_ operation: Operation, _ body: () throws -> Result) rethrows -> Result {
        observe(operation, .begin)
        do {
            let result = try body()
            observe(operation, .end)
            return result
        } catch {
            observe(operation, .failure)
            throw error
        }
    }

    func write(_ batch: StoreBatch) throws { try perform(.write) { try store.write(batch) } }
    func flush() throws { try perform(.flush) { try store.flush() } }

    func open(_ access: StoreAccess) throws { try store.open(access) }
    func close() { store.close() }
    func groups() throws -> [RecordGroup: Int] { try store.groups() }
    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        try store.read(groups, body)
    }
    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        try store.read(group, keys: keys)
    }
    func refresh() throws -> StoreNews { try store.refresh() }
    func suspend() throws { try store.suspend() }
    func resume() throws -> StoreNews { try store.resume() }
    func removeAll() throws { try store.removeAll() }
    func size() throws -> StoreSize { try store.size() }
}
