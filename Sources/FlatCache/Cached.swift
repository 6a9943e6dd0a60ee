public import Observation

/// A live handle to one entity in a cache: it always reads what is stored now, and notifies when that changes.
///
///     let post = Cached(Post.self, id: "1")
///     post.value?.title                      // what the cache holds
///     post.update { $0.likes += 1 }          // atomic; every other reader sees it
///
/// Keep handles instead of copies in whatever lives long, such as a view model: a copy grows old, a handle doesn't. A
/// handle may be made before its entity is stored.
///
/// ## Observation
///
/// A handle is `Observable`: a SwiftUI view whose body reads ``value`` is rendered again when that entity changes, and
/// only then. Elsewhere there are ``observe(initial:_:)`` and ``updates``.
///
/// ``FlatCache/tracked(_:)`` says how and when the framework is notified.
///
/// ## Identity and life time
///
/// Two handles are equal when they are of the same key in the same cache. A handle does not keep its cache alive. Once the
/// cache is gone ``cache`` is `nil`, there is no value, ``set(_:)`` throws, and other writes have no effect.
///
/// ## Thread safety
///
/// Everything can be called from any thread.
///
/// The idea of giving structures a live reference is Chris Eidhof's.
@dynamicMemberLookup
public final class Cached<Value: Cachable>: Sendable {
    @usableFromInline let slot: Slot<Value>
    @usableFromInline let shard: ShardReference<Value>
    /// Keeps the memory of the shard alive.
    @usableFromInline let table: Table<Value>
    let reference: WeakReference<FlatCache>
    /// Kept here because a look at a static variable costs a tenth of a read.
    @usableFromInline let probe = TrackingProbe.ofThread

    /// Creates a handle to an entity, which need not be stored yet.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity.
    ///   - cache: The cache that stores the entity.
    /// - Complexity: O(1) on average.
    public init(_ type: Value.Type = Value.self, id: Value.ID, in cache: FlatCache = .current) {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let hash = HashedID(id)
        self.table = table
        shard = table.shards[hash]
        slot = table.pinnedSlot(for: id, hash)
        reference = cache.reference
    }

    /// Creates a handle to the entity with the identifier of a given one, which is not stored by this.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - cache: The cache that stores the entity, or will do so.
    /// - Complexity: O(1) on average.
    public convenience init(_ value: Value, in cache: FlatCache = .current) {
        self.init(id: value.id, in: cache)
    }

    deinit {
        SyncPoint.reach(.releasing)
        table.unpin(slot)
    }

    /// The identifier of the entity.
    public var id: Value.ID { slot.id }

    /// The key of the entity.
    public var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// The cache that stores the entity; `nil` once it is gone.
    public var cache: FlatCache? { reference.object }

    /// The entity that is stored now; `nil` when there is none, or the cache is gone.
    ///
    /// The value is a copy and knows no cache: its accessors, as in `post.value?.author`, read the ``FlatCache/current`` one.
    /// `post.author` reads the cache of the handle.
    ///
    /// Write with ``set(_:)``, ``remove()`` or ``update(_:)->Result?``. Setting a changed copy of the value loses the writes that
    /// other threads have made in between; ``update(_:)->Result?`` doesn't.
    ///
    /// - Complexity: O(1), without hashing the identifier.
    @inlinable
    public var value: Value? {
        if isTracked { return trackedCurrent }
        return current
    }

    /// A property of the entity that is stored now; `nil` when there is none, or the cache is gone.
    ///
    ///     post.title              // String?
    ///     post.authorName         // String?, computed from post.author
    ///
    /// The property's name is used as if it were the handle's own. A stored property is read without copying the rest of the
    /// entity, which takes a fraction of the time of ``value``. A computed property reads the cache of the handle, which is the
    /// ``FlatCache/current`` one meanwhile.
    ///
    /// The result is a copy and knows no cache: in `post.details?.author` the accessor of `details` reads the current one.
    /// `post[\.details?.author]` reads the cache of the handle.
    ///
    /// - Complexity: O(1), without hashing the identifier; beside that a computed property.
    @inlinable
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property>) -> Property? {
        self.property(property)
    }

    /// A property of the entity that is stored now; `nil` when it is `nil`, when there is no entity, or the cache is gone.
    ///
    /// A computed property reads the cache of the handle, which is the ``FlatCache/current`` one meanwhile.
    ///
    /// - Complexity: O(1), without hashing the identifier; beside that a computed property.
    @inlinable
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property?>) -> Property? {
        self.property(property) ?? nil
    }

    /// The value at the end of a key path from the entity that is stored now; `nil` when there is no entity, or the cache is
    /// gone.
    ///
    ///     post[\.details.byline]              // computed, the author read from the cache of the handle
    ///
    /// Computed properties on the way read the cache of the handle, which is the ``FlatCache/current`` one meanwhile.
    ///
    /// - Complexity: O(1), without hashing the identifier; beside that computed properties.
    @inlinable
    public subscript<Property>(path: KeyPath<Value, Property>) -> Property? {
        property(path)
    }

    /// The value at the end of a key path from the entity that is stored now; `nil` when it is `nil`, when there is no entity, or
    /// the cache is gone.
    ///
    ///     post[\.details?.author?.name]        // the author, read from the cache of the handle
    ///
    /// Computed properties on the way read the cache of the handle, which is the ``FlatCache/current`` one meanwhile.
    ///
    /// - Complexity: O(1), without hashing the identifier; beside that computed properties.
    @inlinable
    public subscript<Property>(path: KeyPath<Value, Property?>) -> Property? {
        property(path) ?? nil
    }

    @inlinable
    func property<Property>(_ property: KeyPath<Value, Property>) -> Property? {
        guard !isTracked, let offset = MemoryLayout<Value>.offset(of: property), table.history.snapshotOfThread == nil
        else { return follow(isStored: MemoryLayout<Value>.offset(of: property) != nil) { $0[keyPath: property] } }
        shard.lock()
        if shard.isGated { return table.gatedValue(of: slot)?[keyPath: property] }
        defer { shard.unlock() }
        return slot.field(at: offset)
    }

    /// Reads a property from a copy of the entity; one that is computed, with the cache as the current one, which accessors
    /// read.
    ///
    /// Never inlined, so that reading a stored property is. It takes a closure, because a key path that is handed over can't be
    /// optimized away where it isn't needed.
    @inlinable @inline(never)
    func follow<Property>(isStored: Bool, _ property: (Value) -> Property) -> Property? {
        if isStored { return value.map(property) }
        guard let cache else { return current.map(property) }
        return cache.asCurrent {
            cache.tracked { _ in current.map(property) }
        }
    }

    /// Whether somebody tracks what the calling thread reads.
    @inlinable
    var isTracked: Bool { probe.isTracked }

    /// The entity, read while somebody tracks.
    @inlinable @inline(never)
    var trackedCurrent: Value? {
        guard let cache else { return current }
        if table.history.snapshotOfThread != nil { return cache.trackedRead { _ in current } }
        let (value, reads) = table.withSlot(slot) { (slot.copy, shard.trackedReads(of: slot)) }
        reads.access()
        // As long as it is there, it notifies.
        withExtendedLifetime(cache) {}
        return value
    }

    /// The entity, read untracked.
    @inlinable
    var current: Value? {
        if let snapshot = table.history.snapshotOfThread { return snapshot.value(of: slot, in: table) }
        shard.lock()
        if shard.isGated { return table.gatedValue(of: slot) }
        defer { shard.unlock() }
        return slot.copy
    }

    /// Changes the entity in place, atomically: no write of another thread is lost in between.
    ///
    ///     let likes = post.update { post in
    ///         post.likes += 1
    ///         return post.likes
    ///     }
    ///
    /// The body may run more than once; ``FlatCache/update(_:id:_:)->Result?`` says when, and what else it may do. Accessors of
    /// the entity that it is given read the ``FlatCache/current`` cache.
    ///
    /// If the body changes the identifier, the entity moves alone: this handle, others, lists, names and the identifiers in
    /// other entities keep the old identifier, under which nothing is stored then.
    ///
    /// - Parameter body: Changes the entity.
    /// - Returns: What the body returns, or `nil` when there is no entity, or the cache is gone; the body is not called
    ///   then.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: O(1), and the body, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try update(storing: EntityBatch<Value>?.none, body)
    }

    /// Stores other entities and changes that of the handle, in one commit.
    ///
    ///     post.update(storing: [author]) { $0.authorID = author.id }
    ///
    /// - Parameters:
    ///   - entities: The entities to store with the change.
    ///   - body: Changes the entity of the handle, as in ``update(_:)->Result?``.
    /// - Returns: What the body returns, or `nil` when there is no entity, or the cache is gone; nothing is stored then.
    /// - Throws: What the body throws; nothing is stored then.
    /// - Complexity: O(*m*) on average for *m* entities, and O(*n*) for the *n* observers of the changed keys.
    @discardableResult
    @inlinable
    public func update<Related: Cachable, Result, Failure: Error>(
        storing entities: some Sequence<Related>,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let cache else { return nil }
        let related = cache.registry.table(of: Related.self).takeUnretainedValue()
        return try update(storing: EntityBatch(entities, table: related), body)
    }

    @inlinable
    func update<Related: Cachable, Result, Failure: Error>(
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let cache else { return nil }
        if let snapshot = table.history.snapshotOfThread {
            if let transaction = snapshot.transaction {
                return try transaction.table(table).update(id, HashedID(slot), in: snapshot, storing: batch, body)
            }
            return try ReadContext.runOutside(of: table.history.object) { () throws(Failure) in
                try update(storing: batch, body)
            }
        }
        shard.lock()
        slot.pins += 1
        shard.unlock()
        return try cache.update(slot, of: table, storing: batch, body)
    }
}

extension Cached: Hashable {
    /// Returns whether two handles are of the same key in the same cache.
    public static func == (lhs: Cached, rhs: Cached) -> Bool { lhs.slot === rhs.slot }

    /// Feeds the identity of key and cache into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(slot)) }
}

extension Cached: CustomStringConvertible {
    /// The key of the entity, as a handle: `Cached<Blog.Post("1")>`.
    public var description: String { "Cached<\(key)>" }
}

extension Cached: Observable {
    /// Calls a closure with the entity, now and whenever it changes.
    ///
    ///     let subscription = post.observe { change in
    ///         print(change.value?.title ?? "gone")
    ///     }
    ///
    /// Calls are made as those of ``FlatCache/observe(_:id:initial:onChange:)`` are. A ``value`` that is read after this method
    /// has returned is at least as new as the last call.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the state now.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    @inlinable
    public func observe(
        initial: Bool = true,
        _ onChange: @escaping @Sendable (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        subscribe(EntityObserver(beginsWithCall: initial, EntityCallback(onChange)), initial)
    }

    @usableFromInline
    func subscribe(_ observer: EntityObserver, _ isInitial: Bool) -> CacheSubscription {
        // Once the cache is gone, nobody is called.
        guard let cache else { return CacheSubscription() }
        let (initial, registration) = table.withSlot(slot) {
            (
                isInitial ? PendingChange(initialStateOf: slot) : nil,
                SlotRegistration(adding: observer, to: slot, of: table)
            )
        }
        cache.begin(observer, with: initial)
        return CacheSubscription(observer, [registration])
    }

    /// The values of the entity over time: the stored one, then each that replaces it.
    ///
    /// The sequence keeps neither the handle nor the cache alive. It ends when the cache goes.
    public var updates: CacheUpdates<Value?> { CacheUpdates(of: id, in: reference) }
}
