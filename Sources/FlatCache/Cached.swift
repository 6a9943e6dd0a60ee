public import Observation

/// A live handle to one entity in a cache: it always reads what is stored now, and tells when that changes.
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
/// only then. Elsewhere there are ``onChange(_:)`` and ``values``.
///
/// How and when the framework is told is said at ``FlatCache/tracked(_:)``.
///
/// ## Identity and life time
///
/// Two handles are equal when they are of the same key in the same cache. A handle does not keep its cache alive. Once the
/// cache is gone ``cache`` is `nil`, there is no value, and writes have no effect.
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
    /// Lives for ever; kept here because a look at a static variable costs a tenth of a read.
    @usableFromInline let reads = Unmanaged.passUnretained(ObservedReads.shared)

    /// Creates a handle to an entity, which need not be stored yet.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be left out where the context tells it.
    ///   - id: The identifier of the entity.
    ///   - cache: The cache that stores the entity.
    /// - Complexity: O(1) on average.
    public init(_ type: Value.Type = Value.self, id: Value.ID, in cache: FlatCache = .current) {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let hash = HashedID(id)
        self.table = table
        shard = table.shards[hash]
        slot = table.withSlot(for: id) { slot in
            slot.pins += 1
            return slot
        }
        reference = cache.reference
    }

    deinit {
        RacePoint.reach(.releasing)
        shard.lock()
        shard.unpin(slot)
        shard.unlock()
        forgetErrorIfLast()
    }

    /// The identifier of the entity.
    public var id: Value.ID { slot.id }

    /// The key of the entity.
    public var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// The cache that stores the entity; `nil` once it is gone.
    public var cache: FlatCache? { reference.object }

    /// The entity that is stored now; `nil` when there is none, or the cache is gone.
    ///
    /// Setting it stores the entity under its own identifier, which should be that of the handle; setting it to `nil`
    /// removes the entity of the handle. To read, change and write back is three steps between which another thread may
    /// write: use ``update(_:)`` for that.
    ///
    /// - Complexity: O(1), without hashing the identifier.
    @inlinable
    public var value: Value? {
        get {
            if isTracked { return tracked { $0.current } }
            return current
        }
        set { store(newValue) }
    }

    /// A property of the entity that is stored now; `nil` when there is none, or the cache is gone.
    ///
    ///     post.title              // String?
    ///
    /// The property's name is used as if it were the handle's own. When it is a stored property, nothing else of the entity
    /// is copied, which takes a fraction of the time of ``value``.
    ///
    /// - Complexity: O(1), without hashing the identifier.
    @inlinable
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property>) -> Property? {
        self.property(property)
    }

    /// A property of the entity that is stored now; `nil` when it is `nil`, when there is no entity, or the cache is gone.
    ///
    /// Everything else is as for properties that are not optional.
    ///
    /// - Complexity: O(1), without hashing the identifier.
    @inlinable
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property?>) -> Property? {
        let value: Property?? = self.property(property)
        return value ?? nil
    }

    @inlinable
    func property<Property>(_ property: KeyPath<Value, Property>) -> Property? {
        if isTracked { return tracked { $0.current?[keyPath: property] } }
        guard let offset = MemoryLayout<Value>.offset(of: property), table.history.snapshotOfThread == nil else {
            return current?[keyPath: property]
        }
        shard.lock()
        defer { shard.unlock() }
        return slot.field(at: offset)
    }

    /// Whether somebody tracks what the calling thread reads.
    @inlinable
    var isTracked: Bool { reads._withUnsafeGuaranteedRef { $0.areTracked } }

    /// Reads something, and tells Observation of it.
    @usableFromInline
    func tracked<Result>(_ read: (Cached) -> Result) -> Result {
        cache?.trackedRead { _ in read(self) } ?? read(self)
    }

    /// The entity, read without telling Observation.
    @inlinable
    var current: Value? {
        if let snapshot = table.history.snapshotOfThread {
            return snapshot.value(of: slot.id, HashedID(slot.id), in: table)
        }
        shard.lock()
        defer { shard.unlock() }
        return slot.copy
    }

    @usableFromInline
    func store(_ value: Value?) {
        guard let cache else { return }
        guard let value else {
            cache.remove(Value.self, id: id)
            return
        }
        cache.set(value)
    }

    /// Changes the entity in place, atomically: no write of another thread is lost in between.
    ///
    ///     post.update { $0.likes += 1 }
    ///
    /// The body may run more than once; ``FlatCache/update(_:id:_:)`` says when, and what else it may do.
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
    ///   - body: Changes the entity of the handle, as in ``update(_:)``.
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
            if let draft = snapshot.draft {
                return try draft.table(table).update(id, HashedID(id), in: snapshot, storing: batch, body)
            }
            return try RunningBody.runOutside(of: table.history.object) { () throws(Failure) in
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
    /// Calls a closure whenever the entity changes.
    ///
    ///     let subscription = post.onChange { change in
    ///         print(change.value?.title ?? "gone")
    ///     }
    ///
    /// There is no call for the state at the beginning; a ``value`` that is read after this method has returned is at least
    /// as new as the last call. Everything else is as for ``FlatCache/observe(_:id:onChange:)``.
    ///
    /// - Parameter action: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    @inlinable
    public func onChange(_ action: @escaping @Sendable (EntityChange<Value>) -> Void) -> CacheSubscription {
        subscribe(EntityObserver(beginsWithCall: false, EntityCallback(action)))
    }

    @usableFromInline
    func subscribe(_ observer: EntityObserver) -> CacheSubscription {
        let registration = table.withSlot(slot) {
            SlotRegistration(adding: observer, to: slot, of: table)
        }
        return CacheSubscription(observer, [registration])
    }

    /// The values of the entity over time: the stored one, then each that replaces it.
    ///
    /// The sequence keeps neither the handle nor the cache alive. It ends when the cache goes.
    public var values: EntityValues<Value> { EntityValues(of: id, in: reference) }
}
