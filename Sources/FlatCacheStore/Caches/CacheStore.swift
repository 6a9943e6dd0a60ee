internal import Dispatch
public import FlatCache

/// The connection of a cache to its store.
///
///     await cache.store?.suspend()
///
/// All methods can be used from any thread. They are carried out one after the other, on a thread of the store.
public final class CacheStore: CacheConnection {
    private let queue: DispatchQueue
    private let writer: StoreWriter
    private let mutationTypes: MutationTypes
    /// The types whose entities are loaded when they are asked for.
    private let onDemand: Set<ObjectIdentifier>

    /// Creates a connection that isn't open yet.
    init(
        _ store: any EntityStore,
        _ access: StoreAccess,
        onDemand: [any Storable.Type],
        delay: Duration,
        time: SystemTime,
        onError: @escaping @Sendable (StoreError) -> Void
    ) {
        queue = DispatchQueue(label: "FlatCache.store", qos: .utility)
        mutationTypes = MutationTypes(reportingOn: queue, onError)
        writer = StoreWriter(
            store,
            access,
            queue,
            onDemand: onDemand,
            mutationTypes,
            delay: delay,
            time: time,
            onError: onError
        )
        self.onDemand = Set(onDemand.map { ObjectIdentifier($0) })
    }

    func open(_ types: [any Storable.Type], for cache: FlatCache) async throws(StoreError) {
        try await perform { writer throws(StoreError) in try writer.open(types, for: cache) }
    }

    /// Whether the entities of a type are loaded when they are asked for.
    package func loadsOnDemand<Value: Cachable>(_ type: Value.Type) -> Bool {
        onDemand.contains(ObjectIdentifier(type))
    }

    /// Whether the store writes what changes.
    package var isWriting: Bool { writer.isWriting }

    /// Whether the entities of a type may be on disk.
    package func mayKeep<Value: Cachable>(_ type: Value.Type) -> Bool { type is any Storable.Type }

    /// The key of an entity, as the store keeps it, or `nil` if the identifier can't be encoded.
    package func storedKey(of key: FlatCacheKey) -> StoredKey? {
        func bytes<Value: Cachable>(_ type: Value.Type) -> [UInt8]? {
            (key.id(as: type) as? any Encodable).flatMap { try? RecordKey.bytes(of: $0) }
        }
        let name = (key.entityType as? any Storable.Type)?.storedName ?? String(reflecting: key.entityType)
        return bytes(key.entityType).map { StoredKey(type: name, id: $0) }
    }

    /// Registers types of mutations, and begins those again that an earlier process has begun.
    ///
    /// - Returns: Whether mutations of all these types are stored.
    package func register(mutations types: [any StorableMutation.Type], in cache: FlatCache) -> Bool {
        isWriting && mutationTypes.register(types, in: cache)
    }

    /// Loads entities that are on disk, unless they are in memory.
    package func loadStored<Value: Cachable>(
        _ type: Value.Type,
        ids: [Value.ID],
        endsIfCancelled: Bool,
        isolation: isolated (any Actor)?
    ) async {
        guard let name = (type as? any Storable.Type)?.storedName else { return }
        let wait = LoadWait()
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { done in
                wait.begin(done)
                queue.async { [writer] in
                    if !wait.isEnded { writer.load(ids, of: name) }
                    wait.end()
                }
            }
        } onCancel: {
            if endsIfCancelled { wait.end() }
        }
    }

    /// Closes the store when all work is done, because the cache is deallocated.
    package func closeSoon() {
        queue.async { [writer] in writer.close() }
    }

    /// Writes everything that was committed before, and returns when it survives a crash.
    ///
    /// With ``StoreAccess/readOnly`` this does nothing.
    ///
    /// - Throws: A ``StoreError`` if the store fails, is suspended or was closed. Then the changes remain in memory and are
    ///   written again later. It is ``StoreError/unwritable(_:_:key:_:)`` if an entity can't be encoded, and all else is written.
    ///   Each call tries again to encode the entity, and throws the error until the entity is stored, changed or removed.
    public func flush() async throws(StoreError) {
        try await perform { writer throws(StoreError) in try writer.flush() }
    }

    /// Writes everything that was committed before, and closes the store.
    ///
    /// The cache goes on in memory. Later changes aren't written. Closing a closed store does nothing.
    ///
    /// Without this call, the store is closed some time after the cache is deallocated, with all changes written. Its
    /// folder is in use until then, for up to `writingAfter`. A mutation whose `send` is running keeps its cache, so
    /// the folder is in use until it ends. Close the store before its folder is opened again.
    ///
    /// - Throws: A ``StoreError`` if the store fails to write, or if it is suspended. It is closed nevertheless, and what was
    ///   committed since the suspension isn't written.
    public func close() async throws(StoreError) {
        try await perform { writer throws(StoreError) in
            defer { writer.close() }
            if writer.isOpen { try writer.flush() }
        }
    }

    /// Writes everything that was committed before, and lets another process write until ``resume()``.
    ///
    /// The cache goes on in memory, and writes its later changes after ``resume()``. If the process or the cache ends
    /// before that, they are lost. ``flush()`` and ``close()`` throw meanwhile. An app whose extension writes into the
    /// same store suspends it when it goes into the background.
    ///
    /// - Throws: A ``StoreError`` if the store fails. An entity that can't be encoded is only reported to `onError`.
    public func suspend() async throws(StoreError) {
        try await perform { writer throws(StoreError) in try writer.suspend() }
    }

    /// Begins to write again after ``suspend()``, with what another process has written meanwhile.
    ///
    /// Its changes are one commit with the origin `restore`. If both have changed an entity, a list or a reference, that of the
    /// other process remains, unless it has written so much that everything is read again. It does nothing if the store isn't
    /// suspended.
    ///
    /// ## Rare cases
    ///
    /// - A ``FileStore`` reads everything again after 8 MB, a compaction or an erasure. Then it isn't known what the
    ///   other process has changed, and what this one has changed remains.
    /// - If the other process has removed all entities of a type, those that this one has changed meanwhile can remain,
    ///   because they may be new. The removal of an entity that isn't in memory can count as a change, also if there is
    ///   none on disk.
    /// - If the other process has replaced an identifier of which a change is pending here, the change is pending under
    ///   the new one, which observers of the old key observe. If this process has replaced the new one by a further
    ///   one, all is under that.
    /// - An entity in memory keeps its place in the order of insertion until the next start, if the other process has
    ///   given it another one: it has removed and stored it again, or has confirmed its insertion, which was pending
    ///   here. If this process writes the entity, the place is the one on disk, too. So two entities can have one
    ///   place, and it isn't defined which of them comes first.
    /// - A pending mutation that the other process has ended is dropped, with `MutationError.endedElsewhere`.
    ///
    /// - Throws: A ``StoreError`` if the store fails, for example because another process is still writing. Then the
    ///   store remains suspended, the cache goes on in memory, and this method can be called again.
    public func resume() async throws(StoreError) {
        try await perform { writer throws(StoreError) in try writer.resume() }
    }

    /// Reads what another process has written, in a cache with ``StoreAccess/readOnly``.
    ///
    /// The changes are one commit with the origin `restore`, which notifies observers.
    ///
    /// - Throws: A ``StoreError`` if the store fails.
    public func refresh() async throws(StoreError) {
        try await perform { writer throws(StoreError) in try writer.refresh() }
    }

    /// Removes all entities, lists and references from the cache and everything from its store, such as after signing out.
    ///
    /// Entities of types without a ``Storable`` conformance are removed from the cache, too, and types that the cache
    /// wasn't created for from the store. Fetches that are running throw `FetchError.removed`. Changes that are
    /// committed after the removal remain, and are written.
    ///
    /// - Throws: A ``StoreError``, for example if the disk is full, because a new log needs space. It is
    ///   ``StoreError/closed`` or ``StoreError/readOnly`` if nothing was changed. After any other error, also
    ///   ``StoreError/suspended``, the cache is empty, and the store is emptied later.
    public func erase() async throws(StoreError) {
        try await perform { writer throws(StoreError) in try writer.erase() }
    }

    /// The names of types that the store has entities of and the cache wasn't created for, with the numbers of entities.
    ///
    /// They remain in the store. It is empty if the store can't be read.
    public var otherTypes: [String: Int] {
        get async {
            await withCheckedContinuation { done in
                queue.async { [writer] in done.resume(returning: writer.otherTypes) }
            }
        }
    }

    /// The space that the store uses.
    ///
    /// - Throws: A ``StoreError`` if the store fails.
    public var size: StoreSize {
        get async throws(StoreError) { try await perform { writer throws(StoreError) in try writer.size() } }
    }

    /// Runs a body on the queue of the store.
    private func perform<Result: Sendable>(
        _ body: @escaping @Sendable (StoreWriter) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let outcome: Swift.Result<Result, StoreError> = await withCheckedContinuation { done in
            queue.async { [writer] in
                do throws(StoreError) { done.resume(returning: .success(try body(writer))) } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try outcome.get()
    }
}

/// The wait of a fetch for the store, which ends when the entities are loaded, or when its task is cancelled.
private final class LoadWait: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var continuation: CheckedContinuation<Void, Never>?
    private var hasEnded = false

    var isEnded: Bool { lock.withLock { hasEnded } }

    func begin(_ continuation: CheckedContinuation<Void, Never>) {
        let hasEnded = lock.withLock {
            if !self.hasEnded { self.continuation = continuation }
            return self.hasEnded
        }
        if hasEnded { continuation.resume() }
    }

    func end() {
        let continuation = lock.withLock {
            hasEnded = true
            return self.continuation.take()
        }
        continuation?.resume()
    }
}

extension CacheStore: CustomStringConvertible, CustomReflectable {
    /// A line with the store, and whether it is written: `CacheStore: FileStore("/caches/blog"), writing`.
    public var description: String {
        Summary.line("CacheStore", nil, ["\(writer.store)", isWriting ? "writing" : "not writing"])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
