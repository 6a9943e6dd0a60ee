public import Synchronization

extension FlatCache {
    /// Returns an entity, fetched if need be.
    ///
    ///     let author = try await cache.fetch(Author.self, id: post.authorID)
    ///
    /// Concurrent calls for one entity share one call of the fetcher, and entities that are asked for in the same turn of
    /// an actor are fetched together. No call waits for the turn of an actor that isn't its caller's. The answer is stored
    /// before this method returns; the entity returned is the stored one. A write that is made after this call does not get
    /// lost: the answer doesn't replace it.
    ///
    /// When the task is cancelled, this method throws at once. The fetcher is cancelled when nobody else waits for
    /// anything that it is loading. An entity that needs no fetcher is returned to a cancelled task, too.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity.
    ///   - policy: Where to take the entity from.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity.
    /// - Throws: Why the entity could not be fetched. An error is not remembered, except by ``Cached/status``: the next call
    ///   tries again.
    /// - Complexity: O(1) on average for an entity that need not be fetched, as for ``get(_:id:)``.
    @discardableResult
    @inlinable
    public func fetch<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Value {
        if let value = fresh(Value.self, id: id, policy) { return value }
        return try await load(id, policy, isolation: isolation)
    }

    /// Returns several entities of a type, fetched if need be.
    ///
    ///     let authors = try await cache.fetch(Author.self, ids: posts.map(\.authorID))
    ///
    /// Without identifiers, nothing is fetched. Requests are shared and answers stored as for one entity.
    ///
    /// - Parameters:
    ///   - type: The type of the entities; can be omitted where it is inferred.
    ///   - ids: The identifiers. One that is there twice is asked for once and gives its entity twice.
    ///   - policy: Where to take the entities from.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entities in the order of their identifiers, all of one state of the cache.
    /// - Throws: Why some of the entities could not be fetched. ``FetchError/notFound(_:)`` names all that the fetcher does
    ///   not know; the others are in the cache then. Other errors are thrown as soon as they are known.
    /// - Complexity: O(*n*) on average for *n* entities that need not be fetched.
    @discardableResult
    @inlinable
    public func fetch<Value: Cachable>(
        _ type: Value.Type = Value.self,
        ids: some Sequence<Value.ID>,
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> [Value] {
        let ids = Array(ids)
        if ids.isEmpty { return [] }
        if isAnyFresh(Value.self, policy) {
            let values = readTogether { get(Value.self, ids: ids) }
            if values.count == ids.count { return values }
        }
        return try await load(ids, policy, isolation: isolation)
    }

    /// Whether a call of `fetch` takes any entity of a type that the cache has.
    @inlinable
    func isAnyFresh<Value: Cachable>(_ type: Value.Type, _ policy: FetchPolicy) -> Bool {
        guard policy.source == .cacheFirst || policy.source == .cacheOnly, let table = registry.find(type) else {
            return false
        }
        if policy.source == .cacheOnly { return true }
        return policy.maxAge == nil && table._withUnsafeGuaranteedRef { !$0.mayBeStale.load(ordering: .relaxed) }
    }

    /// The entity that a call of `fetch` takes from the cache; `nil` when that can't be said in a hurry.
    @inlinable
    func fresh<Value: Cachable>(_ type: Value.Type, id: Value.ID, _ policy: FetchPolicy) -> Value? {
        if isAnyFresh(type, policy) { return get(type, id: id) }
        guard policy.source == .cacheFirst, history.snapshotOfThread == nil, let table = registry.find(type),
            let oldest = table._withUnsafeGuaranteedRef({ $0.oldestFreshRevision(policy.maxAge) })
        else { return nil }
        let hash = HashedID(id)
        guard let shard = table._withUnsafeGuaranteedRef({ $0.shardToRead(hash) }) else { return nil }
        defer { shard.unlock() }
        guard let slot = shard.pointer.pointee.index.find(id, hash) else { return nil }
        return slot._withUnsafeGuaranteedRef { $0.revision < oldest ? nil : $0.copy }
    }

    @usableFromInline
    func load<Value: Cachable>(
        _ id: Value.ID,
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Value {
        let values: [Value] = try await load([id], policy, isolation: isolation)
        guard let value = values.first else { throw .removed([FlatCacheKey(Value.self, id: id)]) }
        return value
    }

    @usableFromInline
    func load<Value: Cachable>(
        _ ids: [Value.ID],
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Value] {
        let since = history.lastRevision
        // Each identifier is looked up once, here; from now on an entity is known by its slot.
        let handles = ids.map { Cached(Value.self, id: $0, in: self) }
        switch policy.source {
        case .cacheOnly:
            return try stored(handles) { .notCached($0) }
        case .cacheFirst, .networkOnly:
            let queue = fetchQueue(of: Value.self)
            let awaited =
                policy.source == .networkOnly
                ? handles.distinct().map { EntityReading(of: $0) } : queue.stale(handles, policy.maxAge, history.object)
            try await queue.perform(queue.request(awaited, [], since, policy), isolation: isolation)
        case .cacheAndNetwork:
            let stored = current(handles)
            let missing = handles.distinct { stored[$0] == nil }.map { EntityReading(of: $0) }
            let present = handles.distinct { stored[$0] != nil }.map { EntityReading(of: $0) }
            let queue = fetchQueue(of: Value.self)
            try await queue.perform(queue.request(missing, present, since, policy), isolation: isolation)
            // What is being fetched behind may be there already, and isn't what was asked for.
            if missing.isEmpty { return stored.compactMap { $0 } }
        }
        return try stored(handles) { .removed($0) }
    }

    /// The entities of handles, all of one state of the cache.
    private func current<Value: Cachable>(_ handles: [Cached<Value>]) -> [Value?] {
        handles.count == 1 ? [handles[0].current] : readTogether { handles.map(\.current) }
    }

    /// The entities of handles, all of one state of the cache; throws an error for those that are missing.
    private func stored<Value: Cachable>(
        _ handles: [Cached<Value>],
        orThrow error: ([FlatCacheKey]) -> FetchError
    ) throws(FetchError) -> [Value] {
        let values = current(handles)
        let missing = handles.distinct { values[$0] == nil }
        guard missing.isEmpty else { throw error(missing.map(\.key)) }
        return values.compactMap { $0 }
    }

    /// What fetches entities of a type.
    func fetchQueue<Value: Cachable>(of type: Value.Type) -> FetchQueue<Value> {
        if let queue = existingFetchQueue(of: type) { return queue }
        let table = registry.table(of: type).takeUnretainedValue()
        // A table's queue is of its type.
        return unsafeDowncast(table.companion.storeIfNil(FetchQueue<Value>(of: self)), to: FetchQueue<Value>.self)
    }

    /// What fetches entities of a type; `nil` before the first fetcher is set or entity fetched.
    func existingFetchQueue<Value: Cachable>(of type: Value.Type) -> FetchQueue<Value>? {
        registry.find(type)?.takeUnretainedValue().companion.load().map {
            unsafeDowncast($0, to: FetchQueue<Value>.self)
        }
    }
}

extension Cached {
    /// Returns the entity, fetched if need be.
    ///
    ///     let post = try await handle.fetch()
    ///
    /// Requests are shared and answers stored as those of ``FlatCache/fetch(_:id:_:isolation:)`` are.
    ///
    /// - Parameters:
    ///   - policy: Where to take the entity from.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity.
    /// - Throws: Why the entity could not be fetched; ``FetchError/cacheGone(_:)`` when the cache is gone.
    @discardableResult
    public func fetch(
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Value {
        guard let cache else { throw .cacheGone(key) }
        return try await cache.fetch(Value.self, id: id, policy, isolation: isolation)
    }
}

extension Table {
    /// The oldest revision of an entity that isn't stale; `nil` when the queue must be asked about each entity.
    @usableFromInline func oldestFreshRevision(_ maxAge: Duration?) -> UInt64? {
        guard let companion = companion.load() else { return nil }
        // A table's only companion is the queue of its type.
        let queue = unsafeDowncast(companion, to: ErasedFetchQueue.self)
        if queue.mustLookAtMarks { return nil }
        return queue.oldestFreshRevision(maxAge, in: history.object)
    }
}

extension FetchQueue {
    /// What a call of `fetch` asks for.
    fileprivate func request(
        _ awaited: [EntityReading],
        _ refreshed: [EntityReading],
        _ since: UInt64,
        _ policy: FetchPolicy
    ) -> FetchRequest {
        FetchRequest(
            number: nextRequest(),
            awaited: awaited,
            refreshed: refreshed,
            since: since,
            needsCall: policy.source == .networkOnly,
            replacesNewerWrites: policy.replacesNewerWrites,
            priority: Task.currentPriority,
            caller: awaited.isEmpty ? nil : .ofTask
        )
    }

    /// Which entities aren't there, or too old, or were declared stale, each once.
    fileprivate func stale(
        _ handles: [Cached<Value>],
        _ maxAge: Duration?,
        _ history: History
    ) -> [EntityReading] {
        let handles = handles.distinct()
        let marks = look { state in handles.map { state.invalidations.stale($0.slotIdentity) } }
        let oldest = oldestFreshRevision(maxAge, in: history)
        return zip(handles, marks).compactMap { handle, mark in
            let reading = EntityReading(of: handle)
            let isFresh = reading.state.isStored && reading.state.revision > mark && reading.state.revision >= oldest
            return isFresh ? nil : reading
        }
    }
}

extension Array {
    /// Those handles whose places satisfy a condition, each entity once.
    fileprivate func distinct<Value>(
        where condition: (_ place: Int) -> Bool = { _ in true }
    ) -> [Element] where Element == Cached<Value> {
        if count == 1 { return condition(0) ? self : [] }
        var known: Set<ObjectIdentifier> = []
        var distinct: [Element] = []
        for place in indices where condition(place) && known.insert(self[place].slotIdentity).inserted {
            distinct.append(self[place])
        }
        return distinct
    }
}
