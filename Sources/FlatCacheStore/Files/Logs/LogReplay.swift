/// Reads the logs of a store forward, and applies their whole batches to an index.
struct LogReplay {
    /// The place where the whole batches end before the logs do.
    struct Stop {
        /// The log, as an index in the manifest.
        let log: Int
        /// The first byte that is in no whole batch.
        let offset: Int
        /// The first byte that isn't in a valid frame.
        let damage: Int
        /// Whether it is proved that a batch was there.
        ///
        /// Else the bytes from `offset` on are a tail that was not synced.
        let isDamage: Bool
    }

    let folder: StoreFolder
    let sealing: FileStore.Sealing?
    /// Receives the frames of whole batches with their payloads, after they were applied.
    var observe: (Frame, LogFile, ArraySlice<UInt8>) -> Void = { _, _, _ in }
    /// Whether the records of sealed frames are left out if there is no key.
    var ignoresSealedRecords = false
    /// What the logs have, up to the last whole batch.
    private(set) var contents: StoreContents
    /// All logs of the manifest that has been read, with the sizes of their files.
    private(set) var files: [(file: LogFile, size: Int)] = []
    /// Where the whole batches end, if they do so before the logs.
    private(set) var stop: Stop?

    /// Begins at the first log of a manifest.
    init(_ manifest: Manifest, in folder: StoreFolder, sealing: FileStore.Sealing?) {
        self.folder = folder
        self.sealing = sealing
        contents = StoreContents(
            epoch: manifest.epoch,
            firstSequence: manifest.firstSequence,
            end: LogPosition(after: manifest.firstSequence),
            index: RecordIndex()
        )
    }

    /// Begins at the end of what has been read before.
    ///
    /// - Parameter contents: What has been read. Its index is taken, so that it isn't copied when it changes.
    init(takingOver contents: inout StoreContents, in folder: StoreFolder, sealing: FileStore.Sealing?) {
        self.folder = folder
        self.sealing = sealing
        self.contents = contents
        contents.index = RecordIndex()
        contents.isIndexComplete = false
    }

    /// Reads the logs of a manifest, which begin with those that have been read before.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - use: Whether the logs are written later.
    mutating func read(_ manifest: Manifest, for use: FileUse) throws {
        let known = contents.logs.map(\.file)
        files = try manifest.logs.enumerated().map { place, log in
            let file = try place < known.count ? known[place] : LogFile.open(log.number, in: folder, for: use)
            return (file, try file.file.size())
        }
        for place in max(0, known.count - 1)..<files.count {
            if place >= known.count { begin(files[place].file, manifest.logs[place].syncedBytes) }
            let damage = try readBatches(of: files[place].file, limit: files[place].size)
            contents.logs[place].size = contents.end.offset
            contents.logs[place].syncedSize = min(contents.logs[place].syncedSize, contents.end.offset)
            if damage < files[place].size || manifest.logs[place].syncedBytes > damage
                || contents.end.offset < damage
            {
                stop = try Stop(
                    log: place,
                    offset: contents.end.offset,
                    damage: damage,
                    isDamage: isDamage(at: damage, of: place, in: manifest)
                )
                return
            }
        }
    }

    /// Reads the logs of a manifest, and throws an error if they are damaged.
    mutating func readUndamaged(_ manifest: Manifest, for use: FileUse) throws {
        do {
            try read(manifest, for: use)
        } catch let error as FileStoreError {
            guard case .failed(_, let file, _) = error, error.isMissingFile else { throw error }
            throw FileStoreError.damaged(file: file, offset: 0, .missingLog)
        }
        guard let stop, stop.isDamage else { return }
        throw FileStoreError.damaged(file: files[stop.log].file.path, offset: stop.damage, .batch)
    }

    private mutating func begin(_ file: LogFile, _ syncedBytes: UInt64) {
        let syncedSize = max(LogHeader.size, Int(clamping: syncedBytes))
        contents.logs.append(StoreContents.Log(file: file, size: LogHeader.size, syncedSize: syncedSize))
        contents.end = LogPosition(startOf: file, after: contents.end.sequence)
    }

    /// Reads a log from `contents.end` on.
    ///
    /// - Returns: The offset after the last valid frame, which may be one of a batch that isn't whole.
    private mutating func readBatches(of log: LogFile, limit: Int) throws -> Int {
        var reader = try FrameReader(log, limit: limit)
        var position = contents.end
        while let frame = try reader.frame(at: position.offset), position.isFollowed(by: frame) {
            position.move(after: frame)
            if frame.header.flags.contains(.endsBatch) {
                try apply(from: contents.end.offset, through: frame, &reader)
                contents.end = position
            }
        }
        return position.offset
    }

    /// Applies the frames of a whole batch.
    ///
    /// All but the last one are read again, so that a batch can be larger than memory.
    private mutating func apply(from offset: Int, through last: Frame, _ reader: inout FrameReader) throws {
        var offset = offset
        while offset < last.offset {
            guard let frame = try reader.frame(at: offset, isVerified: true) else {
                throw FileStoreError.damaged(file: reader.log.path, offset: offset, .batch)
            }
            try apply(frame, of: reader.log)
            offset = frame.end
        }
        try apply(last, of: reader.log)
    }

    private mutating func apply(_ frame: Frame, of log: LogFile) throws {
        if frame.header.flags.contains(.isProof) { return }
        let isIgnored = ignoresSealedRecords && sealing == nil && frame.header.flags.contains(.isSealed)
        let payload = isIgnored ? [] : try frame.unsealedPayload(sealing, in: log)
        try contents.index.apply(frame, of: log, payload)
        observe(frame, log, payload)
    }

    /// Whether something proves that the batch after the last whole one was synced.
    private func isDamage(at offset: Int, of place: Int, in manifest: Manifest) throws -> Bool {
        let later = files.indices.dropFirst(place + 1)
        if manifest.logs[place].syncedBytes > contents.end.offset { return true }
        if later.contains(where: { manifest.logs[$0].syncedBytes > LogHeader.size }) { return true }
        for (place, start) in [(place, offset)] + later.map({ ($0, LogHeader.size) }) {
            var reader = try FrameReader(files[place].file, limit: files[place].size)
            if let synced = try reader.syncedSequence(after: start), synced > contents.end.sequence { return true }
        }
        return false
    }
}
