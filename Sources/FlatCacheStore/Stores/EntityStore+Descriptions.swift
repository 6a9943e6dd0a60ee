internal import FlatCache

extension StoredRecord: CustomStringConvertible, CustomReflectable {
    /// A line with the sizes: `StoredRecord: key of 3 bytes, value of 120 bytes`.
    public var description: String { Summary.line("StoredRecord", nil, Summary.record(key, value)) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RecordChange: CustomStringConvertible, CustomReflectable {
    /// A line with the sizes: `RecordChange: key of 3 bytes, removed`.
    public var description: String { Summary.line("RecordChange", nil, Summary.record(key, value)) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Summary {
    fileprivate static func record(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>?) -> [String] {
        ["key of \(count(key.count, "byte"))", value.map { "value of \(count($0.count, "byte"))" } ?? "removed"]
    }
}

extension RecordGroup: CustomStringConvertible, CustomReflectable {
    /// The kind and the type: `entities of 'Post'`.
    public var description: String { "\(kind) of '\(type)'" }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoreBatch: CustomStringConvertible, CustomReflectable {
    /// The name of the type, because the parts can be read only once.
    public var description: String { "StoreBatch" }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoreBatch.Part: CustomStringConvertible, CustomReflectable {
    /// A line with the group and the number of changes: `StoreBatch.Part: entities of 'Post', 3 changes`.
    public var description: String {
        let removal = removesAll ? "removes all" : nil
        return Summary.line("StoreBatch.Part", nil, ["\(group)", removal, Summary.count(changes.count, "change")])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoreNews: CustomStringConvertible, CustomReflectable {
    /// The news in words: `none`, `everything`, or `2 batches`.
    public var description: String {
        switch self {
        case .none: "none"
        case .batches(let batches): Summary.count(batches.count, "batch", "batches")
        case .everything: "everything"
        }
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
