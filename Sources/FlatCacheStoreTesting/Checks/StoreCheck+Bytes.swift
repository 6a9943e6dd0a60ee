internal import FlatCacheStore

extension StoreCheck {
    /// What the bytes of keys and values can be.
    static let bytes = [
        StoreCheck("Keys can be any bytes, and none") { place in
            let store = try place.open()
            let single = (UInt8.min ... .max).map { [$0] }
            let others: [[UInt8]] = [[], [0, 0], [0, 0, 0], [97, 0], [97], [0xC3], [0xFF, 0xFE, 0xFD]]
            let keys = Set(single + others + [[UInt8](repeating: 0x25, count: 10_000)])
            try store.writeAndExpect(keys.map { RecordChange(key: $0[...], value: $0.reversed()[...]) })
            try store.write(.posts, .remove(""))
            try store.expectRecords("after removing the record whose key has no bytes")
        },
        StoreCheck("Values can be any bytes, and none") { place in
            let store = try place.open()
            let all = [UInt8](UInt8.min ... .max)
            let values: [[UInt8]] = [[], [0], [0, 0], all, all.reversed(), [0xFF], "'; --".utf8.map { $0 }]
            try store.writeAndExpect(values.enumerated().map { .put(number: $0, $1[...]) })
            try store.writeAndExpect(values.reversed().enumerated().map { .put(number: $0, $1[...]) })
        },
        StoreCheck("Keys and values can have 1,000,000 bytes") { place in
            let store = try place.open()
            let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B9 >> 11) }
            try store.writeAndExpect([
                RecordChange(key: "value".bytes, value: large[...]),
                RecordChange(key: large[...], value: "key".bytes),
                // The same key except for its last byte.
                RecordChange(key: large.dropLast() + [large[999_999] &+ 1], value: large.reversed()[...]),
            ])
        },
        StoreCheck("Keys and values can be slices of larger arrays") { place in
            let store = try place.open()
            let bytes = [UInt8](0..<100)
            try store.writeAndExpect([
                RecordChange(key: bytes[10..<20], value: bytes[20..<50]),
                RecordChange(key: bytes[50..<60], value: bytes[60..<60]),
                RecordChange(key: bytes[100..<100], value: bytes[99..<100]),
            ])
            let records = try store.records(of: .posts, keys: [bytes.prefix(20).suffix(10)])
            try expect(records.count == 1, "a record under a key that is a slice", found: "\(records.count) records")
        },
    ]
}

extension CheckedStore {
    /// Writes changes and checks the records, before and after opening the store again.
    fileprivate func writeAndExpect(_ changes: [RecordChange]) throws {
        try write([StoreBatch.Part(.posts, changes: changes)])
        try expectRecords("after writing")
        try flush()
        close()
        try open()
        try expectRecords("after opening again")
    }
}
