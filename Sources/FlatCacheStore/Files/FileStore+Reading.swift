extension FileStore {
    /// Returns the groups that have records, with the number of their records.
    ///
    /// - Complexity: O(*g*) in the number of groups.
    public func groups() throws -> [RecordGroup: Int] {
        try withState { state in
            try state.contents.completeIndex(sealing)
            return state.contents.index.counts
        }
    }

    /// Calls a closure with all records of some groups, in parts, in the order in which they were written last.
    ///
    /// The order is that of the records of a group. Parts of different groups alternate. The records are those of one
    /// moment: what is written meanwhile isn't among them.
    ///
    /// - Parameters:
    ///   - groups: The groups. Those that don't exist have no records.
    ///   - body: A closure that is called with a group and some of its records, which are slices of large arrays. It is
    ///     called
    ///     while no lock is held, and may call the store.
    /// - Throws: A ``FileStoreError``, or the error of `body`.
    /// - Complexity: O(*n*) in the records of the groups, and in the bytes of the frames in which they are.
    public func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        var reader = try withState { state in
            try state.contents.completeIndex(sealing)
            defer { state.isVerified = false }
            return RecordReader(groups, of: state.contents, sealing, areVerified: state.isVerified)
        }
        try reader.forEachPart(body)
    }

    /// Returns the records of some keys of a group, without those that don't exist.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - keys: The keys.
    /// - Returns: The records in the order of their keys.
    /// - Throws: A ``FileStoreError``.
    /// - Complexity: O(*k* log *k*) in the number of keys. Each part of a file, of about 64 kB, is read at most once.
    public func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        let (entries, files) = try withState { state in
            try state.contents.completeIndex(sealing)
            let index = state.contents.index
            return (keys.compactMap { index.entry(of: $0, in: group) }, state.contents.filesByNumber)
        }
        var payloads = PayloadSource(files, sealing)
        let inFiles = entries.indices.sorted { (left, right) in
            (entries[left].log, entries[left].frame) < (entries[right].log, entries[right].frame)
        }
        let records = try inFiles.map { (place: $0, record: try payloads.record(of: entries[$0])) }
        return records.sorted { $0.place < $1.place }.map { $0.record }
    }

    /// The number of bytes that the store uses, and of those that compaction could free.
    ///
    /// Before a compaction, the headers of batches count as unused, because compaction frees most of them.
    ///
    /// - Complexity: O(*g*) in the number of groups.
    public func size() throws -> StoreSize {
        try withState { state in
            try state.contents.completeIndex(sealing)
            return StoreSize(bytes: state.contents.size, unusedBytes: state.contents.unusedSize)
        }
    }
}
