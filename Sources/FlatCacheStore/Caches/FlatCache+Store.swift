public import FlatCache

extension FlatCache {
    /// Creates a cache with the entities that a store has, and keeps the store current from then on.
    ///
    ///     let store = FileStore(at: folder)
    ///     try FlatCache.setShared(try await FlatCache(store: store, for: Post.self, Author.self))
    ///
    /// Entities, lists and references of the types are stored, with the order of insertion, replaced identifiers, the
    /// times of the last writes and the marks as stale. So an entity that is too old for a fetcher's `maxAge` is
    /// fetched again. If the clock of the device was set back meanwhile, the entity is older than any `maxAge`. No
    /// merge and no delete rule runs while entities are restored.
    ///
    /// A list has its identifiers, its gaps, its mark as stale, and which identifiers the app has added and no page has
    /// brought. Its loader, its cursors and its age aren't stored. So `hasMore` and `hasPrevious` are `true` again,
    /// even if the ends of the list were known. A list without identifiers isn't restored, even if it was loaded:
    /// `lists(of:)` doesn't have it, and `load(.cacheOnly)` throws.
    ///
    /// ## Writing
    ///
    /// A commit only notes which entities have changed. Some time later a thread of the store writes them, with everything that
    /// has changed up to one commit. So after a crash the store has the state after some commit, and never a part of one. An
    /// entity that changes often is written once. No commit waits for the store. ``flush()`` writes everything at once.
    ///
    /// Each commit doesn't become a batch of its own, so the store has no history of changes. A batch has everything
    /// since the one before. If commits are faster than the store for long, such as an import of a million entities,
    /// batches become larger, ``flush()`` takes longer, and a crash loses more. Observers of a crashed process may have
    /// seen commits that aren't on disk.
    ///
    /// ## Errors
    ///
    /// If the store fails to write, the cache goes on in memory, and writes again: after a second at first, and after a
    /// minute at most. An entity that can't be read stays in the store, and isn't in memory.
    ///
    /// - Parameters:
    ///   - store: The store, which must not be in use by another cache.
    ///   - types: The types to restore and to keep. Name all types that refer to each other, or the related entities
    ///     are missing after the start. Other types of the cache are in memory only. Entities of other types in the
    ///     store remain there; see ``CacheStore/otherTypes``.
    ///   - onDemand: More types to keep, whose entities stay on disk until they are fetched. So many of them need no
    ///     memory. A fetch by `cacheFirst` or `cacheOnly`, also by a generated accessor, looks in memory, then in the
    ///     store, then at the fetcher. All else sees the entities in memory only: `get`, accessors, queries, counts and
    ///     backlinks. A loaded entity has the place in the order of insertion that it had. One that is stored while
    ///     another one with its identifier is only on disk gets the last place. An entity that was stored again under a
    ///     replaced identifier is in memory from the start, because reads would find the one that has replaced it.
    ///   - access: Whether changes are written. With ``StoreAccess/readOnly``, another process may write;
    ///     ``CacheStore/refresh()`` reads what it has written.
    ///   - delay: The time between a commit and the writing of its changes.
    ///   - name: The name of the cache in messages.
    ///   - clock: The clock for the age of entities and for batch windows.
    ///   - onError: A closure that receives errors that no call throws, on a thread of the store: of writes in the background,
    ///     and of entities that can't be read or encoded. Without it, they are written to the standard error of the process.
    /// - Throws: A ``StoreError`` if the store can't be opened or read, or if it has entities of a newer version. Then nothing is
    ///   changed in the store.
    /// - Complexity: O(*n*) for *n* stored entities.
    public convenience init(
        store: some EntityStore,
        for types: any Storable.Type...,
        onDemand: [any Storable.Type] = [],
        access: StoreAccess = .readWrite,
        writingAfter delay: Duration = .milliseconds(100),
        name: String? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        onError: @escaping @Sendable (StoreError) -> Void = { $0.writeToStandardError() }
    ) async throws(StoreError) {
        let connection = CacheStore(store, access, onDemand: onDemand, delay: delay, time: .ofSystem, onError: onError)
        try await self.init(connection, for: types + onDemand, name: name, clock: clock)
    }

    convenience init(
        _ connection: CacheStore,
        for types: [any Storable.Type],
        name: String? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) async throws(StoreError) {
        self.init(name: name, clock: clock)
        try await connection.open(types, for: self)
        // Nobody else has the cache yet.
        connect(connection)
    }

    /// The connection to the store of the cache, or `nil` if the cache was created without one.
    public var store: CacheStore? { connection as? CacheStore }

    /// Registers types of mutations, and begins those again that an earlier process has begun and not ended.
    ///
    ///     cache.registerMutations(Favourite.self, NewComment.self)
    ///
    /// An app calls it once after it has created the cache, when it can send. When this method returns, the changes of the
    /// mutations are shown again. They are sent as those that are begun now, in the order in which they were begun: after a
    /// registration of some types, mutations with a key of `MutationOrder` wait for earlier ones of other types.
    ///
    /// A mutation whose arguments can't be decoded isn't begun, and `onError` receives the error. It stays in the
    /// store, and is one of the `keptMutations`. In a cache without a store, or whose store is open for reading only,
    /// this does nothing, and no changes of stored mutations are shown. In a `transaction`, the mutations are begun
    /// after its end, also if it throws.
    ///
    /// If two processes that write in turn register the same types, both can send a mutation, with the same idempotency
    /// key.
    ///
    /// - Parameter types: The types.
    public func registerMutations(_ types: any StorableMutation.Type...) {
        _ = connection?.register(mutations: types, in: self)
    }

    /// Writes everything that was committed before, and returns when it survives a crash.
    ///
    /// In a cache without a store this does nothing.
    ///
    /// - Throws: A ``StoreError`` if the store fails. Then the changes remain in memory and are written again later. If an entity
    ///   can't be encoded, each call throws its error until it is stored, changed or removed.
    public func flush() async throws(StoreError) { try await store?.flush() }
}
