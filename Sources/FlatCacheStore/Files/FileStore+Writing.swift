import Dispatch
import Foundation

extension FileStore {
    /// Writes a batch, whole or not at all.
    ///
    /// A batch with few records is one write call. A larger batch is written in pieces of 64 kB, so it may be larger
    /// than memory.
    ///
    /// - Parameter batch: The changes. Its closure may read from the store, and must not write.
    /// - Throws: A ``FileStoreError``. Nothing has changed then, and the next write uses the space of this one.
    /// - Complexity: O(*n*) in the bytes of the batch. It doesn't wait for the disk, unless the policy is
    ///   ``SyncPolicy/eachBatch``.
    public func write(_ batch: StoreBatch) throws {
        try turn.requireNone(in: folder)
        if sync == .eachBatch { syncLock.lock() }
        defer { if sync == .eachBatch { syncLock.unlock() } }
        try writeManifestIfNeeded()
        try turn.take(in: folder) { try writeInTurn(batch) }
    }

    /// Makes all batches that were written survive a crash of the process and of the system.
    ///
    /// If a sync has failed before, it writes the same bytes again, because the system may have forgotten that they are
    /// not synced.
    ///
    /// - Throws: A ``FileStoreError``. The batches are not acknowledged then, and the next flush tries again. It is
    ///   ``FileStoreError/missing(folder:)`` if the folder was removed meanwhile, and ``FileStoreError/unlocked(folder:)`` if its
    ///   lock file was.
    public func flush() throws {
        try turn.requireNone(in: folder)
        syncLock.lock()
        defer { syncLock.unlock() }
        try writeManifestIfNeeded()
        let (logs, sequence, rewrites) = try withWritableState { state in
            (state.contents.logs, state.contents.end.sequence, state.needsRewriting)
        }
        do {
            try logs.sync(rewriting: rewrites)
        } catch {
            try withState { $0.needsRewriting = true }
            throw error
        }
        try withState { $0.noteSync(of: logs, sequence) }
        try checkFolder()
    }

    /// Throws an error if the folder was removed, because removed files can be written and synced nevertheless.
    private func checkFolder() throws {
        try checkLock()
        let manifest = try folder.manifest()
        let isSame = try withState { $0.needsManifest || $0.contents.epoch == manifest?.epoch }
        if !isSame { throw FileStoreError.missing(folder: folder.path) }
    }

    /// Throws an error if the lock file was removed or replaced, because another process can write the folder then.
    ///
    /// It is called before each batch and each manifest, which would undo what the other process has written.
    func checkLock() throws {
        let (folderLock, epoch) = try withState { ($0.folderLock, $0.needsManifest ? nil : $0.contents.epoch) }
        guard let folderLock, try !folderLock.isInPlace() else { return }
        let manifest = try folder.manifest()
        if let epoch, manifest?.epoch != epoch { throw FileStoreError.missing(folder: folder.path) }
        throw FileStoreError.unlocked(folder: folder.path)
    }

    /// Writes the manifest if it isn't that of the contents.
    private func writeManifestIfNeeded() throws {
        guard try withWritableState({ $0.needsManifest }) else { return }
        try withoutCompaction {
            try checkLock()
            try withWritableState { state in
                try folder.write(state.contents.manifest)
                state.needsManifest = false
            }
        }
    }

    /// Starts a flush after the interval of the policy.
    private func scheduleSync(_ state: inout OpenState) {
        guard case .interval(let interval) = sync, !state.isSyncScheduled else { return }
        state.isSyncScheduled = true
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + interval.dispatchInterval) { [weak self] in
            self?.syncInBackground()
        }
    }

    private func syncInBackground() {
        // Before the flush, so that a batch that is written during it starts another one.
        try? withState { $0.isSyncScheduled = false }
        do {
            try flush()
        } catch FileStoreError.suspended {
            // The suspension has flushed.
        } catch {
            try? withState { $0.backgroundError = error }
        }
    }
}

extension FileStore {
    /// Writes a batch, syncs it if the policy says so, and applies it to the index.
    private func writeInTurn(_ batch: StoreBatch) throws {
        try checkLock()
        let (start, log, firstWriter) = try withStateOfTurn { state in
            try state.contents.completeIndex(sealing)
            let (start, log) = (state.contents.end, state.contents.lastLog)
            let writer = BatchWriter(
                at: start,
                of: log,
                sequence: start.sequence &+ 1,
                syncedSequence: state.syncedSequence,
                sealing: sealing,
                payloadLimit: tuning.payloadLimit,
                buffer: state.takeBuffer()
            )
            return (start, log, writer)
        }
        var writer = firstWriter
        do {
            // No lock is held, because these steps run closures of users.
            for part in batch { try writer.append(part) }
            try writer.finish()
            if !writer.isFinished { return }
            try withStateOfTurn { state in
                if sync == .eachBatch { try state.syncLogs() }
                try state.apply(writer, from: start, log, sealing)
                state.noteWrite(to: writer.position)
                if sync == .eachBatch { state.noteSync(of: state.contents.logs, writer.position.sequence) }
                scheduleSync(&state)
                scheduleCompaction(&state)
            }
        } catch {
            // If this fails, too, the bytes do no harm: the next batch overwrites them, and no frame refers to them.
            try? log.file.truncate(to: start.offset)
            // Another process may have read the batch.
            if writer.isFinished { try? withStateOfTurn { $0.beginEpoch() } }
            throw error
        }
        let buffer = writer.takeBuffer()
        try? withStateOfTurn { $0.buffer = buffer }
    }
}

extension FileStore.OpenState {
    fileprivate mutating func takeBuffer() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &buffer)
        return taken
    }

    /// Moves the end after a batch that was written.
    fileprivate mutating func noteWrite(to position: LogPosition) {
        contents.moveEnd(to: position)
        needsProof = true
        isVerified = false
    }

    /// Lets processes that read the folder read all records again.
    fileprivate mutating func beginEpoch() {
        contents.epoch = .random(in: 0...UInt64.max)
        needsManifest = true
    }

    /// Syncs the logs, also what is after the end of the last one.
    fileprivate mutating func syncLogs() throws {
        do {
            try contents.logs.sync(rewriting: needsRewriting)
            try contents.lastLog.file.sync()
        } catch {
            needsRewriting = true
            throw error
        }
    }

    fileprivate mutating func apply(
        _ writer: borrowing BatchWriter,
        from start: LogPosition,
        _ log: LogFile,
        _ sealing: FileStore.Sealing?
    ) throws {
        contents.isIndexComplete = false
        if writer.frameCount == 1 {
            try writer.withLastPayload { try contents.index.apply($0, log: log.number, frame: start.offset) }
        } else {
            // The frames are read again, because the batch can be larger than memory.
            try contents.index.apply(log, from: start.offset, to: writer.position.offset, sealing)
        }
        contents.isIndexComplete = true
    }

    /// Notes that logs were synced up to the sizes that they had.
    mutating func noteSync(of logs: [StoreContents.Log], _ sequence: UInt64) {
        for log in logs {
            guard let place = contents.logs.firstIndex(where: { $0.file === log.file }) else { continue }
            contents.logs[place].syncedSize = max(contents.logs[place].syncedSize, log.size)
        }
        syncedSequence = max(syncedSequence, sequence)
        needsRewriting = false
    }

    /// Writes a frame that proves that everything before was synced, if it was.
    ///
    /// So damage of the last batches is distinguished from a torn tail. The frame itself isn't synced.
    mutating func writeProof() throws {
        guard needsProof, syncedSequence == contents.end.sequence else { return }
        var writer = BatchWriter(
            at: contents.end,
            of: contents.lastLog,
            sequence: syncedSequence,
            syncedSequence: syncedSequence,
            flags: .isProof,
            sealing: nil,
            payloadLimit: 0
        )
        try writer.finish(isNeverEmpty: true)
        contents.moveEnd(to: writer.position)
        needsProof = false
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        // Longer than a year is never.
        let milliseconds = min(max(seconds, 0), 365 * 86_400) * 1_000 + max(attoseconds, 0) / 1_000_000_000_000_000
        return .milliseconds(Int(clamping: milliseconds))
    }
}
