public import Synchronization

extension FlatCache {
    /// Returns an entity from the cache or from the fetcher, according to a policy.
    ///
    ///     let author = try await cache.fetch(Author.self, id: post.authorID)
    ///
    /// Concurrent requests for one entity share one call of the fetcher. Entities that are requested in the same turn
    /// of an actor are loaded in one call. A request waits only for the turn of its own caller's actor. The answer is
    /// stored before this method returns, and the returned entity is the stored one. The answer doesn't replace writes
    /// that are made after the request.
    ///
    /// If the type has a ``Cachable/merge``, the answer is merged with the stored entity, and the result is returned. A
    /// request also ends if the answer to another call has the entity.
    ///
    /// If the task is cancelled while it waits, this method throws immediately. The call of the fetcher is cancelled
    /// when no other request waits for any of its entities. An entity that needs no fetcher is returned even to a
    /// cancelled task.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    ///   - policy: Whether to take the entity from the cache or from the fetcher.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity.
    /// - Throws: The reason why the entity could not be fetched. Only ``Cached/status`` keeps the error; the next
    ///   request tries again.
    /// - Complexity: O(1) on average for an entity that need not be fetched.
    @discardableResult
    @inlinable
    public func fetch<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Value {
        if let value = fresh(Value.self, id: id, policy) {
            noteRequest(hits: 1, misses: 0)
            return value
        }
        return try await load(id, policy, isolation: isolation)
    }

    /// Returns several entities of a type from the cache or from the fetcher, according to a policy.
    ///
    ///     let authors = try await cache.fetch(Author.self, ids: posts.map(\.authorID))
    ///
    /// Concurrent requests for one entity share one call of the fetcher. Each answer is stored in one commit, and
    /// doesn't replace writes that are made after the request. If `ids` is empty, nothing is fetched. If the task is
    /// cancelled while it waits, this method throws immediately.
    ///
    /// - Parameters:
    ///   - type: The type of the entities; can be omitted if it is inferred.
    ///   - ids: The identifiers. An identifier that occurs twice is requested once, and its entity is returned twice.
    ///   - policy: Whether to take the entities from the cache or from the fetcher.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entities in the order of their identifiers, all from one state of the cache.
    /// - Throws: The reason why some entities could not be fetched. ``FetchError/notFound(_:)`` has the keys of all
    ///   entities that the fetcher left out; the other entities are in the cache by then. Other errors are thrown as
    ///   soon as they are known.
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
            if values.count == ids.count {
                noteRequest(hits: values.count, misses: 0)
                return values
            }
        }
        return try await load(ids, policy, isolation: isolation)
    }

    /// Whether a request takes any stored entity of a type from the cache.
    ///
    /// It doesn't if layers can show an entity in place of one that only a store has, which is loaded.
    @inlinable
    func isAnyFresh<Value: Cachable>(_ type: Value.Type, _ policy: FetchPolicy) -> Bool {
        guard policy.source == .cacheFirst || policy.source == .cacheOnly, let table = registry.find(type),
            !table._withUnsafeGuaranteedRef({ $0.hasLayers }) || !mayHaveStored(type)
        else { return false }
        if policy.source == .cacheOnly { return true }
        return policy.maxAge == nil && table._withUnsafeGuaranteedRef { !$0.mayBeStale.load(ordering: .relaxed) }
    }

    /// The entity that a request takes from the cache, or `nil` if the fast check can't decide.
    @inlinable
    func fresh<Value: Cachable>(_ type: Value.Type, id: Value.ID, _ policy: FetchPolicy) -> Value? {
        if isAnyFresh(type, policy) { return get(type, id: id) }
        guard policy.source == .cacheFirst, history.snapshotOfThread == nil, let table = registry.find(type),
            let oldest = table._withUnsafeGuaranteedRef({ $0.oldestFreshRevision(policy.maxAge) })
        else { return nil }
        let hash = HashedID(id)
        return table._withUnsafeGuaranteedRef { table in
            guard case .found(let slot) = table.lockedSlotToRead(for: id, hash) else { return nil }
            defer { table.shards[hash].unlock() }
            if slot.isLayered { return nil }
            slot.noteUse()
            return slot.visibleRevision < oldest ? nil : slot.copy(of: Value.self)
        }
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
        // Each identifier is looked up once, here. After this an entity is identified by its slot.
        let handles = ids.map { Cached(Value.self, id: currentID(of: Value.self, $0), in: self) }
        // Without a suspension, so that the requests of one turn of the caller's actor are one batch.
        if policy.source != .networkOnly, mayHaveStored(Value.self), let connection {
            let missing = handles.distinct { !handles[$0].slotState.isConfirmed }
            if !missing.isEmpty {
                await connection.loadStored(
                    Value.self,
                    ids: missing.map { $0.id },
                    endsIfCancelled: true,
                    isolation: isolation
                )
                if Task.isCancelled { throw .cancelled(missing.map { $0.key }) }
            }
        }
        let since = history.lastRevision
        switch policy.source {
        case .cacheOnly:
            let found = handles.distinct { handles[$0].slotState.isStored }.count
            noteRequest(hits: found, misses: handles.distinct().count - found)
            return try stored(handles) { .notCached($0) }
        case .cacheFirst, .networkOnly:
            let queue = fetchQueue(of: Value.self)
            let awaited =
                policy.source == .networkOnly
                ? handles.distinct().map { EntityReading(of: $0) } : queue.stale(handles, policy.maxAge, history.object)
            if policy.source == .cacheFirst {
                noteRequest(hits: handles.distinct().count - awaited.count, misses: awaited.count)
            }
            try await queue.perform(queue.request(awaited, [], since, policy), isolation: isolation)
        case .cacheAndNetwork:
            let stored = current(handles)
            let missing = handles.distinct { stored[$0] == nil }.map { EntityReading(of: $0) }
            let present = handles.distinct { stored[$0] != nil }.map { EntityReading(of: $0) }
            noteRequest(hits: present.count, misses: missing.count)
            let queue = fetchQueue(of: Value.self)
            try await queue.perform(queue.request(missing, present, since, policy), isolation: isolation)
            // The background fetch may already have replaced the entities. The request returns those that were stored.
            if missing.isEmpty { return stored.compactMap { $0 } }
        }
        // What is stored now can be of another session, because everything was removed meanwhile.
        if registry.clearedRevision > since { throw .removed(handles.map { $0.key }) }
        return try stored(handles) { .removed($0) }
    }

    /// Counts the entities of a request, if requests are counted.
    @inlinable
    func noteRequest(hits: Int, misses: Int) {
        if history.counters.countsRequests.pointee.load(ordering: .relaxed) {
            requestCounts.note(hits: hits, misses: misses)
        }
    }

    /// The entities of handles, all from one state of the cache.
    private func current<Value: Cachable>(_ handles: [Cached<Value>]) -> [Value?] {
        handles.count == 1 ? [handles[0].current] : readTogether { handles.map { $0.current } }
    }

    /// The entities of handles, all from one state of the cache.
    ///
    /// Throws an error with the keys of missing entities.
    private func stored<Value: Cachable>(
        _ handles: [Cached<Value>],
        orThrow error: ([FlatCacheKey]) -> FetchError
    ) throws(FetchError) -> [Value] {
        let values = current(handles)
        let missing = handles.distinct { values[$0] == nil }
        guard missing.isEmpty else { throw error(missing.map({ $0.key })) }
        return values.compactMap { $0 }
    }

    /// The fetch queue of a type.
    func fetchQueue<Value: Cachable>(of type: Value.Type) -> FetchQueue<Value> {
        if let queue = existingFetchQueue(of: type) { return queue }
        let table = registry.table(of: type).takeUnretainedValue()
        // The queue of a table has the table's type.
        return unsafeDowncast(table.companion.storeIfNil(FetchQueue<Value>(of: self)), to: FetchQueue<Value>.self)
    }

    /// The fetch queue of a type, or `nil` before the first fetcher is set or the first entity is requested.
    func existingFetchQueue<Value: Cachable>(of type: Value.Type) -> FetchQueue<Value>? {
        registry.find(type)?.takeUnretainedValue().companion.load().map {
            unsafeDowncast($0, to: FetchQueue<Value>.self)
        }
    }
}

extension Cached {
    /// Returns the entity from the cache or from the fetcher, according to a policy.
    ///
    ///     let post = try await handle.fetch()
    ///
    /// Concurrent requests for one entity share one call of the fetcher. The answer is stored before this method
    /// returns, and doesn't replace writes that are made after the request. If the task is cancelled while it waits,
    /// this method throws immediately.
    ///
    /// - Parameters:
    ///   - policy: Whether to take the entity from the cache or from the fetcher.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity.
    /// - Throws: The reason why the entity could not be fetched; ``FetchError/cacheGone(_:)`` if the cache is
    ///   deallocated.
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
    /// The oldest revision of an entity that isn't stale, or `nil` if the queue must be asked about each entity.
    @usableFromInline func oldestFreshRevision(_ maxAge: Duration?) -> UInt64? {
        guard let companion = companion.load() else { return nil }
        // The only companion of a table is the queue of its type.
        let queue = unsafeDowncast(companion, to: ErasedFetchQueue.self)
        if queue.mustLookAtMarks { return nil }
        return queue.oldestFreshRevision(maxAge, in: history.object)
    }
}

extension FetchQueue {
    /// A new request for entities.
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

    /// The entities that are missing, too old or marked as stale, each once.
    fileprivate func stale(
        _ handles: [Cached<Value>],
        _ maxAge: Duration?,
        _ history: History
    ) -> [EntityReading] {
        let handles = handles.distinct()
        let invalidations = look { $0.invalidations }
        let oldest = oldestYoungRevision(maxAge, in: history)
        return handles.compactMap { handle in
            let reading = EntityReading(of: handle)
            let (slot, revision) = (handle.slotIdentity, reading.state.revision)
            let isFresh =
                reading.state.isStored && revision > invalidations.stale(slot)
                && invalidations.written(slot, revision) >= oldest
            return isFresh ? nil : reading
        }
    }
}

extension Array {
    /// The handles whose places satisfy a condition, each entity once.
    fileprivate func distinct<Value>(
        where condition: (_ place: Int) -> Bool = { _ in true }
    ) -> [Element] where Element == Cached<Value> {
        if count == 1 { return condition(0) ? self : [] }
        var known: Set<SlotIdentity> = []
        var distinct: [Element] = []
        for place in indices where condition(place) && known.insert(self[place].slotIdentity).inserted {
            distinct.append(self[place])
        }
        return distinct
    }
}
