/// Reads all records of some groups, each frame once.
struct RecordReader {
    /// How many bytes of records are collected before they are passed on.
    private static let partSize = 1 << 20

    /// The records of a group that are still to be read.
    private struct Cursor {
        let group: RecordGroup
        let entries: EntryList
        var place = 0
        var records: [StoredRecord] = []

        /// The next record, or `nil` at the end.
        var entry: RecordEntry? { place < entries.count ? entries[place] : nil }

        mutating func skipEntriesWithoutRecord() {
            while place < entries.count && !entries[place].isLive { place += 1 }
        }
    }

    private var cursors: [Cursor]
    private var payloads: PayloadSource
    private var size = 0

    /// Creates a reader of the records that exist now.
    ///
    /// - Parameters:
    ///   - groups: The groups of the records.
    ///   - contents: What the store has.
    ///   - sealing: Decrypts the payloads.
    ///   - areVerified: Whether all payloads were found to be valid a moment ago.
    init(
        _ groups: some Sequence<RecordGroup>,
        of contents: StoreContents,
        _ sealing: FileStore.Sealing?,
        areVerified: Bool = false
    ) {
        cursors = groups.compactMap { group in
            contents.index[group].map { Cursor(group: group, entries: $0.entries) }
        }
        payloads = PayloadSource(contents.filesByNumber, sealing, areVerified: areVerified)
    }

    /// Calls a closure with the records, in parts.
    mutating func forEachPart(_ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        for place in cursors.indices { cursors[place].skipEntriesWithoutRecord() }
        while let next = firstEntry {
            let payload = try payloads.payload(of: next)
            for place in cursors.indices { try takeRecords(of: next, from: payload, into: place) }
            if size >= Self.partSize { try passOn(body) }
        }
        try passOn(body)
    }

    /// The first of the records to be read, in the order of the logs.
    private var firstEntry: RecordEntry? {
        var first: RecordEntry?
        for cursor in cursors {
            guard let entry = cursor.entry else { continue }
            if let found = first, (found.log, found.frame) <= (entry.log, entry.frame) { continue }
            first = entry
        }
        return first
    }

    private mutating func takeRecords(of frame: RecordEntry, from payload: ArraySlice<UInt8>, into place: Int) throws {
        while let entry = cursors[place].entry, entry.frame == frame.frame, entry.log == frame.log {
            cursors[place].records.append(try payloads.record(of: entry))
            size += Int(entry.size)
            cursors[place].place += 1
            cursors[place].skipEntriesWithoutRecord()
        }
    }

    private mutating func passOn(_ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        for place in cursors.indices where !cursors[place].records.isEmpty {
            let records = cursors[place].records
            cursors[place].records = []
            try body(cursors[place].group, records)
        }
        size = 0
    }
}
