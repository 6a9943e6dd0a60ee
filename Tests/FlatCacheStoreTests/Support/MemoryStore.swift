import FlatCacheStore

/// What the stores of one place share.
final class MemoryPlace: @unchecked Sendable {  // The checks use it from one thread at a time.
    var exists = false
    var hasWriter = false
    var contents = MemoryContents()
    /// The contents at the last flush, for faults.
    var flushed = MemoryContents()
    /// All batches, for news.
    var batches: [[StoreBatch.Part]] = []
    /// The number of stores that were opened for reading, for faults.
    var readers = 0
}

/// The records of a place.
struct MemoryContents {
    private struct Entry {
        let value: ArraySlice<UInt8>
        let time: Int
    }

    private var groups: [RecordGroup: [ArraySlice<UInt8>: Entry]] = [:]
    private var time = 0

    var counts: [RecordGroup: Int] { groups.mapValues(\.count).filter { $0.value > 0 } }

    func records(of group: RecordGroup) -> [StoredRecord] {
        (groups[group] ?? [:]).sorted { $0.value.time < $1.value.time }.map { StoredRecord(key: $0, value: $1.value) }
    }

    func record(of key: ArraySlice<UInt8>, in group: RecordGroup) -> StoredRecord? {
        groups[group]?[key].map { StoredRecord(key: key, value: $0.value) }
    }

    mutating func apply(_ part: StoreBatch.Part) {
        if part.removesAll { groups[part.group] = nil }
        for change in part.changes {
            time += 1
            groups[part.group, default: [:]][change.key] = change.value.map { Entry(value: $0, time: time) }
        }
    }
}

/// A store in memory that does everything that is promised.
final class MemoryStore: EntityStore, @unchecked Sendable {  // The checks use it from one thread at a time.
    let place: MemoryPlace
    private(set) var access: StoreAccess?
    private(set) var isSuspended = false
    /// What a store has that is open for reading, or suspended.
    private var snapshot = MemoryContents()
    /// The number of batches that were seen.
    private var seen = 0

    init(in place: MemoryPlace) {
        self.place = place
    }

    func open(_ access: StoreAccess) throws {
        if self.access != nil { throw MemoryStoreError.isOpen }
        if access == .readWrite { try takePlace() } else if !place.exists { throw MemoryStoreError.isMissing }
        self.access = access
        place.exists = true
        _ = takeNews()
    }

    func close() {
        if access == .readWrite, !isSuspended { place.hasWriter = false }
        access = nil
        isSuspended = false
    }

    func groups() throws -> [RecordGroup: Int] { try contents.counts }

    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        for group in groups {
            var rest = try contents.records(of: group)[...]
            while !rest.isEmpty {
                try body(group, Array(rest.prefix(10_000)))
                rest = rest.dropFirst(10_000)
            }
        }
    }

    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        let contents = try contents
        return keys.compactMap { contents.record(of: $0, in: group) }
    }

    func write(_ batch: StoreBatch) throws {
        try checkWritable()
        apply(Array(batch))
    }

    func flush() throws {
        try checkWritable()
        place.flushed = place.contents
    }

    func refresh() throws -> StoreNews { takeNews() }

    func suspend() throws {
        try checkWritable()
        isSuspended = true
        snapshot = place.contents
        place.hasWriter = false
    }

    func resume() throws -> StoreNews {
        try takePlace()
        isSuspended = false
        return takeNews()
    }

    func removeAll() throws {
        try checkWritable()
        apply(place.contents.counts.keys.map { StoreBatch.Part($0, removesAll: true, changes: []) })
    }

    func size() throws -> StoreSize {
        let records = try contents.counts.keys.flatMap { try contents.records(of: $0) }
        return StoreSize(bytes: records.reduce(0) { $0 + $1.key.count + $1.value.count }, unusedBytes: 0)
    }
}

extension MemoryStore {
    private var contents: MemoryContents {
        get throws {
            switch access {
            case .readWrite: isSuspended ? snapshot : place.contents
            case .readOnly: snapshot
            case nil: throw MemoryStoreError.isClosed
            }
        }
    }

    private func takePlace() throws {
        if place.hasWriter { throw MemoryStoreError.isInUse }
        place.hasWriter = true
    }

    private func checkWritable() throws {
        guard let access else { throw MemoryStoreError.isClosed }
        if access == .readOnly || isSuspended { throw MemoryStoreError.isReadOnly }
    }

    private func apply(_ parts: [StoreBatch.Part]) {
        for part in parts { place.contents.apply(part) }
        place.batches.append(parts)
        seen = place.batches.count
    }

    private func takeNews() -> StoreNews {
        defer { seen = place.batches.count }
        snapshot = place.contents
        return seen == place.batches.count ? .none : .batches(Array(place.batches[seen...]))
    }
}

enum MemoryStoreError: Error {
    case isOpen, isClosed, isMissing, isInUse, isReadOnly
}
