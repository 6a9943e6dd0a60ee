internal import FlatCacheStore

extension StoreCheck {
    /// What happens when stores are opened and closed.
    static let opening = [
        StoreCheck("A new store has no records") { place in
            let store = try place.open()
            try store.expectRecords("in a new store")
            let parts = try store.parts(of: [.posts])
            try expect(parts.allSatisfy(\.records.isEmpty), "a new store to have no records", found: "some")
            let records = try store.records(of: .posts, keys: ["a".bytes])
            try expect(records.isEmpty, "a new store to have no record of a key", found: "one")
        },
        StoreCheck("Records that were flushed are there after the store is opened again") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"), .put("b", "2"))
            try first.write(.posts, .put("a", "3"), .remove("b"))
            try first.flush()
            first.close()
            try place.open().expectRecords("after opening again")
        },
        StoreCheck("Records that were written are there after the store is closed without a flush") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"))
            first.close()
            try place.open().expectRecords("after opening again")
        },
        StoreCheck("A store that was closed can be opened again") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            store.close()
            try store.open()
            try store.expectRecords("after opening again")
            try store.write(.posts, .put("a", "2"))
            try store.expectRecords("after opening again and writing")
        },
        StoreCheck("A store that is open for writing can't be opened for writing again, and goes on") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"))
            try expectError(of: "opening the same store again") { try first.base.open(.readWrite) }
            let second = try place.make()
            try expectError(of: "opening another store for writing at the same place") {
                try second.base.open(.readWrite)
            }
            try first.write(.posts, .put("b", "2"))
            try first.flush()
            try first.expectRecords("after others weren't opened")
        },
        StoreCheck("A store opens for writing as soon as another one is closed") { place in
            let first = try place.open()
            let second = try place.make()
            try first.write(.posts, .put("a", "1"))
            try expectError(of: "opening a second store for writing") { try second.base.open(.readWrite) }
            first.close()
            try second.open()
            try second.write(.posts, .put("b", "2"))
            try second.expectRecords("in the second store")
        },
        StoreCheck("Closing a store that isn't open does nothing") { place in
            let first = try place.make()
            first.close()
            try first.open()
            first.close()
            let second = try place.open()
            first.close()
            try expectError(of: "opening a third store for writing") { try place.make().base.open(.readWrite) }
            try second.write(.posts, .put("a", "1"))
            try second.expectRecords("after another store was closed twice")
        },
        StoreCheck("A store that isn't open throws errors") { place in
            let store = try place.make()
            try store.expectErrorsOfEachUse("before opening")
            try store.open()
            try store.write(.posts, .put("a", "1"))
            store.close()
            try store.expectErrorsOfEachUse("after closing")
        },
    ]
}

extension CheckedStore {
    fileprivate func expectErrorsOfEachUse(_ moment: String) throws {
        let batch = StoreBatch([StoreBatch.Part(.posts, changes: [.put("a", "2")])])
        try expectError(of: "groups() \(moment)") { _ = try base.groups() }
        try expectError(of: "read(_:_:) \(moment)") { try base.read([.posts]) { _, _ in } }
        try expectError(of: "read(_:keys:) \(moment)") { _ = try base.read(.posts, keys: ["a".bytes]) }
        try expectError(of: "write(_:) \(moment)") { try base.write(batch) }
        try expectError(of: "flush() \(moment)") { try base.flush() }
        try expectError(of: "size() \(moment)") { _ = try base.size() }
    }
}
