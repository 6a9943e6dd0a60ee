internal import Synchronization

extension FlatCache {
    /// Limits the number of entities of a type in memory.
    ///
    ///     cache.setLimit(10_000, for: Post.self)
    ///
    /// If more are stored, those that weren't read for the longest time are evicted. Reads by `get`, handles, accessors and
    /// fetches count. Reads of many entities at once don't: queries, lists and `allValues`.
    ///
    /// An evicted entity isn't deleted. Its change is ``ChangeKind/evicted``, in a commit with the origin `eviction`.
    /// No delete rule runs, lists and references keep its identifier, which is one of ``CachedList/missingIDs``, and a
    /// store keeps it. A fetch brings it back, from the store if there is one, else from the fetcher. Queries, counts
    /// and backlinks are about the entities in memory; ``isComplete(_:)`` returns whether these are all.
    ///
    /// ## What is never evicted
    ///
    /// - An entity with a handle, an observer of its key, or a running update, transaction or fetch.
    /// - The entity of a reference, and the first entities of each list.
    /// - The answers of observed queries with a limit.
    /// - What these entities refer to, over as many relationships as `depth` says.
    /// - An entity that a store hasn't written yet.
    /// - An entity that is stored again under a replaced identifier.
    ///
    /// An observed list protects only its first entities. One that is longer than the limit loses others while it is
    /// observed: its observer is notified that they are missing. `keeps` of the list says how many remain:
    /// `cache.list("home", keeps: 200)`. Observers of whole types, observed queries without a limit, and views that
    /// have read an entity without a handle protect nothing. If so much is protected that the limit can't be kept, it
    /// is exceeded; ``statistics`` says by how much.
    ///
    /// ## When
    ///
    /// A write that inserts an entity above the limit evicts some, in a commit of its own, before it returns. It
    /// doesn't evict what it has just stored, except for entities of a commit of several that are more than the limit.
    /// A write that can evict too few leaves it to later ones. An eviction takes about a microsecond for each entity,
    /// if the limit is some hundred or more and few lists and entities of other types protect those of the type. A read
    /// takes as long as without a limit. A limit of about 100 or less sometimes evicts an entity that was read
    /// recently.
    ///
    /// ## With a store
    ///
    /// Answers of fetchers and of `load` keep and merge what the store has of evicted entities. All other writes look
    /// in memory only: an `update` changes nothing, and what a `merge`, `insertIfAbsent` or a patch makes replaces the
    /// entity in the store. Use ``withLoaded(_:ids:isolation:_:)`` and ``loadAndStore(_:since:origin:isolation:)``.
    ///
    /// - Parameters:
    ///   - count: The number of entities. A number below 1 counts as 1. It replaces an earlier limit of the type.
    ///   - type: The type.
    ///   - maxAge: The time after its last write after which an entity is evicted, too, whether it was read or not, or `nil`. It
    ///     is looked for at writes, eight times in that time or each hour, and by ``evictNow()``.
    ///   - depth: The number of relationships from what is needed to what is protected. It follows
    ///     ``RelationshipOwner/allRelationships``, which the build plugin generates.
    ///   - keeps: The number of entities at the beginning of a list that are protected, for lists that don't say it themselves.
    /// - Complexity: O(*n*) for *n* stored entities. A write that evicts takes O(1) on average for each evicted entity. It
    ///   also visits the first entities of all lists of the type, and the entities of types that refer to it. If these are many, it
    ///   evicts more at once, up to half of the limit.
    @inlinable public func setLimit<Value: Cachable>(
        _ count: Int,
        for type: Value.Type,
        maxAge: Duration? = nil,
        depth: Int = 1,
        keeps: Int = 50
    ) {
        setLimit(EvictionOptions<Value>(count, maxAge: maxAge, depth: depth, keeps: keeps), .init())
    }

    /// Limits the sum of the costs of the entities of a type in memory.
    ///
    ///     cache.setLimit(cost: 50_000_000, for: Attachment.self) { $0.data.count }
    ///
    /// It is kept as that of ``setLimit(_:for:maxAge:depth:keeps:)``. All writes of the type take longer, because the costs
    /// of old and new entities are added up by an observer of the type.
    ///
    /// - Parameters:
    ///   - cost: The sum of the costs. A number below 1 counts as 1. It replaces an earlier limit of the type.
    ///   - type: The type.
    ///   - maxAge: The time after its last write after which an entity is evicted, too, or `nil`.
    ///   - depth: The number of relationships from what is needed to what is protected.
    ///   - keeps: The number of entities at the beginning of a list that are protected, for lists that don't say it themselves.
    ///   - costOf: A closure that returns the cost of an entity, always the same for the same entity. A negative cost is 0. No
    ///     lock is held meanwhile.
    /// - Complexity: O(*n*) for *n* stored entities.
    @inlinable public func setLimit<Value: Cachable>(
        cost: Int,
        for type: Value.Type,
        maxAge: Duration? = nil,
        depth: Int = 1,
        keeps: Int = 50,
        _ costOf: @escaping @Sendable (Value) -> Int
    ) {
        setLimit(EvictionOptions<Value>(cost, cost: costOf, maxAge: maxAge, depth: depth, keeps: keeps), .init())
    }

    @usableFromInline func setLimit<Value: Cachable>(_ options: EvictionOptions<Value>, _ code: TableLimit<Value>.Code)
    {
        let limit = TableLimit(of: registry.table(of: Value.self).takeUnretainedValue(), options, code)
        let old = limits.replace(Value.self, with: limit)
        old?.end()
        limit.begin(in: self)
    }

    /// Removes the limit of a type.
    ///
    /// - Parameter type: The type. Without a limit this does nothing.
    /// - Complexity: O(1).
    public func removeLimit<Value: Cachable>(for type: Value.Type) {
        limits.replace(type, with: nil)?.end()
        updateNextLook()
    }

    /// Evicts the entities that exceed the limits or are too old.
    ///
    /// Writes do so themselves. This is for an app that doesn't write for long, or has released many handles. In a
    /// ``transaction(_:)`` it does nothing. It doesn't wait for entities that a write of another thread is evicting.
    ///
    /// - Complexity: O(*n*) for *n* entities of the types with limits.
    public func evictNow() { keepLimits(.asked) }

    /// Returns whether all entities of a type that were stored and not removed are in memory.
    ///
    /// It is `false` after an eviction, and if a store has entities that can't be decoded, until all entities of the type are
    /// removed. It is `false` for types that a store loads when they are asked for. Then queries, counts and backlinks may miss
    /// entities. It is the current state, also in the body of a `read` or a transaction, and nobody is notified of its changes.
    ///
    /// - Parameter type: The type.
    /// - Complexity: O(1).
    public func isComplete<Value: Cachable>(_ type: Value.Type) -> Bool {
        if hasEvicted(type) || connection?.loadsOnDemand(type) == true { return false }
        return registry.find(type)?.takeUnretainedValue().hasUnreadable.load(ordering: .relaxed) != true
    }

    /// Whether entities of a type were evicted since all were removed.
    func hasEvicted<Value: Cachable>(_ type: Value.Type) -> Bool {
        registry.find(type)?.takeUnretainedValue().hasEvicted.load(ordering: .relaxed) ?? false
    }
}
