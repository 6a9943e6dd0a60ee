internal import FlatCacheStore

/// The records that a store should have: the simplest store, in memory.
struct ExpectedRecords {
    private struct Entry {
        /// The content, or `nil` if the record was removed.
        var value: ArraySlice<UInt8>?
        /// When the record was written last.
        let time: Int
    }

    private var entries: [RecordGroup: [ArraySlice<UInt8>: Entry]] = [:]
    private var time = 0

    /// The groups that have or had records.
    var groups: Set<RecordGroup> { Set(entries.keys) }

    /// The number of records by group, without groups that have none.
    var counts: [RecordGroup: Int] {
        entries.mapValues { $0.values.count { $0.value != nil } }.filter { $0.value > 0 }
    }

    /// Returns the records of a group, in the order in which they were written last.
    func records(of group: RecordGroup) -> [StoredRecord] {
        let live = (entries[group] ?? [:]).filter { $0.value.value != nil }.sorted { $0.value.time < $1.value.time }
        return live.compactMap { key, entry in entry.value.map { StoredRecord(key: key, value: $0) } }
    }

    /// Returns the keys of the records that a group has or had.
    func keys(of group: RecordGroup) -> [ArraySlice<UInt8>] { (entries[group] ?? [:]).map(\.key) }

    /// Returns the content of a record, or `nil` if it doesn't exist.
    func value(of key: ArraySlice<UInt8>, in group: RecordGroup) -> ArraySlice<UInt8>? { entries[group]?[key]?.value }

    /// Makes the changes of a part.
    mutating func apply(_ part: StoreBatch.Part) {
        if part.removesAll { removeAll(part.group) }
        for change in part.changes {
            time += 1
            entries[part.group, default: [:]][change.key] = Entry(value: change.value, time: time)
        }
    }

    /// Removes all records, and remembers their keys.
    mutating func removeAll() {
        for group in groups { removeAll(group) }
    }

    private mutating func removeAll(_ group: RecordGroup) {
        entries[group] = entries[group]?.mapValues { Entry(value: nil, time: $0.time) }
    }
}
