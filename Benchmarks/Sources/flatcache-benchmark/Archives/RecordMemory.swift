import FlatCacheStore
import Synchronization

/// A store whose records are in memory, so that only their encoding and decoding takes time.
///
/// Each record is written once.
final class RecordMemory: EntityStore {
    private let records = Mutex<[RecordGroup: [[StoredRecord]]]>([:])

    func open(_ access: StoreAccess) {}

    func close() {}

    func groups() -> [RecordGroup: Int] {
        records.withLock { $0.mapValues { parts in parts.reduce(0) { $0 + $1.count } } }
    }

    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) rethrows {
        for (group, parts) in records.withLock(\.self) where groups.contains(group) {
            for part in parts { try body(group, part) }
        }
    }

    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) -> [StoredRecord] {
        records.withLock { ($0[group] ?? []).joined().filter { keys.contains($0.key) } }
    }

    func write(_ batch: StoreBatch) {
        for part in batch {
            let stored = part.changes.compactMap { change in
                change.value.map { StoredRecord(key: change.key, value: $0) }
            }
            records.withLock { $0[part.group, default: []].append(stored) }
        }
    }

    func flush() {}

    func removeAll() { records.withLock { $0 = [:] } }

    func size() -> StoreSize { StoreSize(bytes: 0, unusedBytes: 0) }
}
