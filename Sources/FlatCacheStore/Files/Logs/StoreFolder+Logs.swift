extension StoreFolder {
    /// Creates the first log of a store without records, which survives a crash when this returns.
    ///
    /// It begins with a copy of no records, as after a compaction. So ``FileStore/salvage()`` knows that it continues no other log.
    ///
    /// - Parameters:
    ///   - number: The number of the log.
    ///   - sequence: The sequence number of the last batch before.
    func createFirstLog(_ number: UInt32, after sequence: UInt64) throws -> (log: LogFile, end: LogPosition) {
        let log = try LogFile.create(number, in: self)
        var writer = BatchWriter(
            at: LogPosition(startOf: log, after: sequence),
            of: log,
            sequence: sequence,
            syncedSequence: sequence,
            flags: .isCopy,
            sealing: nil,
            payloadLimit: 0
        )
        try writer.finish(isNeverEmpty: true)
        try log.file.sync()
        return (log, writer.position)
    }

    /// Returns the numbers of the logs of a folder without a manifest, and throws an error if they have batches.
    ///
    /// Logs without batches are of a store whose creation was interrupted.
    func logsWithoutBatches() throws -> [UInt32] {
        let numbers = try names().compactMap(FileFormat.logNumber)
        for number in numbers {
            let size = try open(FileFormat.logName(number), for: .reading).size()
            guard size <= LogHeader.size else {
                throw FileStoreError.damaged(file: path(FileFormat.manifestName), offset: 0, .missingManifest)
            }
        }
        return numbers
    }

    /// Returns a manifest with the logs, from the first one on, that are there with valid headers.
    ///
    /// - Parameter manifest: The manifest of the store.
    /// - Returns: The manifest, and the damage of the first log that it has no more, or `nil` if it has all.
    func openablePart(of manifest: Manifest) throws -> (manifest: Manifest, damage: FileStoreError?) {
        var part = manifest
        for (place, log) in manifest.logs.enumerated() {
            part.logs = Array(manifest.logs[..<place])
            do {
                _ = try LogFile.open(log.number, in: self, for: .reading)
            } catch let error as FileStoreError {
                if case .damaged = error { return (part, error) }
                guard error.isMissingFile else { throw error }
                return (part, .damaged(file: path(FileFormat.logName(log.number)), offset: 0, .missingLog))
            }
        }
        return (manifest, nil)
    }
}
