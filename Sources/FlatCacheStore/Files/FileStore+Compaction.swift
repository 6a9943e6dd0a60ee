import Dispatch

extension FileStore {
    /// Copies all records to a new log and removes the others.
    ///
    /// A store does this by itself in the background when more than half of its bytes are unused, so apps rarely need
    /// it. Writes go on meanwhile. They wait for a short time at the beginning and while the places of copied records
    /// are noted.
    ///
    /// - Throws: A ``FileStoreError``, or `CancellationError` if the store is closed, suspended or erased meanwhile.
    ///   The store has the same records then.
    /// - Complexity: O(*n*) in the bytes of all records.
    public func compact() throws {
        try requireNoClosure()
        try compactionQueue.sync { try runCompaction() }
    }

    /// Throws an error in a closure that a write or a compaction calls, which would wait for itself.
    private func requireNoClosure() throws {
        try turn.requireNone(in: folder)
        try compactionTurn.requireNone(in: folder)
    }

    /// Runs a closure while no compaction runs.
    ///
    /// One that is running is cancelled.
    func withoutCompaction<Result>(_ body: () throws -> Result) throws -> Result {
        try requireNoClosure()
        try withState { $0.compactionBlocks += 1 }
        defer { try? withState { $0.compactionBlocks -= 1 } }
        // Waits for the end of what is running.
        compactionQueue.sync {}
        return try body()
    }

    /// Starts a compaction in the background if more than half of the bytes are unused.
    func scheduleCompaction(_ state: inout OpenState) {
        guard let minimum = tuning.compactionMinimum, !state.isCompactionScheduled else { return }
        let (size, unused) = (state.contents.size, state.contents.unusedSize)
        guard unused >= minimum, unused > size / 2, size >= state.compactionThreshold else { return }
        state.isCompactionScheduled = true
        compactionQueue.async { [weak self] in self?.compactInBackground() }
    }

    private func compactInBackground() {
        do {
            try runCompaction()
            try? withState { $0.compactionThreshold = 0 }
        } catch is CancellationError {
        } catch FileStoreError.suspended {
            // The next write schedules another one.
        } catch {
            try? withState { state in
                state.backgroundError = error
                // Not again for each batch, for example while the disk is full.
                state.compactionThreshold = state.contents.size / 2 * 3
            }
        }
        try? withState { $0.isCompactionScheduled = false }
    }
}

// MARK: - Steps

extension FileStore {
    /// What a compaction copies.
    private struct Source {
        /// The number of the new log.
        let number: UInt32
        /// The number of the last batch that is copied.
        let sequence: UInt64
        var records: RecordReader
    }

    /// Compacts all logs, on the queue for compactions.
    ///
    /// An error at any step leaves logs of which the manifest names those that are valid. Files that it doesn't name
    /// are removed by the next compaction or opening. If the manifest could not be written, either version of it is
    /// valid.
    private func runCompaction() throws {
        try compactionTurn.take(in: folder) {
            let source = try beginNewLog()
            let (log, size) = try copy(source)
            try install(log, size, source.sequence)
            try moveEntries(to: log, size)
            _ = try cleanUp(withWritableState { $0.contents.logs })
        }
    }

    /// Lets writes go on in a new log, so that the logs before don't change any more.
    private func beginNewLog() throws -> Source {
        try checkLock()
        let (number, manifest) = try withCompactionState { state in
            try state.contents.completeIndex(sealing)
            state.nextLogNumber += 2
            return (state.nextLogNumber - 2, state.contents.manifest)
        }
        // The copy gets the number before, because logs are numbered in their order.
        let log = try LogFile.create(number + 1, in: folder)
        try folder.write(manifest.adding(log.number))
        return try withCompactionState { state in
            let source = Source(
                number: number,
                sequence: state.contents.end.sequence,
                records: RecordReader(state.contents.index.groups, of: state.contents, sealing)
            )
            state.contents.append(log)
            return source
        }
    }

    /// Copies the records to a new log, which is synced but not in the manifest yet.
    private func copy(_ source: Source) throws -> (log: LogFile, size: Int) {
        var source = source
        let name = FileFormat.logName(source.number)
        return try folder.replace(name) { file in
            let log = try LogFile(writing: source.number, to: file, path: folder.path(name))
            var writer = BatchWriter(
                at: LogPosition(startOf: log, after: source.sequence),
                of: log,
                sequence: source.sequence,
                syncedSequence: source.sequence,
                flags: [.isCopy, .endsBatch],
                sealing: sealing,
                payloadLimit: tuning.payloadLimit
            )
            try source.records.forEachPart { group, records in
                try withCompactionState { _ in }
                let changes = records.map { RecordChange(key: $0.key, value: $0.value) }
                try writer.append(StoreBatch.Part(group, changes: changes))
            }
            try writer.finish(isNeverEmpty: true)
            // Another process can have a log of this name then, which must not be replaced.
            try checkLock()
            return (log, writer.position.offset)
        }
    }

    /// Replaces the logs that were copied by the copy.
    private func install(_ log: LogFile, _ size: Int, _ sequence: UInt64) throws {
        try checkLock()
        let copy = StoreContents.Log(file: log, size: size, syncedSize: size)
        let manifest = try withCompactionState { $0.contents.replacingCopiedLogs(by: copy, sequence).manifest }
        try folder.write(manifest)
        try withState { state in
            state.contents = state.contents.replacingCopiedLogs(by: copy, sequence)
            state.syncedSequence = max(state.syncedSequence, sequence)
        }
    }

    /// Lets the index refer to the copies, some at a time, so that writes don't wait long.
    private func moveEntries(to log: LogFile, _ size: Int) throws {
        try log.forEachFrame(from: LogHeader.size, to: size) { frame in
            let payload = try frame.unsealedPayload(sealing, in: log)
            try payload.withUnsafeBytes { bytes in
                var copied = CopiedRecords(bytes)
                var remain = true
                while remain {
                    // In a turn, because a thread that writes would not get the lock before the end otherwise.
                    try turn.take(in: folder) {
                        try withState { state in
                            remain = try state.contents.index.move(&copied, to: log.number, frame: frame.offset)
                        }
                    }
                }
            }
        }
        try withState { $0.contents.copiedLogs = [] }
    }

    /// The same as ``withWritableState(_:)``, unless the compaction is cancelled.
    private func withCompactionState<Result>(_ body: (inout OpenState) throws -> Result) throws -> Result {
        try withWritableState { state in
            if state.compactionBlocks > 0 { throw CancellationError() }
            return try body(&state)
        }
    }
}

extension Manifest {
    /// Returns the manifest with another log, which has no frames.
    fileprivate func adding(_ number: UInt32) -> Manifest {
        Manifest(
            epoch: epoch,
            firstSequence: firstSequence,
            logs: logs + [Log(number: number, syncedBytes: UInt64(LogHeader.size))]
        )
    }
}

extension StoreContents {
    /// Appends a log without frames.
    fileprivate mutating func append(_ log: LogFile) {
        logs.append(Log(file: log, size: LogHeader.size, syncedSize: LogHeader.size))
        end = LogPosition(startOf: log, after: end.sequence)
    }

    /// Returns the contents with a copy instead of the logs before it.
    fileprivate func replacingCopiedLogs(by copy: Log, _ sequence: UInt64) -> StoreContents {
        var contents = self
        let copied = logs.filter { $0.file.number < copy.file.number }
        contents.logs = [copy] + logs.dropFirst(copied.count)
        contents.copiedLogs += copied.map(\.file)
        contents.firstSequence = sequence
        return contents
    }
}
