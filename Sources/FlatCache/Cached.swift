public import Observation

/// A live handle to one entity in a cache, which reads the current entity and notifies of its changes.
///
///     let post = Cached(Post.self, id: "1")
///     post.value?.title                      // what the cache holds
///     post.update { $0.likes += 1 }          // atomic; every other reader sees it
///
/// In objects with a long life, such as view models, keep handles instead of copies. A copy becomes outdated, and a
/// handle doesn't. You can create a handle before its entity is stored.
///
/// ## Observation
///
/// A handle is `Observable`: a SwiftUI view whose body reads ``value`` is rendered again only when that entity changes.
/// In other code, use ``observe(initial:_:)`` or ``updates``.
///
/// ``FlatCache/tracked(_:)`` explains when the framework is notified.
///
/// ## Identity and life time
///
/// Two handles are equal if they were made with the same identifier and the same cache. A handle does not keep its cache alive. After
/// the cache is deallocated, ``cache`` and ``value`` are `nil`, ``set(_:)`` throws, and other writes have no effect.
///
/// ## Thread safety
///
/// All members can be used from any thread.
///
/// Chris Eidhof had the idea of giving structures a live reference.
@dynamicMemberLookup
public final class Cached<Value: Cachable>: Sendable {
    @usableFromInline let slot: Slot
    @usableFromInline let shard: ShardReference
    /// Keeps the memory of the shard alive.
    @usableFromInline let table: Table<Value>
    let reference: WeakReference<FlatCache>
    /// This is kept here because access to a static variable costs a tenth of a read.
    @usableFromInline let probe = TrackingProbe.ofThread

    /// Creates a handle to the entity of a type with an identifier.
    ///
    /// The entity need not be stored yet.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
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

    /// Creates a handle to the entity with the identifier of a value, without storing the value.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - cache: The cache that stores the entity, now or later.
    /// - Complexity: O(1) on average.
    public convenience init(_ value: Value, in cache: FlatCache = .current) {
        self.init(id: value.id, in: cache)
    }

    deinit {
        SyncPoint.reach(.releasing)
        // A limit evicts what was shown last after what wasn't shown.
        table.withSlot(unpinning: slot) { slot.noteUse() }
    }

    /// The identifier of the entity.
    ///
    /// If the identifier with which the handle was made was replaced, for example a temporary one by that of the server, it is the
    /// one that has replaced it. So what sends it to the server sends what the server knows.
    ///
    /// - Complexity: O(1) on average, and O(*n*) after *n* replacements one after the other.
    public var id: Value.ID {
        table.mayForward
            ? cache?.currentID(of: Value.self, slot.id(of: Value.self)) ?? slot.id(of: Value.self)
            : slot.id(of: Value.self)
    }

    /// The key of the entity, with its current identifier.
    public var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// The cache that stores the entity, or `nil` after it is deallocated.
    public var cache: FlatCache? { reference.object }

    /// The current entity, or `nil` if it isn't stored or the cache is deallocated.
    ///
    /// The value is a copy without a cache. Its accessors read the ``FlatCache/current`` cache, as in
    /// `post.value?.author`. An accessor of the handle, `post.author`, reads the cache of the handle.
    ///
    /// To write, use ``set(_:)``, ``remove()`` or ``update(_:)->Result?``. To change the current entity, use
    /// ``update(_:)->Result?``. If you set a changed copy of the value, writes that other threads made in between are
    /// lost.
    ///
    /// - Complexity: O(1), without hashing the identifier.
    @inlinable
    public var value: Value? {
        if isTracked { return trackedCurrent }
        return current
    }

    /// A property of the current entity, or `nil` if the entity isn't stored or the cache is deallocated.
    ///
    ///     post.title              // String?
    ///     post.authorName         // String?, computed from post.author
    ///
    /// Use the name of the property as if it were the handle's own. Reading a stored property doesn't copy the rest of
    /// the entity and takes a fraction of the time of ``value``. While a computed property runs, the cache of the
    /// handle is the ``FlatCache/current`` one, which accessors read.
    ///
    /// The result is a copy without a cache. In `post.details?.author`, the accessor of `details` reads the current
    /// cache. `post[\.details?.author]` reads the cache of the handle.
    ///
    /// - Complexity: O(1), without hashing the identifier, plus the time of a computed property.
    @inlinable
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property>) -> Property? {
        get { self.property(property) }
        @available(*, unavailable, message: "write 'handle.update { $0.title = … }' or 'handle.set(\\.author, to: …)'")
        set {}
    }

    /// An optional property of the current entity, or `nil` if the entity isn't stored or the cache is deallocated.
    ///
    /// While a computed property runs, the cache of the handle is the ``FlatCache/current`` one, which accessors read.
    ///
    /// - Complexity: O(1), without hashing the identifier, plus the time of a computed property.
    @inlinable
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property?>) -> Property? {
        get { self.property(property) ?? nil }
        @available(*, unavailable, message: "write 'handle.update { $0.title = … }' or 'handle.set(\\.author, to: …)'")
        set {}
    }

    /// The value of a key path of the current entity, or `nil` if the entity isn't stored or the cache is deallocated.
    ///
    ///     post[\.details.byline]              // computed, the author read from the cache of the handle
    ///
    /// While the computed properties of the key path run, the cache of the handle is the ``FlatCache/current`` one,
    /// which accessors read.
    ///
    /// - Complexity: O(1), without hashing the identifier, plus the time of computed properties.
    @inlinable
    public subscript<Property>(path: KeyPath<Value, Property>) -> Property? {
        property(path)
    }

    /// The optional value of a key path of the current entity, or `nil` if the entity isn't stored or the cache is
    /// deallocated.
    ///
    ///     post[\.details?.author?.name]        // the author, read from the cache of the handle
    ///
    /// While the computed properties of the key path run, the cache of the handle is the ``FlatCache/current`` one,
    /// which accessors read.
    ///
    /// - Complexity: O(1), without hashing the identifier, plus the time of computed properties.
    @inlinable
    public subscript<Property>(path: KeyPath<Value, Property?>) -> Property? {
        property(path) ?? nil
    }

    @inlinable
    func property<Property>(_ property: KeyPath<Value, Property>) -> Property? {
        guard !isTracked, let offset = MemoryLayout<Value>.offset(of: property), table.history.snapshotOfThread == nil
        else { return follow(isStored: MemoryLayout<Value>.offset(of: property) != nil) { $0[keyPath: property] } }
        shard.lock()
        if shard.isGated { return (table.gatedValue(of: slot) ?? forwarded)?[keyPath: property] }
        if let field: Property = slot.field(of: Value.self, at: offset) {
            shard.unlock()
            return field
        }
        shard.unlock()
        return forwarded?[keyPath: property]
    }

    /// Reads a property from a copy of the entity.
    ///
    /// While a computed property runs, the cache of the handle is the current one, which accessors read.
    ///
    /// This is never inlined, so that reading a stored property is inlined. It takes a closure, because a key path that
    /// is passed as an argument can't be optimized away where it isn't needed.
    @inline(never) @usableFromInline
    func follow<Property>(isStored: Bool, _ property: (Value) -> Property) -> Property? {
        if isStored { return value.map(property) }
        guard let cache else { return current.map(property) }
        return cache.asCurrent {
            cache.tracked { _ in current.map(property) }
        }
    }

    /// Whether the reads of the calling thread are tracked.
    @inlinable
    var isTracked: Bool { probe.isTracked }

    /// The entity, read and tracked.
    @inline(never) @usableFromInline
    var trackedCurrent: Value? {
        guard let cache else { return current }
        if table.history.snapshotOfThread != nil { return cache.trackedRead { _ in current } }
        let (value, reads) = table.withSlotToRead(slot) {
            ($0.visibleValue(of: slot) as Value?, $0.trackedReads(of: slot))
        }
        reads.access()
        // The cache notifies as long as it is alive.
        return withExtendedLifetime(cache) { value ?? trackedForwarded(in: cache) }
    }

    /// The entity, read without tracking.
    @inlinable
    var current: Value? {
        if let snapshot = table.history.snapshotOfThread { return snapshot.value(of: slot, in: table) ?? forwarded }
        shard.lock()
        if shard.isGated { return table.gatedValue(of: slot) ?? forwarded }
        if let value = slot.copy(of: Value.self) {
            shard.unlock()
            return value
        }
        shard.unlock()
        return forwarded
    }

    /// The entity with the identifier that has replaced that of the handle, read and tracked, or `nil` if there is none.
    func trackedForwarded(in cache: FlatCache) -> Value? {
        table.mayForward ? cache.trackedRead { _ in forwarded } : nil
    }

    /// The entity with the identifier that has replaced that of the handle, or `nil` if there is none.
    @inline(never) @usableFromInline
    var forwarded: Value? {
        guard table.mayForward else { return nil }
        return cache?.forwardedValue(of: slot.id(of: Value.self), in: table)
    }

    /// Changes the entity in place, atomically, without losing writes of other threads.
    ///
    ///     let likes = post.update { post in
    ///         post.likes += 1
    ///         return post.likes
    ///     }
    ///
    /// The body receives a copy of the entity and runs without a lock, so it may read and write any entity. It runs
    /// again if another thread replaces the entity before the result is stored. If the body writes the entity by other
    /// means, its result replaces that write. Accessors of the copy read the ``FlatCache/current`` cache.
    ///
    /// If the body changes the identifier, only the entity moves. Handles (including this one), lists, references and
    /// the identifiers in other entities keep the old identifier. No entity is stored under it any more.
    ///
    /// - Parameter body: A closure that changes the entity.
    /// - Returns: The body's return value, or `nil` if the entity isn't stored or the cache is deallocated. Then the
    ///   body is not called.
    /// - Throws: The error that the body throws. Then the entity isn't changed.
    /// - Complexity: The time of the body, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let cache else { return nil }
        let update = EntityUpdate(of: slot, in: table, of: cache)
        return try cache.run(update, of: slot.id(of: Value.self), storing: EntityBatch<Value>?.none, body)
    }

    /// Stores other entities and changes the entity of the handle, in one commit.
    ///
    ///     post.update(storing: [author]) { $0.authorID = author.id }
    ///
    /// - Parameters:
    ///   - entities: The entities to store with the change.
    ///   - body: A closure that changes the entity of the handle. It receives a copy, runs without a lock, and runs
    ///     again if another thread replaces the entity before the result is stored.
    /// - Returns: The body's return value, or `nil` if the entity of the handle isn't stored or the cache is
    ///   deallocated. Then nothing is stored.
    /// - Throws: The error that the body throws. Then nothing is stored.
    /// - Complexity: O(*m*) on average for *m* entities, and O(*n*) for the *n* observers of the changed keys.
    @discardableResult
    @inlinable
    public func update<Related: Cachable, Result, Failure: Error>(
        storing entities: some Sequence<Related>,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let cache else { return nil }
        let related = cache.registry.table(of: Related.self).takeUnretainedValue()
        let batch = EntityBatch(entities, table: related)
        let update = EntityUpdate(of: slot, in: table, of: cache)
        return try cache.run(update, of: slot.id(of: Value.self), storing: batch, body)
    }
}

extension Cached: Hashable {
    /// Returns whether two handles were made with the same identifier and the same cache.
    public static func == (lhs: Cached, rhs: Cached) -> Bool { lhs.slot == rhs.slot }

    /// Feeds the identity of the key and the cache into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(slot) }
}

extension Cached: CustomStringConvertible, CustomReflectable {
    /// A text with the key of the entity: `Cached<Blog.Post("1")>`.
    public var description: String { "Cached<\(cache?.withoutWatching { key } ?? key)>" }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Cached: Observable {
    /// Calls a closure with the current entity, and again whenever it changes.
    ///
    ///     let subscription = post.observe { change in
    ///         print(change.value?.title ?? "gone")
    ///     }
    ///
    /// The first call is made before this method returns. Each later call has a newer state than the call before.
    /// Commits that arrive while the closure runs are folded into one call. The closure runs on a thread that commits,
    /// with no lock held, and may read, write, subscribe and cancel. Writing an equal value of an `Equatable` type
    /// doesn't notify. A ``value`` that is read after this method has returned is at least as new as the last call.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the current state.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    @inlinable
    public func observe(
        initial: Bool = true,
        _ onChange: @escaping @Sendable (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        subscribe(EntityObserver(beginsWithCall: initial) { onChange(EntityChange($0)) }, initial)
    }

    @usableFromInline
    func subscribe(_ observer: EntityObserver, _ isInitial: Bool) -> CacheSubscription {
        // After the cache is deallocated, no observer is called.
        guard let cache else { return CacheSubscription() }
        if table.mayForward { return cache.subscribe(observer, to: table, id: slot.id(of: Value.self), isInitial) }
        let (initial, registration) = table.withSlot(slot) {
            (
                isInitial ? SlotChange(initialStateOf: slot, table.layout) : nil,
                SlotRegistration(adding: observer, to: slot, of: table)
            )
        }
        cache.begin(observer, with: initial)
        return CacheSubscription(observer, [registration])
    }

    /// A sequence of the values of the entity: the current one, then each new one.
    ///
    /// The element is `nil` while the entity isn't stored. The sequence keeps neither the handle nor the cache alive.
    /// It ends when the cache is deallocated.
    public var updates: CacheUpdates<Value?> { CacheUpdates(of: slot.id(of: Value.self), in: reference) }
}
