internal import FlatCacheStore

extension StoreCheck {
    /// What a store does that is open for reading.
    static let access = [
        StoreCheck("A store that doesn't exist can't be opened for reading, and isn't created by it") { place in
            for _ in 1...2 {
                try expectError(of: "opening a store for reading that doesn't exist") {
                    try place.make().base.open(.readOnly)
                }
            }
            try place.open().expectRecords("in a new store")
        },
        StoreCheck("A store that is open for reading gives all records") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"), .put("b", "2"))
            try writer.write(.authors, .put("a", "3"))
            try writer.flush()
            writer.close()
            let reader = try place.open(.readOnly)
            try reader.expectRecords("in a store that is open for reading")
            _ = try reader.size()
        },
        StoreCheck("A store that is open for reading throws errors on changes, and changes nothing") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"))
            writer.close()
            let reader = try place.open(.readOnly)
            try expectError(of: "writing to a store that is open for reading") {
                try reader.base.write(StoreBatch([StoreBatch.Part(.posts, changes: [.put("a", "2")])]))
            }
            try expectError(of: "erasing a store that is open for reading") { try reader.base.removeAll() }
            try reader.expectRecords("in a store that is open for reading")
            reader.close()
            try place.open().expectRecords("after changes by a store that is open for reading")
        },
        StoreCheck("Stores open for reading beside one that writes") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"))
            try writer.flush()
            let readers = [try place.open(.readOnly), try place.open(.readOnly)]
            for reader in readers { try reader.expectRecords("in a store that is open for reading beside another") }
            try writer.write(.posts, .put("a", "2"), .put("b", "3"))
            try writer.flush()
            try writer.expectRecords("beside stores that are open for reading")
            try place.open(.readOnly).expectRecords("in a store that was opened for reading last")
        },
        StoreCheck("A store opens for writing beside one that reads") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"))
            first.close()
            let reader = try place.open(.readOnly)
            let writer = try place.open()
            try reader.expectRecords("in a store that was opened for reading first")
            try writer.write(.posts, .put("b", "2"))
            try writer.flush()
            reader.close()
            try writer.expectRecords("beside a store that was open for reading")
        },
    ]
}
