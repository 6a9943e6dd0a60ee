internal import FlatCacheStore

extension StoreCheck {
    /// What batches do.
    static let writing = [
        StoreCheck("Reads find a batch as soon as it is written") { place in
            let store = try place.open()
            for value in ["1", "2", "3"] {
                try store.write(.posts, .put("a", value), .put(value, "a"))
                try store.expectRecords("after writing without a flush")
            }
        },
        StoreCheck("A batch adds, replaces and removes records") { place in
            let store = try place.open()
            try store.write(.posts, .put("kept", "1"), .put("replaced", "2"), .put("removed", "3"))
            try store.write(.posts, .put("replaced", "4"), .remove("removed"), .put("added", "5"))
            try store.expectRecords("after a second batch")
            try store.write(.posts, .put("removed", "6"))
            try store.expectRecords("after a removed record was added again")
        },
        StoreCheck("Removing a record that doesn't exist does nothing") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.write(.posts, .remove("b"))
            try store.write(.authors, .remove("a"))
            try store.expectRecords("after removing records that don't exist")
        },
        StoreCheck("All records of a group are removed before the changes of the same part") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"), .put("b", "2"))
            try store.write(.authors, .put("a", "3"))
            try store.write(.posts, removesAll: true, .put("b", "4"), .put("c", "5"), .remove("d"))
            try store.expectRecords("after a part that removes all records")
        },
        StoreCheck("Several parts can fill a group whose records are removed") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.write([
                StoreBatch.Part(.posts, removesAll: true, changes: [.put("b", "2")]),
                StoreBatch.Part(.authors, changes: [.put("a", "3")]),
                StoreBatch.Part(.posts, changes: [.put("c", "4")]),
            ])
            try store.expectRecords("after a batch that removes all records in its first part")
        },
        StoreCheck("Removing all records of a group removes those of earlier parts of the batch") { place in
            let store = try place.open()
            try store.write([
                StoreBatch.Part(.posts, changes: [.put("a", "1")]),
                StoreBatch.Part(.posts, removesAll: true, changes: [.put("b", "2")]),
            ])
            try store.expectRecords("after a batch that removes all records in its second part")
        },
        StoreCheck("A part without changes can remove all records of its group") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.write(.posts, removesAll: true)
            try store.expectRecords("after a part that only removes all records")
            try store.write(.authors, removesAll: true)
            try store.expectRecords("after removing all records of a group that has none")
        },
        StoreCheck("A batch without parts, or with parts without changes, changes nothing") { place in
            let store = try place.open()
            try store.write([])
            try store.write(.posts)
            try store.expectRecords("after batches without changes in a new store")
            try store.write(.posts, .put("a", "1"))
            try store.write([])
            try store.write(.posts)
            try store.flush()
            try store.expectRecords("after batches without changes")
        },
        StoreCheck("A batch of 100,000 records in 1,000 parts is written whole, and each part is taken once") { place in
            let store = try place.open()
            let value = [UInt8](repeating: 7, count: 20)[...]
            let parts = (0..<1_000).map { part in
                let changes = (0..<100).map { RecordChange.put(number: part * 100 + $0, value) }
                return StoreBatch.Part(part.isMultiple(of: 2) ? .posts : .authors, changes: changes)
            }
            var taken = 0
            try attempt("write(_:) of a large batch") {
                try store.base.write(
                    StoreBatch {
                        defer { taken += 1 }
                        return taken < parts.count ? parts[taken] : nil
                    }
                )
            }
            try expect(taken > parts.count, "all parts of a batch to be taken", found: "\(taken) of \(parts.count)")
            for part in parts { place.records.apply(part) }
            try store.expectRecords("after a large batch")
            try store.flush()
            store.close()
            try place.open().expectRecords("after opening again with a large batch")
        },
    ]
}
