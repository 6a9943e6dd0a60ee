extension FlatCache {
    /// Calls a closure with the state of one entity, now and whenever it changes.
    ///
    ///     let subscription = cache.observe(Post.self, id: "1") { change in
    ///         print(change.value?.title ?? "gone")
    ///     }
    ///
    /// The first call, with the kind ``ChangeKind/initial``, is made before this method returns. No commit is missed
    /// between it and the next one; nor is one missed without it, after this method has returned. The entity need not be
    /// stored yet.
    ///
    /// Calls follow each other, each with a newer state than the one before; commits that come while the closure runs are
    /// folded into one call. The closure runs on the thread that commits, or on the one that was calling it when the
    /// commit came. It may read, write, subscribe, cancel and clear. Writes that leave an `Equatable` entity equal
    /// don't notify.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity.
    ///   - initial: Whether to begin with a call for the state now.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    /// - Complexity: O(1) on average.
    @inlinable
    public func observe<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        initial: Bool = true,
        onChange: @escaping @Sendable (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let observer = EntityObserver(beginsWithCall: initial, EntityCallback(onChange))
        return subscribe(observer, to: registry.table(of: Value.self).takeUnretainedValue(), id: id, initial)
    }

    @usableFromInline
    func subscribe<Value: Cachable>(
        _ observer: EntityObserver,
        to table: Table<Value>,
        id: Value.ID,
        _ isInitial: Bool
    ) -> CacheSubscription {
        let (initial, registration) = table.withSlot(for: id, HashedID(id)) { slot in
            (
                isInitial ? PendingChange(initialStateOf: slot) : nil,
                SlotRegistration(adding: observer, to: slot, of: table)
            )
        }
        begin(observer, with: initial)
        return CacheSubscription(observer, [registration])
    }

    /// Makes the first call of an observer, which is registered.
    func begin(_ observer: EntityObserver, with initial: (any SlotChange)?) {
        SyncPoint.reach(.subscribed)
        guard let initial else { return }
        Delivery.begin(observer, in: self) { observer.deliver(first: initial) }
    }

    /// Calls a closure with what each commit changes among several keys, of one type or many.
    ///
    ///     let subscription = cache.observe(timeline.map(\.flatCacheKey)) { changes in
    ///         reload(changes.updated)
    ///         delete(changes.removed)
    ///     }
    ///
    /// However many of the keys a commit changes, the closure is called once for it, with the net change. The first call, with
    /// the keys that are stored as ``ChangeSet/inserted``, is made before this method returns. Otherwise calls are made as those
    /// of ``observe(_:id:initial:onChange:)`` are.
    ///
    /// - Parameters:
    ///   - keys: The keys, whose entities need not be stored yet.
    ///   - initial: Whether to begin with a call for the state now.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    /// - Complexity: O(*n*) on average for *n* keys.
    public func observe(
        _ keys: some Sequence<FlatCacheKey>,
        initial: Bool = true,
        onChange: @escaping @Sendable (ChangeSet) -> Void
    ) -> CacheSubscription {
        begin(KeySetObserver(isInitial: initial, onChange), for: Set(keys), initial)
    }

    func begin(_ observer: KeySetObserver, for keys: Set<FlatCacheKey>, _ isInitial: Bool) -> CacheSubscription {
        let subscription = subscribe(observer, to: keys, isInitial)
        if isInitial { Delivery.begin(observer, in: self) { observer.begin() } }
        return subscription
    }

    /// Returns the values of one entity over time: the stored one, then each that replaces it.
    ///
    ///     for await post in cache.updates(of: Post.self, id: "1") { show(post) }
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity, which need not be stored yet.
    /// - Returns: A sequence with `nil` for the times in which the entity is not stored.
    public func updates<Value: Cachable>(of type: Value.Type = Value.self, id: Value.ID) -> CacheUpdates<Value?> {
        CacheUpdates(of: id, in: reference)
    }

    /// Returns the changes of several keys over time.
    ///
    ///     for await changes in cache.changes(of: posts.map(\.flatCacheKey)) { reload(changes.updated) }
    ///
    /// - Parameters:
    ///   - keys: The keys, whose entities need not be stored yet.
    ///   - initial: Whether to begin with the state when iteration begins: the keys that are stored as ``ChangeSet/inserted``.
    /// - Returns: A sequence with a change set for each commit that changes one of the keys. Commits that come faster than the
    ///   iterator asks are folded into one change set.
    public func changes(of keys: some Sequence<FlatCacheKey>, initial: Bool = true) -> CacheUpdates<ChangeSet> {
        let keys = Set(keys)
        return CacheUpdates(in: reference) { cache, signal in
            let observer = KeySetObserver(isInitial: initial, signal: signal)
            return PolledObservation(subscription: cache.subscribe(observer, to: keys, initial)) {
                observer.takeChanges().map { .element($0) } ?? .nothing
            }
        }
    }

    func subscribe(_ observer: KeySetObserver, to keys: Set<FlatCacheKey>, _ isInitial: Bool) -> CacheSubscription {
        let registrations = keys.compactMap { register(observer, for: $0, $0.entityType, isInitial) }
        SyncPoint.reach(.subscribed)
        return CacheSubscription(observer, registrations)
    }

    private func register<Value: Cachable>(
        _ observer: KeySetObserver,
        for key: FlatCacheKey,
        _ type: Value.Type,
        _ isInitial: Bool
    ) -> (any Registration)? {
        guard let id = key.id(as: type) else { return nil }
        let table = registry.table(of: type).takeUnretainedValue()
        let (registration, folded) = table.withSlot(for: id, HashedID(id)) { slot in
            let initial = isInitial && slot.isStored ? PendingChange(initialStateOf: slot) : nil
            return (
                SlotRegistration(adding: KeySubscription(of: observer), to: slot, of: table),
                initial.flatMap { observer.post(GatheredChanges([$0])) }
            )
        }
        withExtendedLifetime(folded) {}
        return registration
    }
}

extension CacheUpdates {
    /// Creates a sequence of one entity, which is `nil` while it isn't stored.
    init<Value: Cachable>(of id: Value.ID, in cache: WeakReference<FlatCache>) where Element == Value? {
        self.init(in: cache) { cache, signal in
            let table = cache.registry.table(of: Value.self).takeUnretainedValue()
            let (observer, registration) = table.withSlot(for: id, HashedID(id)) { slot in
                let observer = EntityObserver(PendingChange(initialStateOf: slot), signal: signal)
                return (observer, SlotRegistration(adding: observer, to: slot, of: table))
            }
            return PolledObservation(subscription: CacheSubscription(observer, [registration])) {
                observer.takeChange(of: Value.self).map { .element($0.value) } ?? .nothing
            }
        }
    }
}
