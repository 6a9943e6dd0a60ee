internal import FlatCacheStore

extension StoreCheck {
    /// What reads give.
    static let reading = [
        StoreCheck("A read gives each record once, in the order in which they were written last") { place in
            let store = try place.open()
            try store.write(.posts, .put("c", "1"), .put("a", "2"), .put("d", "3"), .put("b", "4"))
            try store.expectRecords("after one batch")
            // Replaced by the same content, removed and added again, replaced, and new.
            try store.write(.posts, .put("c", "1"), .remove("d"), .put("a", "5"))
            try store.write(.posts, .put("d", "3"), .put("0", "6"), .put("c", "7"))
            try store.expectRecords("after three batches")
            try store.flush()
            store.close()
            try store.open()
            try store.expectRecords("after opening again")
            try store.write(.posts, .put("b", "8"))
            try store.expectRecords("after opening again and writing")
        },
        StoreCheck("A read gives only records of the groups that it asks for") { place in
            let store = try place.open()
            let lists = RecordGroup(.lists, of: "Post")
            for group in [.posts, .authors, lists] { try store.write(group, .put("a", "1")) }
            let unknown = RecordGroup(.entities, of: "Comment")
            for groups: Set<RecordGroup> in [[], [.posts], [.posts, lists], [.authors, unknown], [unknown]] {
                let found = Set(try store.parts(of: groups).lazy.filter { !$0.records.isEmpty }.map(\.group))
                let expected = groups.intersection([.posts, .authors, lists])
                try expect(
                    found == expected,
                    "a read of \(groups.count) groups to give records of \(expected.map(text))",
                    found: "those of \(found.map(text))"
                )
            }
        },
        StoreCheck("A read gives many records in parts") { place in
            let store = try place.open()
            let value = [UInt8](repeating: 7, count: 100)[...]
            try store.write(
                (0..<100).map { part in
                    StoreBatch.Part(.posts, changes: (0..<500).map { .put(number: part * 500 + $0, value) })
                }
            )
            let largest = try store.parts(of: [.posts]).map(\.records.count).max() ?? 0
            try expect(
                (1...25_000).contains(largest),
                "50,000 records of 100 bytes to be read in parts of at most 25,000",
                found: "one of \(largest)"
            )
            try store.expectRecords("in parts")
        },
        StoreCheck("An error of the closure ends a read, and the store goes on") { place in
            struct Stop: Error {}
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.write(.authors, .put("a", "1"))
            var calls = 0
            do {
                try store.base.read([.posts, .authors]) { _, _ in
                    calls += 1
                    throw Stop()
                }
                throw UnmetExpectation(expected: "a read to throw the error of its closure", found: "no error")
            } catch is Stop {
                try expect(calls == 1, "an error of the closure to end a read", found: "\(calls) calls")
            }
            try store.write(.posts, .put("b", "2"))
            try store.expectRecords("after a read whose closure threw an error")
        },
        StoreCheck("A read of keys leaves out those that don't exist") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"), .put("b", "2"), .put("c", "3"))
            try store.write(.authors, .put("d", "4"))
            try store.write(.posts, .remove("b"))
            try store.expectKeys(["a", "b", "c", "d", ""], toGive: ["a", "c"])
            try store.expectKeys(["b", "d"], toGive: [])
            try store.expectKeys([], toGive: [])
        },
        StoreCheck("A read of keys can ask for 40,000 keys") { place in
            let store = try place.open()
            let changes = (0..<20_000).map { RecordChange.put(number: $0 * 2, $0.bytes) }
            try store.write([StoreBatch.Part(.posts, changes: changes)])
            let records = try store.records(of: .posts, keys: (0..<40_000).map(\.bytes))
            // The order of the result isn't promised.
            try expectEqual(
                records.sorted { $0.key.lexicographicallyPrecedes($1.key) },
                changes.map { StoredRecord(key: $0.key, value: $0.value ?? []) },
                "read(_:keys:) of 40,000 keys"
            )
        },
    ]
}

extension CheckedStore {
    fileprivate func expectKeys(_ keys: [String], toGive expected: [String]) throws {
        let found = try records(of: .posts, keys: keys.map(\.bytes)).map { String(decoding: $0.key, as: UTF8.self) }
        try expect(
            found.sorted() == expected.sorted(),
            "read(_:keys:) of the keys \(keys) to give the records \(expected)",
            found: "\(found)"
        )
    }
}
