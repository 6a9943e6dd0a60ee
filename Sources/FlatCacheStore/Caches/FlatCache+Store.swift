public import FlatCache

extension FlatCache {
    /// Creates a cache with the entities that a store has, and keeps the store current from then on.
    ///
    ///     let store = FileStore(at: folder)
    ///     try FlatCache.setShared(try await FlatCache(store: store, for: Post.self, Author.self))
    ///
    /// Entities, lists and references of the types are stored, with the times of their last writes and their marks as stale. So
    /// an entity that is too old for a fetcher's `maxAge` is fetched again. No merge and no delete rule runs while entities are
    /// restored.
    ///
    /// ## Writing
    ///
    /// A commit only notes which entities have changed. Some time later a thread of the store writes them, with everything that
    /// has changed up to one commit. So after a crash the store has the state after some commit, and never a part of one. An
    /// entity that changes often is written once. No commit waits for the store. ``flush()`` writes everything at once.
    ///
    /// ## Errors
    ///
    /// If the store fails to write, the cache goes on in memory, and writes again later. An entity that can't be read stays in
    /// the store, and isn't in memory.
    ///
    /// - Parameters:
    ///   - store: The store, which must not be in use by another cache.
    ///   - types: The types to restore and to keep. Entities of other types in the store remain there; see
    ///     ``CacheStore/otherTypes``.
    ///   - onDemand: More types to keep, whose entities stay on disk until they are fetched. So many of them need no memory. A
    ///     fetch by `cacheFirst` or `cacheOnly` looks in memory, then in the store, then at the
    ///     fetcher. All else sees the entities in memory only: `get`, accessors, queries, counts and backlinks.
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
    /// A mutation whose arguments can't be decoded isn't begun, and `onError` receives the error. It stays in the store, and is
    /// one of the `keptMutations`. In a cache without a store, or whose store is open for reading only, this does
    /// nothing. In a `transaction`, the mutations are begun after its end, also if it throws.
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
