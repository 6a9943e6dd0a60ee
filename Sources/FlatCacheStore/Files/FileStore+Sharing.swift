extension FileStore {
    /// Returns what another process has written since the last call, or since the store was opened.
    ///
    /// A store that is open for writing has no news, because nobody else writes the folder.
    ///
    /// - Returns: The batches, if the store could read on where it was. ``StoreNews/everything`` after more than 8 MB,
    ///   and after ``erase()`` or ``salvage()``.
    /// - Throws: A ``FileStoreError``. The records are the same as before then.
    /// - Complexity: O(*n*) in the bytes that were written; after a compaction, in the bytes of all logs.
    public func refresh() throws -> StoreNews {
        try withState { state in
            state.access == .readOnly ? try catchUp(&state, for: .reading).news : .none
        }
    }

    /// Lets another process write, until ``resume()``.
    ///
    /// It flushes before. Records can be read meanwhile. Suspending a store that is suspended does nothing.
    ///
    /// On iOS, suspend a store in a folder that is shared with an extension before the system suspends the app. The
    /// system ends apps that are suspended while they hold a lock in a shared folder.
    ///
    /// - Throws: A ``FileStoreError``. The store still has the folder then.
    public func suspend() throws {
        if try withState({ $0.isSuspended }) { return }
        try withoutCompaction {
            try flush()
            try withWritableState { state in
                try state.writeProof()
                state.folderLock = nil
            }
        }
    }

    /// Begins to write again after ``suspend()``.
    ///
    /// - Returns: What another process has written meanwhile, as ``refresh()`` does.
    /// - Throws: A ``FileStoreError``, which is ``FileStoreError/inUse(folder:)`` at once if another store writes the
    ///   folder. The store remains suspended then.
    public func resume() throws -> StoreNews {
        try withoutCompaction {
            try withState { state in
                guard state.isSuspended else { return .none }
                let folderLock = try folder.lock()
                let (news, replay) = try catchUp(&state, for: .writing)
                // An error from here on loses the news.
                state.hasMissedNews = true
                state.report = OpeningReport()
                state.contents = try cutTail(replay, &state.report)
                state.nextLogNumber = try cleanUp(state.contents.logs)
                state.syncedSequence = state.contents.end.sequence
                state.folderLock = folderLock
                state.hasMissedNews = false
                return news
            }
        }
    }

    /// Reads what was written since the contents were read.
    private func catchUp(_ state: inout OpenState, for use: FileUse) throws -> (news: StoreNews, replay: LogReplay) {
        try state.contents.completeIndex(sealing)
        let news = NewsCollector(after: state.contents.end.sequence)
        let epoch = state.contents.epoch
        let replay = try readOn(&state.contents, for: use, news) ?? readLogs(for: use, news)
        state.contents = replay.contents
        defer { state.hasMissedNews = false }
        let isEverything = replay.contents.epoch != epoch || state.hasMissedNews
        return (isEverything ? .everything : news.news, replay)
    }

    /// Reads on after what was read before.
    ///
    /// - Returns: The replay, or `nil` if the logs must be read from their beginning.
    private func readOn(
        _ contents: inout StoreContents,
        for use: FileUse,
        _ news: NewsCollector
    ) throws -> LogReplay? {
        let manifest = try existingManifest()
        let numbers = contents.logs.map(\.file.number)
        guard manifest.epoch == contents.epoch, manifest.logs.map(\.number).starts(with: numbers) else { return nil }
        var replay = LogReplay(takingOver: &contents, in: folder, sealing: sealing)
        replay.observe = news.add
        do {
            try replay.readUndamaged(manifest, for: use)
            return replay
        } catch FileStoreError.damaged {
            // Reading everything shows whether it is damage, or logs were removed or cut meanwhile.
            return nil
        }
    }

    /// Reads the logs from their beginning.
    ///
    /// - Parameters:
    ///   - use: Whether the logs are written later.
    ///   - news: Receives the batches.
    func readLogs(for use: FileUse = .reading, _ news: NewsCollector? = nil) throws -> LogReplay {
        var attempts = 0
        while true {
            let manifest = try existingManifest()
            news?.begin()
            var replay = LogReplay(manifest, in: folder, sealing: sealing)
            if let news { replay.observe = news.add }
            do {
                try replay.readUndamaged(manifest, for: use)
                return replay
            } catch let error as FileStoreError {
                // A store that writes may remove or cut the logs between reading the manifest and them.
                attempts += 1
                guard case .damaged = error, attempts < 5 else { throw error }
            }
        }
    }

    private func existingManifest() throws -> Manifest {
        guard let manifest = try folder.manifest() else { throw FileStoreError.missing(folder: folder.path) }
        return manifest
    }
}
