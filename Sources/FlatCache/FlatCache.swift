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
    @usableFromInline let limits = CacheLimits()
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
        let hash = HashedID(id)
        if let snapshot = history.snapshotOfThread {
            let table = registry.table(of: Value.self).takeUnretainedValue()
            return snapshot.value(of: id, hash, in: table) ?? forwardedValue(of: id, in: table)
        }
        return committedValue(of: id, hash)
    }

    /// The entity with an identifier, read outside of the bodies of `read` and `transaction`.
    @inlinable @inline(__always)
    func committedValue<Value: Cachable>(of id: Value.ID, _ hash: HashedID) -> Value? {
        readCommitted(Value.self, id, hash) {
            $0.copy(of: Value.self)
        } ofCopy: {
            $0
        }
    }

    /// Reads from the stored entity of an identifier, outside of the bodies of `read` and `transaction`.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier.
    ///   - hash: Its hash.
    ///   - read: A closure that reads from the slot, whose shard is locked. It runs no user code.
    ///   - readCopy: A closure that reads from a copy of the entity, for identifiers that aren't compared under a lock,
    ///     and during a large commit.
    /// - Returns: The result of the read, or `nil` if no entity is stored.
    @inlinable @inline(__always)
    func readCommitted<Value: Cachable, Result>(
        _ type: Value.Type,
        _ id: Value.ID,
        _ hash: HashedID,
        _ read: (Slot) -> Result?,
        ofCopy readCopy: (Value) -> Result?
    ) -> Result? {
        guard let table = registry.find(Value.self) else { return nil }
        if let shard = table._withUnsafeGuaranteedRef({ $0.shardToRead(hash) }) {
            if let slot = shard.pointer.pointee.index.find(Value.self, id, hash) {
                slot.noteUse()
                if let result = read(slot) {
                    shard.unlock()
                    return result
                }
            }
            shard.unlock()
        } else if let value = table._withUnsafeGuaranteedRef({ $0.value(of: id, hash) }) {
            return readCopy(value)
        }
        guard table._withUnsafeGuaranteedRef({ $0.mayForward }) else { return nil }
        return valueOfReplacement(id).flatMap(readCopy)
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
        if let transaction = history.transactionOfThread {
            let changes = transaction.table(registry.table(of: Value.self).takeUnretainedValue())
            return changes.receive(value, id, hash, merging: .replace)
        }
        history.followClock()
        let table = registry.table(of: Value.self)
        guard let shard = table._withUnsafeGuaranteedRef({ $0.shardToRead(hash) }) else {
            return replace(value, id, hash, in: table.takeUnretainedValue())
        }
        guard table._withUnsafeGuaranteedRef({ $0.isPlain }) else {
            return replace(value, id, hash, in: table.takeUnretainedValue(), locked: shard)
        }
        let slot = shard.slot(of: Value.self, for: id, hash)
        if slot.isLayered { return replaceConfirmed(value, id, hash, in: table.takeUnretainedValue(), locked: shard) }
        shard.commit(value, to: slot, of: self, unpinning: 0)
    }

    /// Stores an entity below its layers, whose shard is locked.
    @inline(never) @usableFromInline
    func replaceConfirmed<Value: Cachable>(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>,
        locked shard: ShardReference
    ) {
        shard.unlock()
        if let code = table.layerCode { code.replace(self, value, id, hash, table) }
    }

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

    /// Stores an entity of a type with indexes or matching keys, whose shard is locked.
    @inline(never) @inlinable
    func replace<Value: Cachable>(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>,
        locked shard: ShardReference
    ) {
        if let slot = shard.pointer.pointee.index.find(Value.self, id, hash), !slot.isLayered, !table.awaitsInsertions,
            table.keepsKeys(of: slot, in: value)
        {
            return shard.commit(value, to: slot, of: self, unpinning: 0)
        }
        let indexes = table.indexes
        shard.unlock()
        if table.awaitsInsertions { return replaceTogether(value) }
        guard let indexes else { return replace(value, id, hash, in: table) }
        unsafeDowncast(indexes, to: MaintainedIndexes<Value>.self).code.replace(self, value, id, hash)
    }

    /// Stores an entity if its identifier must be compared without a lock, if its type has indexes, or during a large
    /// commit or a reservation.
    @inline(never) @usableFromInline
    func replace<Value: Cachable>(_ value: Value, _ id: Value.ID, _ hash: HashedID, in table: Table<Value>) {
        if table.awaitsInsertions { return replaceTogether(value) }
        if let indexes = table.maintainedIndexes { return indexes.code.replace(self, value, id, hash) }
        let shard = table.shards[hash]
        let slot = table.pinnedSlot(for: id, hash)
        shard.lock()
        shard.waitToWrite(slot)
        guard table.indexes == nil else {
            // An index was added meanwhile.
            shard.unlock(unpinning: slot)
            return replace(value, id, hash, in: table)
        }
        if slot.isLayered {
            let unpinned = shard.unpin(slot)
            replaceConfirmed(value, id, hash, in: table, locked: shard)
            return withExtendedLifetime(unpinned) {}
        }
        shard.commit(value, to: slot, of: self, unpinning: 1)
    }

    @usableFromInline func replaceTogether<Value: Cachable>(_ value: Value) { commitTogether { replace(value) } }
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
