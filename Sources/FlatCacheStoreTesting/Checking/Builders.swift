internal import FlatCacheStore

// The groups and records of checks.

extension RecordGroup {
    static let posts = RecordGroup(.entities, of: "Post")
    static let authors = RecordGroup(.entities, of: "Author")
}

extension RecordChange {
    /// Adds or replaces a record.
    static func put(_ key: String, _ value: String) -> RecordChange { RecordChange(key: key.bytes, value: value.bytes) }

    /// Removes a record.
    static func remove(_ key: String) -> RecordChange { RecordChange(key: key.bytes, value: nil) }

    /// Adds or replaces a record whose key is a number of 8 bytes.
    static func put(number: Int, _ value: ArraySlice<UInt8>) -> RecordChange {
        RecordChange(key: number.bytes, value: value)
    }
}

extension String {
    var bytes: ArraySlice<UInt8> { Array(utf8)[...] }
}

extension Int {
    /// The 8 bytes of the number, the most significant first.
    var bytes: ArraySlice<UInt8> { withUnsafeBytes(of: bigEndian) { Array($0)[...] } }
}
