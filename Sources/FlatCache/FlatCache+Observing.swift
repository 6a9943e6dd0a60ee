extension FlatCache {
    /// Calls a closure with the state of one entity, now and whenever it changes.
    ///
    ///     let subscription = cache.observe(Post.self, id: "1") { change in
    ///         print(change.value?.title ?? "gone")
    ///     }
    ///
    /// The first call, with the kind ``EntityChange/Kind/initial``, is made before this method returns. No commit is missed
    /// between it and the next one. The entity need not be stored yet.
    ///
    /// Calls follow each other, each with a newer state than the one before; commits that come while the closure runs are
    /// folded into one call. The closure runs on the thread that commits, or on the one that was calling it when the
    /// commit came. It may read, write, subscribe, cancel and clear. Writes that leave an `Equatable` entity equal are not
    /// told.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be left out where the closure tells it.
    ///   - id: The identifier of the entity.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    /// - Complexity: O(1) on average.
    @inlinable
    public func observe<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        onChange: @escaping @Sendable (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let observer = EntityObserver(beginsWithCall: true, EntityCallback(onChange))
        return subscribe(observer, to: registry.table(of: Value.self).takeUnretainedValue(), id: id)
    }

    @usableFromInline
    func subscribe<Value: Cachable>(
        _ observer: EntityObserver,
        to table: Table<Value>,
        id: Value.ID
    ) -> CacheSubscription {
        let (initial, registration) = table.withSlot(for: id, HashedID(id)) { slot in
            (Transition(initialStateOf: slot), SlotRegistration(adding: observer, to: slot, of: table))
        }
        RacePoint.reach(.subscribed)
        Delivery.begin(observer, in: self) { observer.deliver(first: initial) }
        return CacheSubscription(observer, [registration])
    }

    /// Calls a closure with what each commit changes among several keys, of one type or many.
    ///
    ///     let subscription = cache.observe(timeline.map(\.flatCacheKey)) { changes in
    ///         reload(changes.updated)
    ///         delete(changes.removed)
    ///     }
    ///
    /// However many of the keys a commit changes, the closure is called once for it, with the net change. There is no call
    /// for the state at the beginning. Everything else is as for ``observe(_:id:onChange:)``.
    ///
    /// - Parameters:
    ///   - keys: The keys, whose entities need not be stored yet.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    /// - Complexity: O(*n*) on average for *n* keys.
    public func observe(
        _ keys: some Sequence<FlatCacheKey>,
        onChange: @escaping @Sendable (ChangeSet) -> Void
    ) -> CacheSubscription {
        subscribe(KeySetObserver(onChange), to: Set(keys))
    }

    /// Returns the values of one entity over time: the stored one, then each that replaces it.
    ///
    ///     for await post in cache.updates(of: Post.self, id: "1") { show(post) }
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be left out where the context tells it.
    ///   - id: The identifier of the entity, which need not be stored yet.
    /// - Returns: A sequence with `nil` for the times in which the entity is not stored.
    public func updates<Value: Cachable>(of type: Value.Type = Value.self, id: Value.ID) -> EntityUpdates<Value> {
        EntityUpdates(of: id, in: reference)
    }

    /// Returns the changes of several keys over time.
    ///
    ///     for await changes in cache.changes(of: posts.map(\.flatCacheKey)) { reload(changes.updated) }
    ///
    /// - Parameter keys: The keys, whose entities need not be stored yet.
    /// - Returns: A sequence with a change set for each commit, or for several that came too fast.
    public func changes(of keys: some Sequence<FlatCacheKey>) -> KeyChanges {
        KeyChanges(of: Set(keys), in: reference)
    }

    func subscribe(_ observer: KeySetObserver, to keys: Set<FlatCacheKey>) -> CacheSubscription {
        CacheSubscription(observer, keys.compactMap { register(observer, for: $0, $0.entityType) })
    }

    private func register<Value: Cachable>(
        _ observer: KeySetObserver,
        for key: FlatCacheKey,
        _ type: Value.Type
    ) -> (any Registration)? {
        guard let id = key.id(as: type) else { return nil }
        let table = registry.table(of: type).takeUnretainedValue()
        return table.withSlot(for: id, HashedID(id)) { slot in
            SlotRegistration(adding: SlotMember(of: observer), to: slot, of: table)
        }
    }
}
