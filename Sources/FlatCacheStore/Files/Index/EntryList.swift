/// Where the newest record of a key is.
struct RecordEntry {
    /// The offset of the frame in the log.
    var frame: Int
    /// The offset of the key in the keys of the group.
    var key: Int
    /// The number of the log.
    var log: UInt32
    /// The offset of the record in the payload of the frame.
    var offset: UInt32
    /// The number of bytes of the record, or 0 if it was replaced or removed.
    var size: UInt32

    var isLive: Bool { size != 0 }
}

/// Entries in the order in which their records were written.
///
/// It is divided into chunks. A copy shares the chunks, and a later change copies only the chunk that it is in. So
/// readers and compaction work on a copy while the store is written.
struct EntryList {
    private static let chunkShift = 12
    private static let chunkSize = 1 << chunkShift

    private var chunks: [[RecordEntry]] = []

    /// The number of entries, live or not.
    private(set) var count = 0

    subscript(place: Int) -> RecordEntry {
        @inline(__always) get { chunks[place >> Self.chunkShift][place & (Self.chunkSize - 1)] }
    }

    mutating func append(_ entry: RecordEntry) {
        if count & (Self.chunkSize - 1) == 0 {
            chunks.append([])
            // The first chunk grows, because many groups have few records.
            if count > 0 { chunks[chunks.count - 1].reserveCapacity(Self.chunkSize) }
        }
        chunks[chunks.count - 1].append(entry)
        count += 1
    }

    /// Marks an entry as replaced or removed.
    mutating func endLife(of place: Int) {
        chunks[place >> Self.chunkShift][place & (Self.chunkSize - 1)].size = 0
    }

    /// Changes the place of a record.
    mutating func move(_ place: Int, to log: UInt32, frame: Int, offset: UInt32) {
        let (chunk, index) = (place >> Self.chunkShift, place & (Self.chunkSize - 1))
        chunks[chunk][index].log = log
        chunks[chunk][index].frame = frame
        chunks[chunk][index].offset = offset
    }
}
