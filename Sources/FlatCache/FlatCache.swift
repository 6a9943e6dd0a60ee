internal import Synchronization

/// A thread-safe identity map, which stores each entity once, under its type and identifier.
///
///     let cache = FlatCache()
///     cache.set(Post(id: "1", title: "Hello", authorID: "7"))
///     cache.get(Post.self, id: "1")?.title              // "Hello"
///     cache.update(Post.self, id: "1") { $0.likes += 1 }
///
/// All screens of an app read the same copy, so a change on one screen shows on the others. Entities refer to each
/// other by identifier, and generated accessors read the related entities from the cache. So structures can refer to
/// each other in both directions without reference cycles.
///
/// ## Which cache
///
/// An app usually needs one cache, ``shared``. Generated accessors use ``current``. It is the shared cache unless
/// ``withCurrent(_:_:)`` replaces it for a test, a preview or one of several accounts. An accessor of a value from another
/// cache finds nothing and stores in the current one. Builds for debugging say so on standard error, and as a runtime
/// issue in Xcode, if only the other cache has entities of the accessor's type.
///
/// ## Thread safety
///
/// All members can be used from any thread, also in observers and in the bodies of updates. Operations on one key
/// happen one after the other. Each write is a commit. An observer is notified once of a commit of many entities.
/// Observers are called on the thread that commits, after all locks are released.
///
/// ## Source
///
/// Soroush Khanlou had the idea of a flat cache in Swift. Martin Fowler's catalogue calls the pattern identity map.
public final class FlatCache: Sendable {
    @usableFromInline let registry: TypeRegistry
    /// Owned by the registry.
    @usableFromInline let history: HistoryReference
    /// The reference that handles and sequences use, because they don't keep the cache alive.
    let reference = WeakReference<FlatCache>()
    let queryShares = QueryShares()
    let keptReadings = KeptReadings()
    let mutations = MutationQueue()
    let listLoaders = ListLoaders()
    let requests = RunningRequests()
    let limits = CacheLimits()
    /// Whether there are notes of removals, or were some.
    let mayHaveRemovalNotes = Atomic(false)
    @usableFromInline let requestCounts = RequestCounts()
    /// The connection to the store of the cache, if it has one.
    let attachment = LazyReference<CacheAttachment>()

    /// The name of the cache in messages, or `nil` if it has none.
    public let name: String?

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - name: The name of the cache in messages: `FlatCache(name: "account 7")`.
    ///   - clock: The clock for the age of entities and for batch windows. A test can pass a clock that it controls.
    public init(name: String? = nil, clock: some Clock<Duration> = ContinuousClock()) {
        self.name = name
        let history = History(clock: CacheClock(clock))
        registry = TypeRegistry(history: history)
        self.history = HistoryReference(history)
        reference.refer(to: self)
        #if DEBUG
        LivingCaches.add(self)
        #endif
    }

    deinit {
        #if DEBUG
        LivingCaches.remove(self)
        #endif
        connection?.closeSoon()
        for table in registry.all { table.close() }
    }

    /// Returns the entity with an identifier, or `nil` if it is not stored.
    ///
    ///     let post = cache.get(Post.self, id: "1")
    ///     let author: Author? = cache.get(id: post.authorID)
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    /// - Complexity: O(1) on average.
    @inlinable
    public func get<Value: Cachable>(_ type: Value.Type = Value.self, id: Value.ID) -> Value? {
        readEntity(id) {
            $0.assumingMemoryBound(to: Value.self).pointee
        } ofCopy: {
            $0
        }
    }

    /// Reads from the entity of an identifier as the calling thread sees it.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - read: A closure that reads from the memory of the entity, whose shard is locked. It runs no user code.
    ///   - readCopy: A closure that reads from a copy of the entity, on the slow path.
    /// - Returns: The result of the read, or `nil` if no entity is stored.
    @inlinable @inline(__always)
    func readEntity<Value: Cachable, Result>(
        _ id: Value.ID,
        _ read: (UnsafeRawPointer) -> Result,
        ofCopy readCopy: (Value) -> Result
    ) -> Result? {
        guard let table = registry.find(Value.self) else { return valueElsewhere(id, nil).map(readCopy) }
        let locked = table._withUnsafeGuaranteedRef { lockedEntity(id, in: $0) }
        guard let entity = locked.entity else {
            return locked.isElsewhere ? valueElsewhere(id, locked.hash).map(readCopy) : nil
        }
        let result = read(entity)
        locked.unlock()
        return result
    }

    /// The entity with an identifier as the calling thread sees it, on the slow path.
    ///
    /// - Parameter hash: The hash of the identifier, or `nil` if it isn't hashed yet.
    @usableFromInline func valueElsewhere<Value: Cachable>(_ id: Value.ID, _ hash: HashedID?) -> Value? {
        if let snapshot = history.snapshotOfThread {
            let table = registry.table(of: Value.self).takeUnretainedValue()
            return snapshot.value(of: id, hash ?? HashedID(id), in: table) ?? forwardedValue(of: id, in: table)
        }
        guard let table = registry.find(Value.self)?.takeUnretainedValue() else { return nil }
        return table.value(of: id, hash ?? HashedID(id)) ?? forwardedValue(of: id, in: table)
    }

    /// Stores an entity under its type and identifier, in place of the current one.
    ///
    ///     cache.set(post)
    ///
    /// If the type has a ``Cachable/merge`` and an entity with the identifier is stored, the merge decides what is
    /// stored.
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether an entity was stored. It is `false` only if the merge of the type kept the stored one. In a
    ///   ``transaction(_:)`` it is the result for the state that the body reads, and the commit merges again if another
    ///   thread has written the entity.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func set<Value: Cachable>(_ value: consuming Value) -> Bool {
        let merge = Value.merge
        guard merge.isReplace else { return set(value, merging: merge) }
        replace(value)
        return true
    }

    /// Stores an entity in place of the current one, without a merge.
    @inlinable @inline(__always)
    func replace<Value: Cachable>(_ value: consuming Value) {
        let id = value.id
        let hash = HashedID(id)
        let table = registry.table(of: Value.self)
        withMemory(of: value) { entity in
            withUnsafePointer(to: id) { id in
                table._withUnsafeGuaranteedRef {
                    ((), isLeft: store(entity, idAt: UnsafeRawPointer(id), hash, in: $0))
                }
            }
        }
    }

    /// Stores an entity below its layers.
    @inlinable func replaceConfirmed<Value: Cachable>(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) {
        if commitLayers(of: id, hash, in: table, .write { _ in value }) != nil { return }
        let transaction = Transaction()
        transaction.table(table).write(value, id, hash)
        transaction.commit(to: self)
        transaction.release()
    }

    func replaceTogether<Value: Cachable>(_ value: Value) { commitTogether { replace(value) } }
}

extension FlatCache: CustomStringConvertible, CustomReflectable {
    /// A line with the name and the numbers of stored entities and of their types:
    /// `FlatCache("account 7"): 1,204 entities of 3 types`.
    ///
    /// - Complexity: O(*n*) for *n* types.
    public var description: String {
        let counts = registry.all.map { $0.isInternal ? 0 : $0.committedCount }.filter { $0 > 0 }
        let types = counts.isEmpty ? "" : " of \(Summary.count(counts.count, "type"))"
        return Summary.line(
            "FlatCache",
            name.map { String(reflecting: $0) },
            [Summary.entities(counts.reduce(0, +)) + types]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
