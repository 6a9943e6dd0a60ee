/// Where all records of a store are, by group and key.
struct RecordIndex {
    private var places: [RecordGroup: Int] = [:]
    private(set) var groups: [RecordGroup] = []
    private var indexes: [GroupIndex] = []

    /// The group of the part before, because most parts have the same group.
    private var last = (kind: UInt8(0), name: [UInt8](), place: 0)

    /// The bytes of all records.
    var size: Int { indexes.reduce(0) { $0 + $1.size } }

    /// The number of records of each group that has some.
    var counts: [RecordGroup: Int] {
        places.mapValues { indexes[$0].count }.filter { $0.value > 0 }
    }

    /// Returns the index of a group, or `nil` if it has never had records.
    subscript(group: RecordGroup) -> GroupIndex? { places[group].map { indexes[$0] } }

    /// Returns the entry of a record, or `nil` if it doesn't exist.
    func entry(of key: ArraySlice<UInt8>, in group: RecordGroup) -> RecordEntry? {
        guard let place = places[group] else { return nil }
        return key.withUnsafeBytes { indexes[place].entry(of: $0) }
    }

    /// Applies the changes of a frame.
    ///
    /// - Parameters:
    ///   - payload: The payload of the frame. If it isn't valid, a part of its changes is applied.
    ///   - log: The number of the log.
    ///   - frame: The offset of the frame in the log.
    mutating func apply(_ payload: UnsafeRawBufferPointer, log: UInt32, frame: Int) throws(MalformedPayload) {
        var reader = PayloadReader(payload)
        while let part = try reader.nextPart() {
            let place = try place(of: part)
            if part.removesAll { indexes[place].removeAll() }
            for _ in 0..<part.count {
                let change = try reader.nextChange()
                if change.valueLength != nil {
                    indexes[place].set(change.key, log: log, frame: frame, offset: change.offset, size: change.size)
                } else {
                    indexes[place].remove(change.key)
                }
            }
        }
    }

    /// Notes that compaction has copied some records of a frame.
    ///
    /// - Parameters:
    ///   - copied: The records of the frame that aren't noted yet.
    ///   - log: The number of the log, to which they were copied.
    ///   - frame: The offset of the frame in this log.
    /// - Returns: Whether there are more.
    mutating func move(_ copied: inout CopiedRecords, to log: UInt32, frame: Int) throws(MalformedPayload) -> Bool {
        for _ in 0..<CopiedRecords.pieceLength {
            guard let (part, change) = try copied.next() else { return false }
            indexes[try place(of: part)].move(change.key, to: log, frame: frame, offset: change.offset)
        }
        return true
    }

    private mutating func place(of part: PayloadReader.Part) throws(MalformedPayload) -> Int {
        if part.kind == last.kind && last.name.withUnsafeBytes({ part.name.isEqual(to: $0) }) { return last.place }
        let group = try RecordGroup(kind: part.kind, name: part.name)
        let place = places[group] ?? indexes.count
        if place == indexes.count {
            places[group] = place
            groups.append(group)
            indexes.append(GroupIndex())
        }
        last = (part.kind, Array(part.name), place)
        return place
    }
}

/// The records of a frame that compaction has copied, in their order.
struct CopiedRecords {
    /// How many are noted at a time.
    static let pieceLength = 128

    private var reader: PayloadReader
    private var part: PayloadReader.Part?
    /// The number of records of the part that weren't returned yet.
    private var left = 0

    /// - Parameter payload: The payload of the frame.
    init(_ payload: UnsafeRawBufferPointer) {
        reader = PayloadReader(payload)
    }

    /// The next record and its part, or `nil` after the last one.
    mutating func next() throws(MalformedPayload) -> (PayloadReader.Part, PayloadReader.Change)? {
        while left == 0 {
            part = try reader.nextPart()
            guard let part else { return nil }
            left = part.count
        }
        guard let part else { return nil }
        left -= 1
        return (part, try reader.nextChange())
    }
}
