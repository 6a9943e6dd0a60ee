internal import FlatCacheStore

extension StoreCheck {
    /// What happens when a store lets another one write.
    static let suspending = [
        StoreCheck("While a store is suspended another one writes, and resume() returns what it has written") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"), .put("b", "2"))
            for value in ["3", "4"] {
                let known = place.records
                try first.suspend()
                let second = try place.open()
                try second.expectRecords("in a store that is open beside a suspended one")
                try second.write(.posts, .put("a", value), .remove("b"), .put("c", value))
                second.close()
                try first.expectNews(first.resume(), after: known, "resume()")
                try first.write(.authors, .put("a", value))
                try first.expectRecords("after resume() and writing")
            }
            first.close()
            try place.open().expectRecords("after two stores have written in turns")
        },
        StoreCheck("A suspended store has the same records until resume()") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"), .put("b", "2"))
            try first.suspend()
            let known = place.records
            let second = try place.open()
            try second.write(.posts, .put("a", "3"), .remove("b"))
            try second.flush()
            try first.expectRecords(known, "in a suspended store")
            second.close()
            _ = try first.resume()
            try first.expectRecords("after resume()")
        },
        StoreCheck("A suspended store throws errors on changes, and changes nothing") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.suspend()
            try expectError(of: "writing to a suspended store") {
                try store.base.write(StoreBatch([StoreBatch.Part(.posts, changes: [.put("a", "2")])]))
            }
            try expectError(of: "erasing a suspended store") { try store.base.removeAll() }
            _ = try store.resume()
            try store.expectRecords("after suspend() and resume()")
        },
        StoreCheck("A store is resumed only if no other one writes") { place in
            let first = try place.open()
            try first.suspend()
            let second = try place.open()
            try second.write(.posts, .put("a", "1"))
            let known = ExpectedRecords()
            try expectError(of: "resume() while another store writes") { _ = try first.base.resume() }
            try second.write(.posts, .put("b", "2"))
            second.close()
            try first.expectNews(first.resume(), after: known, "resume() after it has thrown an error")
            try expectError(of: "opening a store beside one that was resumed") {
                try place.make().base.open(.readWrite)
            }
        },
        StoreCheck("resume() returns no news if nothing was written") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.suspend()
            try store.resume().expectNone("resume()")
            try store.write(.posts, .put("a", "2"))
            try store.suspend()
            try store.resume().expectNone("resume() after writing")
        },
        StoreCheck("Closing a suspended store leaves the place to the one that writes") { place in
            let first = try place.open()
            try first.write(.posts, .put("a", "1"))
            try first.suspend()
            let second = try place.open()
            first.close()
            try expectError(of: "opening a third store for writing") { try place.make().base.open(.readWrite) }
            try second.write(.posts, .put("b", "2"))
            try second.expectRecords("after the suspended store was closed")
        },
    ]
}
