import Foundation

extension FileStore {
    /// Removes everything that the store has written from a folder that isn't open, such as after signing out, or if its
    /// files are damaged, sealed with another key or of a newer format.
    ///
    /// A cache whose store is open erases it by ``CacheStore/erase()``.
    ///
    /// A crash during it never brings back some of the records: all are there, or none.
    ///
    /// It needs space for a new log, so it can fail if the disk is full.
    ///
    /// - Throws: A ``FileStoreError``: ``FileStoreError/alreadyOpen(folder:)`` if this store is open, and
    ///   ``FileStoreError/inUse(folder:)`` if another store writes the folder. After another error the records may be
    ///   removed, but not all of the files. Call it again.
    /// - Complexity: O(*f*) in the number of files.
    public func erase() throws {
        try requireClosed()
        try folder.system.createFolder(folder.path)
        let folderLock = try folder.lock()
        try withExtendedLifetime(folderLock) {
            // Its first batch is that of a new store, so it continues no other log.
            let log = try LogFile.create(nextLogNumber(), in: folder)
            try folder.write(Manifest(ofEmptyLog: log.number, after: 0))
            try removeOtherFiles()
        }
    }

    /// Removes all records, and everything else that the store has written, such as the files of ``salvage()``.
    ///
    /// A crash during it never brings back some of the records: all are there, or none.
    ///
    /// - Throws: A ``FileStoreError``. It may be that the records are removed then, but not all of the files. Call it
    ///   again.
    /// - Complexity: O(*f*) in the number of files.
    public func removeAll() throws {
        try withoutCompaction {
            try checkLock()
            try withWritableState { state in
                try replaceLogs(&state)
                try removeOtherFiles()
            }
        }
    }

    private func nextLogNumber() throws -> UInt32 {
        (try folder.names().compactMap(FileFormat.logNumber).max() ?? 0) + 1
    }

    /// Lets an open store begin again with an empty log.
    private func replaceLogs(_ state: inout OpenState) throws {
        // Batches are numbered with a gap, so that logs from before never continue in the new one.
        let (log, end) = try folder.createFirstLog(nextLogNumber(), after: state.contents.end.sequence + 1)
        let manifest = Manifest(ofEmptyLog: log.number, after: end.sequence, size: end.offset)
        state.contents = StoreContents(log, end, epoch: manifest.epoch)
        state.nextLogNumber = log.number + 1
        state.syncedSequence = manifest.firstSequence
        state.needsProof = false
        // If writing the manifest fails, either one may be there after a crash. Then the next flush writes it again.
        state.needsManifest = true
        try folder.write(manifest)
        state.needsManifest = false
    }

    /// Removes the files that the manifest doesn't name.
    private func removeOtherFiles() throws {
        let used = Set(try folder.manifest()?.logs.map { FileFormat.logName($0.number) } ?? [])
        for name in try folder.names() where !used.contains(name) {
            guard FileFormat.isRemovedIfUnnamed(name) || name.hasPrefix(FileFormat.damagedPrefix) else { continue }
            try folder.system.remove(folder.path(name))
        }
        try folder.sync()
    }
}

extension StoreContents {
    /// Creates the contents of a store without batches.
    fileprivate init(_ log: LogFile, _ end: LogPosition, epoch: UInt64) {
        self.init(
            epoch: epoch,
            firstSequence: end.sequence,
            logs: [Log(file: log, size: end.offset, syncedSize: end.offset)],
            end: end,
            index: RecordIndex()
        )
    }
}
