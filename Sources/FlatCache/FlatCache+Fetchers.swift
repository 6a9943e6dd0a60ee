internal import Synchronization

extension FlatCache {
    /// Sets what fetches entities of a type, several in one call.
    ///
    ///     cache.setFetcher(of: Account.self) { ids in
    ///         try await server.accounts(ids)
    ///     }
    ///
    /// ``fetch(_:id:_:isolation:)`` calls it with the identifiers of what is missing, in a
    /// task of its own in which the cache is ``current``. What it returns is stored in one commit; entities that nobody has
    /// asked for are stored, too, and those that it leaves out are errors for who waits for them. What it throws is an
    /// error for everybody who waits for the call. Its task is cancelled when nobody waits any more.
    ///
    /// A fetcher may use the cache. It should do so through ``current``: the cache keeps the fetcher, so that a fetcher that
    /// refers to the cache keeps it alive for ever. A running call keeps the cache alive until the fetcher has returned, also
    /// when nobody waits for it. Requests that nobody waits for and that have not been called for don't.
    ///
    /// A fetcher must not wait for its own call; ``FetchError/cyclic(_:)`` says what is detected.
    ///
    /// Setting a fetcher replaces the one before. Calls of that go on, for those who wait for them; everything that is asked
    /// for from now on, and what has not been called for yet, is for the new one.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age from which on a stored entity is stale, so that `cacheFirst` fetches it again; `nil` for never.
    ///     Every write makes an entity new. The age of what was written before the cache has heard of any `maxAge` is not
    ///     known: it is stale.
    ///   - batchLimit: The most identifiers in one call; at least 1.
    ///   - batchWindow: How long to gather identifiers for a call, by the clock of the cache. Without a window, what is
    ///     asked for before the next turn of the asking actor is in one call; when several actors ask, before the first of
    ///     their turns.
    ///   - load: Returns the entities with the identifiers, in any order.
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

    /// Sets what fetches entities of a type, each in a call of its own.
    ///
    ///     cache.setFetcher(of: Account.self) { id in
    ///         try await server.account(id)
    ///     }
    ///
    /// Calls of such a fetcher run side by side. Requests for one entity share one, as those of fetchers for several do.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age from which on a stored entity is stale; `nil` for never.
    ///   - load: Returns the entity with the identifier; `nil` when the server has none.
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

    /// Sets what fetches entities of a type, and brings others with them.
    ///
    ///     cache.setFetcher(of: Status.self) { ids, answer in
    ///         for status in try await server.statuses(ids) {
    ///             answer.insert(status.account)
    ///             answer.insert(status.entity)
    ///         }
    ///     }
    ///
    /// All that is put into the answer is stored in one commit, when the fetcher has returned. Requests are gathered and
    /// shared as for fetchers that return entities of one type.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - maxAge: The age from which on a stored entity is stale; `nil` for never.
    ///   - batchLimit: The most identifiers in one call; at least 1.
    ///   - batchWindow: How long to gather identifiers for a call, by the clock of the cache.
    ///   - load: Puts the entities with the identifiers into the answer, and whatever else it knows.
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

    /// Removes what fetches entities of a type: from now on fetching one is an error, unless it is stored.
    ///
    /// Calls that are running go on, for those who wait for them. Who waits for a call that has not begun gets
    /// ``FetchError/noFetcher(_:)``.
    ///
    /// - Parameter type: The type of the entities.
    public func removeFetcher<Value: Cachable>(of type: Value.Type) {
        existingFetchQueue(of: type)?.setFetcher(nil)
    }

    /// Declares an entity stale, until it is written anew.
    ///
    ///     cache.invalidate(Post.self, id: "1")
    ///
    /// The entity stays in the cache, and nobody is notified; the next `fetch` by `cacheFirst` asks the fetcher. An answer to
    /// a call that was made before is stored, but doesn't make the entity fresh. Takes effect at once, also in a
    /// transaction.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity, which need not be stored.
    /// - Complexity: O(1) on average.
    public func invalidate<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        let handle = Cached(type, id: id, in: self)
        // A revision of its own separates earlier calls from later ones.
        fetchQueue(of: type).change { $0.invalidated(FetchEntity(handle), at: history.nextRevision()) }
        handle.table.mayBeStale.store(true, ordering: .relaxed)
    }

    /// Declares the entity of a key stale, until it is written anew.
    ///
    /// - Parameter key: The key of the entity, which need not be stored.
    /// - Complexity: O(1) on average.
    public func invalidate(_ key: FlatCacheKey) {
        func open<Value: Cachable>(_ type: Value.Type) {
            if let id = key.id(as: type) { invalidate(type, id: id) }
        }
        open(key.entityType)
    }

    /// Declares all entities of a type stale, each until it is written anew.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(1).
    public func invalidateAll<Value: Cachable>(of type: Value.Type) {
        fetchQueue(of: type).change { $0.allInvalidated(at: history.nextRevision()) }
        registry.table(of: type).takeUnretainedValue().mayBeStale.store(true, ordering: .relaxed)
    }
}
