internal import FlatCacheStore

/// A store that a check uses.
///
/// Its methods describe the errors of the store, and note what is written in the records of the place.
struct CheckedStore {
    /// The store, for calls that should throw errors.
    let base: any EntityStore

    let place: StorePlace

    init(_ base: any EntityStore, in place: StorePlace) {
        self.base = base
        self.place = place
    }

    func open(_ access: StoreAccess = .readWrite) throws {
        try attempt("open(.\(access))") { try base.open(access) }
    }

    func close() { base.close() }

    /// Writes a batch.
    func write(_ parts: [StoreBatch.Part]) throws {
        try attempt("write(_:)") { try base.write(StoreBatch(parts)) }
        for part in parts { place.records.apply(part) }
    }

    /// Writes a batch that has one part.
    func write(_ group: RecordGroup, removesAll: Bool = false, _ changes: RecordChange...) throws {
        try write([StoreBatch.Part(group, removesAll: removesAll, changes: changes)])
    }

    func flush() throws {
        try attempt("flush()") { try base.flush() }
    }

    func removeAll() throws {
        try attempt("removeAll()") { try base.removeAll() }
        place.records.removeAll()
    }

    func groups() throws -> [RecordGroup: Int] {
        try attempt("groups()") { try base.groups() }
    }

    /// Returns the parts that a read gives.
    func parts(of groups: Set<RecordGroup>) throws -> [(group: RecordGroup, records: [StoredRecord])] {
        var parts: [(group: RecordGroup, records: [StoredRecord])] = []
        try attempt("read(_:_:)") {
            try base.read(groups) { group, records in parts.append((group, records)) }
        }
        return parts
    }

    func records(of group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        try attempt("read(_:keys:)") { try base.read(group, keys: keys) }
    }

    func size() throws -> StoreSize {
        try attempt("size()") { try base.size() }
    }

    func refresh() throws -> StoreNews {
        try attempt("refresh()") { try base.refresh() }
    }

    func suspend() throws {
        try attempt("suspend()") { try base.suspend() }
    }

    func resume() throws -> StoreNews {
        try attempt("resume()") { try base.resume() }
    }
}

// MARK: - The records

extension CheckedStore {
    /// Checks that all reads find the records that were written to the place.
    ///
    /// - Parameter moment: When it is checked, as the end of a sentence.
    func expectRecords(_ moment: String) throws { try expectRecords(place.records, moment) }

    /// Checks that all reads find some records, and no others.
    ///
    /// - Parameters:
    ///   - expected: The records.
    ///   - moment: When it is checked, as the end of a sentence.
    func expectRecords(_ expected: ExpectedRecords, _ moment: String) throws {
        let counts = try groups()
        try expect(
            counts == expected.counts,
            "groups() to return \(text(of: expected.counts)) \(moment)",
            found: text(of: counts)
        )
        let read = try Dictionary(grouping: parts(of: expected.groups), by: \.group)
        for group in expected.groups.union(read.keys) {
            let records = Array((read[group] ?? []).map(\.records).joined())
            try expectEqual(records, expected.records(of: group), "read(_:_:) of \(text(of: group)) \(moment)")
            try expectValues(of: expected, in: group, moment)
        }
    }

    /// Checks that a read of keys finds the records of a group, without those that were removed.
    private func expectValues(of expected: ExpectedRecords, in group: RecordGroup, _ moment: String) throws {
        let keys = Array(expected.keys(of: group).prefix(1_000))
        let records = try records(of: group, keys: keys)
        // The order of the result isn't promised.
        let found = Dictionary(grouping: records, by: \.key).mapValues { $0.map(\.value) }
        for key in keys {
            let value = expected.value(of: key, in: group)
            try expect(
                found[key] ?? [] == (value.map { [$0] } ?? []),
                "read(_:keys:) of \(text(of: key)) in \(text(of: group)) to give \(text(of: value)) \(moment)",
                found: found[key].map { $0.map(text).joined(separator: " and ") } ?? "nothing"
            )
        }
        try expect(
            records.count == expected.count(of: keys, in: group),
            "read(_:keys:) of \(text(of: group)) to give only records of these keys \(moment)",
            found: "\(records.count) records of \(keys.count) keys"
        )
    }
}

extension ExpectedRecords {
    fileprivate func count(of keys: [ArraySlice<UInt8>], in group: RecordGroup) -> Int {
        keys.count { value(of: $0, in: group) != nil }
    }
}

/// Checks that records are the expected ones, in their order.
///
/// - Parameters:
///   - found: The records.
///   - expected: The expected ones.
///   - source: What has given the records, and when, as the beginning of a sentence.
func expectEqual(_ found: [StoredRecord], _ expected: [StoredRecord], _ source: String) throws {
    if found == expected { return }
    let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
    func record(_ place: Int, of records: [StoredRecord]) -> String {
        place < records.count ? text(of: records[place]) : "no record"
    }
    throw UnmetExpectation(
        expected: "\(source) to give \(expected.count) records, as number \(place + 1) \(record(place, of: expected))",
        found: "\(found.count) records, as number \(place + 1) \(record(place, of: found))"
    )
}
