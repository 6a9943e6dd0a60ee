import Foundation

extension FileStore {
    /// Numbers that tests change.
    struct Tuning {
        /// The bytes of a frame's payload, unless it has a single record that is larger.
        var payloadLimit = 64 << 10
        /// How many unused bytes start a compaction at least, or `nil` if only ``FileStore/compact()`` does.
        var compactionMinimum: Int? = 4 << 20
    }

    /// Whether a store is open, and what is in memory then.
    enum State {
        case closed
        case open(OpenState)

        var open: OpenState? {
            if case .open(let state) = self { state } else { nil }
        }
    }

    /// What an open store has in memory.
    struct OpenState {
        let access: StoreAccess
        /// The lock of the folder, if the store writes and isn't suspended.
        var folderLock: (any FolderLock)?
        var contents: StoreContents
        /// Whether nothing was read or written since opening, which has computed all checksums.
        ///
        /// The first reading of all records, which usually follows at once, doesn't compute them again.
        var isVerified = true
        var report: OpeningReport
        /// The number of the last batch that is known to be synced.
        var syncedSequence: UInt64
        /// The number of the next log that is created.
        var nextLogNumber: UInt32
        /// Whether a batch was written since the last proof that it was synced.
        var needsProof = false
        /// Whether a sync has failed since the last one that was complete.
        ///
        /// A system may take bytes for synced when their sync fails. So they are written again before the next sync.
        var needsRewriting = false
        /// Whether the manifest in the folder is or may be another one than that of the contents, after an error.
        var needsManifest = false
        /// Whether the next news is everything.
        var hasMissedNews = false
        /// Whether a sync will begin after the interval of the policy.
        var isSyncScheduled = false
        /// Memory for writing batches.
        var buffer: [UInt8] = []
        /// How many operations that exclude compaction are running.
        var compactionBlocks = 0
        var isCompactionScheduled = false
        /// The size of the logs below which no compaction starts, because one has failed.
        var compactionThreshold = 0
        var backgroundError: (any Error)?

        var isSuspended: Bool { access == .readWrite && folderLock == nil }
    }

    /// Calls a closure with the state of the open store, while the lock is held.
    func withState<Result>(_ body: (inout OpenState) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard case .open(var open) = state else { throw FileStoreError.notOpen(folder: folder.path) }
        // The state must have one owner, so that a change copies nothing.
        state = .closed
        defer { state = .open(open) }
        return try body(&open)
    }

    /// The same as ``withState(_:)`` for changes, which need a store that writes, when no batch is being written.
    func withWritableState<Result>(_ body: (inout OpenState) throws -> Result) throws -> Result {
        try turn.take(in: folder) { try withStateOfTurn(body) }
    }

    /// The same as ``withWritableState(_:)`` in the turn of the calling thread.
    func withStateOfTurn<Result>(_ body: (inout OpenState) throws -> Result) throws -> Result {
        try withState { state in
            guard state.access == .readWrite else { throw FileStoreError.readOnly(folder: folder.path) }
            guard !state.isSuspended else { throw FileStoreError.suspended(folder: folder.path) }
            return try body(&state)
        }
    }
}
