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

    /// Notes that compaction has copied the records of a frame.
    ///
    /// - Parameters:
    ///   - payload: The payload of the frame.
    ///   - log: The number of the log, to which they were copied.
    ///   - frame: The offset of the frame in this log.
    mutating func move(_ payload: UnsafeRawBufferPointer, to log: UInt32, frame: Int) throws(MalformedPayload) {
        var reader = PayloadReader(payload)
        while let part = try reader.nextPart() {
            let place = try place(of: part)
            for _ in 0..<part.count {
                let change = try reader.nextChange()
                indexes[place].move(change.key, to: log, frame: frame, offset: change.offset)
            }
        }
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
