internal import FlatCacheStore

// What another store has written.

extension CheckedStore {
    /// Checks that `refresh()` returns what a closure writes.
    func expectNews(of write: (StorePlace) throws -> Void) throws {
        let known = place.records
        try write(place)
        try expectNews(refresh(), after: known, "refresh()")
    }

    /// Checks that news have the changes from the records that were known to those of the place, and that reads find these.
    func expectNews(_ news: StoreNews, after known: ExpectedRecords, _ source: String) throws {
        if let parts = news.parts {
            var records = known
            for part in parts { records.apply(part) }
            for group in records.groups.union(place.records.groups) {
                let found = Set(records.records(of: group))
                let expected = Set(place.records.records(of: group))
                try expect(
                    found == expected,
                    "\(source) to return changes after which \(text(of: group)) have \(expected.map(text).sorted())",
                    found: "changes after which they have \(found.map(text).sorted())"
                )
            }
        }
        try expectRecords("after \(source)")
    }
}

extension StoreNews {
    /// The changes, or `nil` if all records must be read.
    var parts: [StoreBatch.Part]? {
        switch self {
        case .none: []
        case .batches(let batches): Array(batches.joined())
        case .everything: nil
        }
    }

    /// Checks that nothing was written.
    func expectNone(_ source: String) throws {
        let changes = parts?.count { $0.removesAll || !$0.changes.isEmpty }
        try expect(
            changes == 0,
            "\(source) to return no news, because nothing was written",
            found: changes.map { "\($0) parts with changes" } ?? "that everything must be read again"
        )
    }
}
