internal import FlatCacheStore

extension StoreCheck {
    /// What a store that is open for reading finds of what another one writes.
    static let refreshing = [
        StoreCheck("refresh() returns what was written, and reads find it") { place in
            var writer = try place.open()
            try writer.write(.posts, .put("a", "1"), .put("b", "2"))
            try writer.flush()
            let reader = try place.open(.readOnly)
            try reader.expectNews { _ in
                try writer.write(.posts, .put("b", "3"), .put("c", "4"))
                try writer.flush()
            }
            try reader.expectNews { _ in
                try writer.write(.posts, .remove("a"))
                try writer.write(.posts, removesAll: true, .put("d", "5"))
                try writer.write(RecordGroup(.lists, of: "Post"), .put("a", "6"))
                try writer.flush()
            }
            try reader.expectNews { place in
                writer.close()
                writer = try place.open()
                try writer.write(.authors, .put("a", "7"))
                try writer.flush()
            }
        },
        StoreCheck("refresh() returns no news if nothing was written") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"))
            try writer.flush()
            let reader = try place.open(.readOnly)
            try reader.refresh().expectNone("refresh() after opening")
            try writer.write(.posts, .put("a", "2"))
            try writer.flush()
            _ = try reader.refresh()
            try reader.refresh().expectNone("refresh() after refresh()")
        },
        StoreCheck("A store that is open for reading has the same records until refresh()") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"), .put("b", "2"))
            try writer.flush()
            let reader = try place.open(.readOnly)
            for value in ["3", "4"] {
                let known = place.records
                try writer.write(.posts, .put("a", value), .put(value, "5"), .remove("b"))
                try writer.flush()
                try reader.expectRecords(known, "before refresh()")
                _ = try reader.refresh()
                try reader.expectRecords("after refresh()")
            }
        },
        StoreCheck("A store that is open for reading finds a batch whole or not at all") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"))
            try writer.flush()
            let reader = try place.open(.readOnly)
            let value = [UInt8](repeating: 7, count: 200)[...]
            var parts = (0..<100).map { part in
                StoreBatch.Part(.posts, changes: (0..<100).map { .put(number: part * 100 + $0, value) })
            }
            parts.append(StoreBatch.Part(.posts, changes: [.remove("a")]))
            var taken = 0
            var errors: [any Error] = []
            try attempt("write(_:) of a large batch") {
                try writer.base.write(
                    StoreBatch {
                        defer { taken += 1 }
                        if taken.isMultiple(of: 25) {
                            do {
                                _ = try reader.refresh()
                                try reader.expectRecords("while a batch is written")
                            } catch { errors.append(error) }
                        }
                        return taken < parts.count ? parts[taken] : nil
                    }
                )
            }
            if let error = errors.first { throw error }
            for part in parts { place.records.apply(part) }
            try writer.flush()
            _ = try reader.refresh()
            try reader.expectRecords("after a batch was written")
        },
        StoreCheck("refresh() finds that all records were erased") { place in
            let writer = try place.open()
            try writer.write(.posts, .put("a", "1"))
            try writer.write(.authors, .put("a", "1"))
            try writer.flush()
            let reader = try place.open(.readOnly)
            try reader.expectNews { _ in
                try writer.removeAll()
                try writer.write(.posts, .put("b", "2"))
                try writer.flush()
            }
        },
    ]
}
