internal import Synchronization

extension FlatCache {
    /// Sets the fetcher of a type, which loads several entities in one call.
    ///
    ///     cache.setFetcher(of: Account.self) { ids in
    ///         try await server.accounts(ids)
    ///     }
    ///
    /// ``fetch(_:id:_:isolation:)`` calls the fetcher with the identifiers of missing entities. Each call has a task of
    /// its own, in which the cache is ``current``. The returned entities are stored in one commit, including entities
    /// that weren't requested. A requested entity that the fetcher leaves out is an error for the requests that wait
    /// for it. An error that the fetcher throws is an error for all requests that wait for the call, except
    /// ``NotModified``. The task is cancelled when no request waits for it any more.
    ///
    /// A fetcher may use the cache, and should use ``current`` for that. The cache keeps the fetcher, so a fetcher that
    /// captures the cache keeps it alive forever. A running call keeps the cache alive until the fetcher returns, even
    /// if no request waits for it. A fetch that no request waits for and whose call has not begun doesn't keep the
    /// cache alive.
    ///
    /// A fetcher must not wait for its own call. ``FetchError/cyclic(_:)`` lists the cases that are detected.
    ///
    /// Set fetchers where the cache is created, before entities are fetched. Setting a fetcher replaces the previous
    /// one. Running calls of the previous fetcher continue for the requests that wait for them. The new fetcher is
    /// called for new requests, also for the same entities, and for requests whose call has not begun.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age at which a stored entity becomes stale, so that `cacheFirst` fetches it again, or `nil` for
    ///     never. Each write resets the age. Entities that were written before the first `maxAge` was given to the
    ///     cache have an unknown age and are stale.
    ///   - batchLimit: The maximum number of identifiers in one call, at least 1.
    ///   - batchWindow: How long to collect identifiers for a call, by the clock of the cache. Without a window, one
    ///     call has the identifiers that are requested before the next turn of the requesting actor. If several actors
    ///     make requests, the first turn of any of them counts.
    ///   - load: A closure that returns the entities with the identifiers, in any order.
    public func setFetcher<Value: Cachable>(
        of type: Value.Type,
        maxAge: Duration? = nil,
        batchLimit: Int = .max,
        batchWindow: Duration? = nil,
        _ load: @escaping @Sendable (_ ids: Set<Value.ID>) async throws -> [Value]
    ) {
        setFetcher(of: type, maxAge: maxAge, batchLimit: batchLimit, batchWindow: batchWindow) { ids, answer in
            answer.insert(contentsOf: try await load(ids))
        }
    }

    /// Sets the fetcher of a type, which loads each entity in a call of its own.
    ///
    ///     cache.setFetcher(of: Account.self) { id in
    ///         try await server.account(id)
    ///     }
    ///
    /// Calls of the fetcher run concurrently, each in a task in which the cache is ``current``. Concurrent requests for
    /// one entity share a call. A returned entity is stored, even if it isn't the requested one. If the fetcher returns
    /// `nil`, the requests that wait for the call throw ``FetchError/notFound(_:)``. The cache keeps the fetcher, so
    /// use ``current`` in it instead of capturing the cache. Setting a fetcher replaces the previous one.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age at which a stored entity becomes stale, so that `cacheFirst` fetches it again, or `nil` for
    ///     never.
    ///   - load: A closure that returns the entity with the identifier, or `nil` if the server doesn't have it.
    @_disfavoredOverload
    public func setFetcher<Value: Cachable>(
        of type: Value.Type,
        maxAge: Duration? = nil,
        _ load: @escaping @Sendable (_ id: Value.ID) async throws -> Value?
    ) {
        setFetcher(of: type, maxAge: maxAge, batchLimit: 1) { ids, answer in
            for id in ids {
                if let value = try await load(id) { answer.insert(value) }
            }
        }
    }

    /// Sets the fetcher of a type, which can also load entities of other types.
    ///
    ///     cache.setFetcher(of: Status.self) { ids, answer in
    ///         for status in try await server.statuses(ids) {
    ///             answer.insert(status.account)
    ///             answer.insert(status.entity)
    ///         }
    ///     }
    ///
    /// After the fetcher returns, all entities in the answer are stored in one commit. A requested entity that isn't in
    /// the answer is an error for the requests that wait for it. Concurrent requests for one entity share a call.
    /// Requests that are made before the next turn of the requesting actor, or within `batchWindow`, are one call. The
    /// cache keeps the fetcher, so use ``current`` in it instead of capturing the cache. Setting a fetcher replaces the
    /// previous one.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age at which a stored entity becomes stale, so that `cacheFirst` fetches it again, or `nil` for
    ///     never.
    ///   - batchLimit: The maximum number of identifiers in one call, at least 1.
    ///   - batchWindow: How long to collect identifiers for a call, by the clock of the cache.
    ///   - load: A closure that inserts the entities with the identifiers into the answer, and any others that the
    ///     server sends.
    public func setFetcher<Value: Cachable>(
        of type: Value.Type,
        maxAge: Duration? = nil,
        batchLimit: Int = .max,
        batchWindow: Duration? = nil,
        _ load: @escaping @Sendable (_ ids: Set<Value.ID>, _ answer: inout FetchAnswer) async throws -> Void
    ) {
        if maxAge != nil {
            history.object.startClock()
            registry.table(of: type).takeUnretainedValue().mayBeStale.store(true, ordering: .relaxed)
        }
        fetchQueue(of: type).setFetcher(
            Fetcher(
                maxAge: maxAge,
                terms: FetcherTerms(batchLimit: max(batchLimit, 1), batchWindow: batchWindow),
                load: load
            )
        )
    }

    /// Removes the fetcher of a type, so that requests for entities that aren't stored fail.
    ///
    /// Running calls continue for the requests that wait for them. Requests that wait for a call that has not begun
    /// throw ``FetchError/noFetcher(_:)``.
    ///
    /// - Parameter type: The type of the entities.
    public func removeFetcher<Value: Cachable>(of type: Value.Type) {
        existingFetchQueue(of: type)?.setFetcher(nil)
    }

    /// Marks an entity as stale until it is written again.
    ///
    ///     cache.invalidate(Post.self, id: "1")
    ///
    /// The entity stays in the cache, and no observer is notified. The next request with `cacheFirst` calls the
    /// fetcher. The answer to an earlier call is stored, but doesn't make the entity fresh. The mark takes effect
    /// immediately, even in a transaction.
    ///
    /// A store keeps the mark. The mark of an entity that is only in the store lasts until the process ends. An entity
    /// that is written less than a millisecond or two after the mark counts as stale again when it is evicted and
    /// loaded.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity. The entity need not be stored.
    /// - Complexity: O(1) on average.
    public func invalidate<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        let handle = Cached(type, id: currentID(of: type, id), in: self)
        if !handle.slotState.isConfirmed, mayHaveStored(type) {
            // When the store loads the entity, the time of its last write shows whether it was before the mark.
            history.object.startClock()
            history.followClock()
        }
        // The new revision separates earlier calls from later ones.
        fetchQueue(of: type).change { $0.invalidated(FetchEntity(marking: handle), at: history.nextRevision()) }
        handle.table.mayBeStale.store(true, ordering: .relaxed)
        handle.table.noteInvalidation(of: handle.slot)
    }

    /// Marks the entity of a key as stale until it is written again.
    ///
    /// - Parameter key: The key of the entity. The entity need not be stored.
    /// - Complexity: O(1) on average.
    public func invalidate(_ key: FlatCacheKey) {
        func open<Value: Cachable>(_ type: Value.Type) {
            if let id = key.id(as: type) { invalidate(type, id: id) }
        }
        open(key.entityType)
    }

    /// Marks all entities of a type as stale, each until it is written again.
    ///
    /// It includes entities that only a store has, also after a restart.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(1).
    public func invalidateAll<Value: Cachable>(of type: Value.Type) { markAll(of: type) }

    /// The same as ``invalidateAll(of:)``.
    ///
    /// - Returns: The time of the mark as a ``ChangedEntity/stamp``, or 0 if no store takes the changes.
    @discardableResult
    package func markAll<Value: Cachable>(of type: Value.Type) -> UInt64 {
        let table = registry.table(of: type).takeUnretainedValue()
        // A store distinguishes the later writes by their times.
        if table.hasJournal { history.object.startClock() }
        history.followClock()
        var revision: UInt64 = 0
        fetchQueue(of: type).change {
            revision = history.nextRevision()
            return $0.allInvalidated(at: revision)
        }
        table.mayBeStale.store(true, ordering: .relaxed)
        table.noteInvalidation()
        return history.object.stamp(of: revision) ?? 0
    }
}
