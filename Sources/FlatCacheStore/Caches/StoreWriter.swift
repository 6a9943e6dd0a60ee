internal import Dispatch
internal import FlatCache
internal import Synchronization

/// What the queue of a store does: it restores a cache, and writes its changes.
///
/// The path of a change: A commit notes the slot (`ShardJournal`) and raises the signal of the recorder, which schedules
/// ``write()``. That takes all changes at a moment between two commits, makes records of them while the store takes the parts of
/// the batch, and notes the slots again if the store fails.
final class StoreWriter: @unchecked Sendable {  // All variables are used only on the queue.
    let store: any EntityStore
    private let access: StoreAccess
    private let queue: DispatchQueue
    private let report: @Sendable (StoreError) -> Void
    private let schedule: WriteSchedule
    let time: SystemTime
    private let recorder: ChangeRecorder
    private weak var cache: FlatCache?
    private(set) var types: [String: any StoredType] = [:]
    private let mutationTypes: MutationTypes
    /// The names of the types whose entities are loaded when they are asked for.
    private let onDemand: Set<String>
    private(set) var isOpen = false
    private let hasBegun = Atomic(false)
    /// Whether it is open, and not only for reading, for any thread.
    var isWriting: Bool { hasBegun.load(ordering: .relaxed) }
    private var isSuspended = false
    /// Whether the store isn't suspended although this is, because resuming has failed halfway.
    private var mustSuspend = false
    /// Whether everything must be read, because reading the last news has failed.
    private var hasMissedNews = false
    /// Whether the store must be emptied before the next batch, because that has failed.
    private var mustErase = false
    /// The names of the types of which the store has unreadable entities, until that is noted.
    private var unreadableTypes: Set<String> = []
    /// The texts of the keys of entities that were reported because they can't be read, by the names of their types.
    private var unreadableEntities: [String: Set<String>] = [:]

    init(
        _ store: any EntityStore,
        _ access: StoreAccess,
        _ queue: DispatchQueue,
        onDemand: [any Storable.Type],
        _ mutationTypes: MutationTypes,
        delay: Duration,
        time: SystemTime,
        onError report: @escaping @Sendable (StoreError) -> Void
    ) {
        self.store = store
        self.access = access
        self.queue = queue
        self.onDemand = Set(onDemand.map { $0.storedName })
        self.mutationTypes = mutationTypes
        self.report = report
        self.time = time
        let schedule = WriteSchedule(on: queue, delay: delay, time: time)
        self.schedule = schedule
        recorder = ChangeRecorder { schedule.changesBegin() }
    }

    // MARK: - Opening

    func open(_ types: [any Storable.Type], for cache: FlatCache) throws(StoreError) {
        // The clock of the cache has begun, too. What is written is as old as it seems, however long opening takes.
        let beginning = time.now()
        for type in [StoredMutation.self] + types {
            guard type.storedVersion >= 0, UInt32(exactly: type.storedVersion) != nil else {
                throw .invalidVersion(type)
            }
            // This is the limit of the files.
            guard type.storedName.utf8.count <= Int(UInt16.max) else { throw .nameTooLong(type) }
            let stored = type.makeStoredType()
            stored.isOnDemand = onDemand.contains(type.storedName)
            if let other = self.types.updateValue(stored, forKey: type.storedName)?.type, other != type {
                throw .duplicateName(type.storedName, first: other, second: type)
            }
        }
        try attempt(.open) { try store.open(access) }
        do throws(StoreError) {
            try attempt(.read) {
                for type in self.types.values { try type.readSchema(from: store) }
                try restore(cache, since: beginning)
            }
        } catch {
            store.close()
            throw error
        }
        isOpen = true
        self.cache = cache
        if access == .readOnly {
            for type in self.types.values { type.followLoads(in: cache) }
            noteUnreadableTypes(in: cache)
            return
        }
        hasBegun.store(true, ordering: .relaxed)
        cache.noteStoredMutations()
        for type in self.types.values { type.record(in: recorder, of: cache) }
        noteUnreadableTypes(in: cache)
        schedule.start { [weak self, weak cache] keepsCache in
            guard let cache else { return nil }
            // The cache lives until its changes are written, unless the store fails.
            if keepsCache { return { [weak self] in withExtendedLifetime(cache) { self?.writeAsScheduled() } } }
            return { [weak self] in self?.writeAsScheduled() }
        }
    }

    /// Stores everything that the store has in a new cache.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - beginning: The time at which the cache was created, in milliseconds since 1970.
    private func restore(_ cache: FlatCache, since beginning: UInt64) throws {
        let records = try StoredContents(of: types, in: store)
        let now = time.now()
        cache.beginRestoring(at: beginning, after: records.lastOrdinal)
        for error in records.restore(types, in: cache, at: now) { report(unreadable: error) }
    }

    /// Reports an entity, list or reference that can't be read.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isRepeated: Whether an entity is reported that was reported before.
    func report(unreadable error: StoreError, isRepeated: Bool = true) {
        if case .unreadable(let type, .entities, let key, _) = error {
            let isNew = unreadableEntities[type.storedName, default: []].insert(key).inserted
            if !isNew && !isRepeated { return }
            unreadableTypes.insert(type.storedName)
        }
        report(error)
    }

    /// Notes which types aren't complete because the store has entities that can't be read.
    private func noteUnreadableTypes(in cache: FlatCache) {
        for name in unreadableTypes { types[name]?.noteUnreadable(in: cache) }
        unreadableTypes = []
    }

    /// Loads entities that aren't in memory.
    func load(_ ids: any Sendable, of name: String) {
        guard isOpen, let cache, let type = types[name] else { return }
        do throws(StoreError) {
            if access == .readWrite, !mustErase { try reachOwners(in: cache) }
            // What has changed since, or isn't written yet, isn't loaded.
            let revision = cache.lastRevision
            try attempt(.read) {
                for error in try type.load(ids, from: store, to: cache, at: revision, time: time.now()) {
                    report(unreadable: error)
                }
            }
        } catch {
            report(error)
        }
    }

    // MARK: - Writing

    /// Writes all changes, if there are any.
    ///
    /// - Returns: The error of the first entity that can't be encoded, if there is one. All are reported.
    @discardableResult
    private func write() throws(StoreError) -> StoreError? {
        guard isOpen, !isSuspended, access == .readWrite, let cache else { return nil }
        let changes: RecordedChanges
        do throws(StoreError) { changes = try takeChanges(from: cache) } catch {
            schedule.noteFailure()
            schedule.changesBegin()
            throw error
        }
        let unwritable: StoreError?
        do throws(StoreError) {
            if mustErase { try eraseStore() }
            unwritable = try write(changes)
        } catch {
            // The next attempt is made after a while, because the changes are noted again.
            schedule.noteFailure()
            changes.end(isWritten: false)
            throw error
        }
        schedule.noteSuccess()
        changes.end(isWritten: true)
        for type in types.values { type.noteWritten() }
        return unwritable
    }

    /// Takes all changes, after delete rules have reached the owners that only the store has.
    ///
    /// So a batch has a removal and what follows from it, or none of them.
    private func takeChanges(from cache: FlatCache) throws(StoreError) -> RecordedChanges {
        var begin: UInt64?
        // If the app goes on to remove entities, the owners of the last ones follow with the next batch.
        var attempts = 8
        while true {
            if !mustErase { try reachOwners(in: cache) }
            begin = begin ?? schedule.takeTime()
            let changes = recorder.take(from: cache, time: begin ?? time.now())
            attempts -= 1
            if mustErase || cache.notedRemovals.isEmpty { return changes }
            if attempts == 0 {
                // The store has the removed entities for the last time.
                let removals = cache.notedRemovals
                try complete(removals)
                for removal in removals { removal.keepFound() }
                schedule.changesBegin()
                return changes
            }
            changes.end(isWritten: false)
        }
    }

    private func write(_ changes: RecordedChanges) throws(StoreError) -> StoreError? {
        var unwritable: [StoreError] = []
        // The store may hold a lock while it takes the parts.
        defer { for error in unwritable { report(error) } }
        var sources: [() -> StoreBatch.Part?] = []
        try attempt(.read) {
            sources = try types.values.map { try $0.parts(of: changes, in: store) { unwritable.append($0) } }
        }
        var place = 0
        let parts =
            {
                while place < sources.count {
                    if let part = sources[place]() { return part }
                    place += 1
                }
                changes.endReading()
                return nil
            } as () -> StoreBatch.Part?
        // A store isn't called for nothing.
        guard let first = parts() else { return unwritable.first }
        var isFirst = true
        try attempt(.write) {
            try store.write(
                StoreBatch {
                    defer { isFirst = false }
                    return isFirst ? first : parts()
                }
            )
        }
        return unwritable.first
    }

    private func writeAsScheduled() {
        do throws(StoreError) { try write() } catch { report(error) }
    }

    func flush() throws(StoreError) {
        if let unwritable = try flushWritable() { throw unwritable }
    }

    /// Writes everything, also what couldn't be encoded before, and returns the error of the first entity that can't be.
    private func flushWritable() throws(StoreError) -> StoreError? {
        try checkOpen()
        if isSuspended { throw .suspended }
        if access == .readOnly { return nil }
        recorder.noteUnwritable()
        let unwritable = try write()
        try attempt(.flush) { try store.flush() }
        return unwritable
    }

    private func checkOpen() throws(StoreError) {
        if !isOpen { throw .closed }
    }

    // MARK: - Several processes

    func suspend() throws(StoreError) {
        try checkOpen()
        if isSuspended && !mustSuspend { return }
        if !isSuspended { _ = try flushWritable() }
        try attempt(.suspend) { try store.suspend() }
        isSuspended = true
        mustSuspend = false
    }

    func resume() throws(StoreError) {
        try checkOpen()
        guard isSuspended else { return }
        var news = StoreNews.none
        try attempt(.resume) { news = try store.resume() }
        // What another process has written is erased, too.
        if !mustErase {
            do throws(StoreError) { try apply(news) } catch {
                // Another process can write until the next attempt.
                do { try store.suspend() } catch { mustSuspend = true }
                throw error
            }
        }
        isSuspended = false
        mustSuspend = false
        // The changes since the suspension.
        schedule.changesBegin()
    }

    func refresh() throws(StoreError) {
        try checkOpen()
        guard access == .readOnly else { return }
        var news = StoreNews.none
        try attempt(.refresh) { news = try store.refresh() }
        try apply(news)
    }

    private func apply(_ news: StoreNews) throws(StoreError) {
        guard let cache else { return }
        let isEverything = if case .everything = news { true } else { hasMissedNews }
        hasMissedNews = true
        try attempt(.read) {
            for type in types.values { try type.readNewSchema(from: store, in: cache) }
            if isEverything {
                apply(try StoredContents(of: types, in: store).news(types, of: cache, from: store), to: cache)
            } else if case .batches(let batches) = news {
                let parts = Array(batches.joined())
                let others = parts.filter { $0.group.kind != .replacements }
                // The entities of replaced identifiers are loaded, so the replacements are first. Those of a type are one part,
                // because an identifier can be replaced in one part and the new one in another.
                let replacements = Dictionary(grouping: parts.filter { $0.group.kind == .replacements }, by: \.group)
                let joined = replacements.values.map { StoreBatch.Part(joining: $0) }
                apply((joined + others).compactMap { types[$0.group.type]?.news(of: $0) }, to: cache)
            }
        }
        hasMissedNews = false
    }

    /// Makes changes in one commit.
    private func apply(_ news: [StoredNews], to cache: FlatCache) {
        let mutations = cache.storedMutations
        // A removal of all entities that isn't written yet would remove the news from the store.
        let revision = cache.commitFromStore(isRecorded: recorder.isClearPending) { commit in
            for news in news { news.apply(commit) }
        }
        for news in news {
            news.noteAges(cache, revision, time.now())
            for error in news.errors { report(unreadable: error) }
        }
        noteUnreadableTypes(in: cache)
        if access == .readWrite { followMutations(in: cache, since: mutations) }
    }

    /// Begins the mutations of another process, and drops those that it has ended.
    private func followMutations(in cache: FlatCache, since before: Set<String>) {
        cache.dropMutations(endedElsewhere: before.subtracting(cache.storedMutations))
        cache.noteStoredMutations()
        mutationTypes.replay(in: cache)
    }

    // MARK: - The whole store

    func erase() throws(StoreError) {
        try checkOpen()
        if access == .readOnly { throw .readOnly }
        guard let cache else { return }
        cache.removeAll()
        mustErase = true
        if isSuspended { throw .suspended }
        try write()
    }

    private func eraseStore() throws(StoreError) {
        try attempt(.erase) {
            try store.removeAll()
        }
        mustErase = false
        for type in types.values { type.useSchema(nil) }
    }

    func close() {
        recorder.stop()
        if isOpen { store.close() }
        isOpen = false
        hasBegun.store(false, ordering: .relaxed)
    }

    var otherTypes: [String: Int] {
        guard isOpen, let groups = try? store.groups() else { return [:] }
        var counts: [String: Int] = [:]
        for (group, count) in groups where group.kind == .entities && types[group.type] == nil {
            counts[group.type] = count
        }
        return counts
    }

    func size() throws(StoreError) -> StoreSize {
        try checkOpen()
        var size = StoreSize(bytes: 0, unusedBytes: 0)
        try attempt(.read) { size = try store.size() }
        return size
    }

    func attempt(_ operation: StoreError.Operation, _ body: () throws -> Void) throws(StoreError) {
        do { try body() } catch {
            throw error as? StoreError ?? .failed(operation, error)
        }
    }
}

extension Storable {
    /// The records of the type.
    static func makeStoredType() -> any StoredType { TypeRecords<Self>() }
}
