extension FlatCache {
    /// Calls a closure with the current state of one entity, and again whenever it changes.
    ///
    ///     let subscription = cache.observe(Post.self, id: "1") { change in
    ///         print(change.value?.title ?? "gone")
    ///     }
    ///
    /// The first call, with the kind ``ChangeKind/initial``, is made before this method returns. No commit is missed
    /// after it. Without an initial call, no commit is missed after this method has returned. The entity need not be
    /// stored yet.
    ///
    /// Calls don't overlap, and each has a newer state than the call before. Commits that arrive while the closure runs
    /// are folded into one call. The closure runs on the thread that commits, or on the thread that was already running
    /// it when the commit arrived. No lock is held. The closure may read, write, subscribe, cancel and clear. Writing
    /// an equal value of an `Equatable` type doesn't notify.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    ///   - initial: Whether to begin with a call for the current state.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: O(1) on average.
    @inlinable
    public func observe<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        initial: Bool = true,
        onChange: @escaping @Sendable (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let observer = EntityObserver(beginsWithCall: initial) { onChange(EntityChange($0)) }
        return subscribe(observer, to: registry.table(of: Value.self).takeUnretainedValue(), id: id, initial)
    }

    @usableFromInline
    func subscribe<Value: Cachable>(
        _ observer: EntityObserver,
        to table: Table<Value>,
        id: Value.ID,
        _ isInitial: Bool
    ) -> CacheSubscription {
        let (initial, registration) = register(of: id, in: table) { slot in
            (
                isInitial ? SlotChange(initialStateOf: slot, table.layout) : nil,
                SlotRegistration(adding: observer, to: slot, of: table)
            )
        }
        begin(observer, with: initial)
        return CacheSubscription(observer, [registration])
    }

    /// Makes the first call of a registered observer.
    func begin(_ observer: EntityObserver, with initial: SlotChange?) {
        SyncPoint.reach(.subscribed)
        guard let initial else { return }
        Delivery.begin(observer, in: self) { observer.deliver(first: initial) }
    }

    /// Calls a closure with the changes of each commit to several keys, of one or more types.
    ///
    ///     let subscription = cache.observe(timeline.map(\.flatCacheKey)) { changes in
    ///         reload(changes.updated)
    ///         delete(changes.removed)
    ///     }
    ///
    /// The closure is called once per commit, with the net change of all keys. The first call is made before this
    /// method returns. Its ``ChangeSet/inserted`` has the keys of the stored entities. Calls don't overlap. Commits
    /// that arrive while the closure runs are folded into one call. The closure runs on the thread that commits, or on
    /// the thread that was already running it when the commit arrived. No lock is held. The closure may read, write,
    /// subscribe, cancel and clear.
    ///
    /// - Parameters:
    ///   - keys: The keys. Their entities need not be stored yet.
    ///   - initial: Whether to begin with a call for the current state.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: O(*n*) on average for *n* keys.
    public func observe(
        _ keys: some Sequence<FlatCacheKey>,
        initial: Bool = true,
        onChange: @escaping @Sendable (ChangeSet) -> Void
    ) -> CacheSubscription {
        begin(ChangesObserver(isInitial: initial, ChangeSet.callback(onChange)), for: Set(keys), initial)
    }

    func begin(
        _ observer: ChangesObserver,
        for keys: Set<FlatCacheKey>,
        _ isInitial: Bool
    ) -> CacheSubscription {
        let subscription = subscribe(observer, to: keys, isInitial)
        if isInitial { Delivery.begin(observer, in: self) { observer.begin() } }
        return subscription
    }

    /// Returns a sequence of the values of one entity: the current one, then each new one.
    ///
    ///     for await post in cache.updates(of: Post.self, id: "1") { show(post) }
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. The entity need not be stored yet.
    /// - Returns: A sequence whose element is `nil` while the entity is not stored. It doesn't keep the cache alive,
    ///   and ends when the cache is deallocated.
    public func updates<Value: Cachable>(of type: Value.Type = Value.self, id: Value.ID) -> CacheUpdates<Value?> {
        CacheUpdates(of: id, in: reference)
    }

    /// Returns a sequence of the changes of several keys.
    ///
    ///     for await changes in cache.changes(of: posts.map(\.flatCacheKey)) { reload(changes.updated) }
    ///
    /// - Parameters:
    ///   - keys: The keys. Their entities need not be stored yet.
    ///   - initial: Whether to begin with the state at the start of iteration, with the keys of stored entities as
    ///     ``ChangeSet/inserted``.
    /// - Returns: A sequence with a change set for each commit that changes one of the keys. If commits are faster than
    ///   the iterator, they are folded into one change set. The sequence doesn't keep the cache alive, and ends when
    ///   the cache is deallocated.
    public func changes(of keys: some Sequence<FlatCacheKey>, initial: Bool = true) -> CacheUpdates<ChangeSet> {
        let keys = Set(keys)
        return CacheUpdates(in: reference) { cache, signal in
            let observer = ChangesObserver(isInitial: initial, signal: signal)
            return PolledObservation(subscription: cache.subscribe(observer, to: keys, initial)) {
                (observer.takeChanges() as ChangeSet?).map { .element($0) } ?? .nothing
            }
        }
    }

    func subscribe(
        _ observer: ChangesObserver,
        to keys: Set<FlatCacheKey>,
        _ isInitial: Bool
    ) -> CacheSubscription {
        let registrations = keys.compactMap { register(observer, for: $0, $0.entityType, isInitial) }
        SyncPoint.reach(.subscribed)
        return CacheSubscription(observer, registrations)
    }

    /// Registers an observer of a key, or of the key that has replaced it.
    ///
    /// - Parameter add: Adds the observer to a locked slot. It is called again if the identifier was replaced meanwhile.
    func register<Value: Cachable, Result>(
        of id: Value.ID,
        in table: Table<Value>,
        _ add: (Slot) -> (Result, SlotRegistration)
    ) -> (Result, SlotRegistration) {
        var id = id
        while true {
            if table.mayForward {
                ReadContext.runOutside(of: history.object) { id = currentID(of: Value.self, id) }
            }
            let (added, isMissing) = table.withSlot(for: id, HashedID(id)) { slot in (add(slot), !slot.isStored) }
            guard isMissing, table.mayForward else { return added }
            let current = ReadContext.runOutside(of: history.object) { currentID(of: Value.self, id) }
            if current == id { return added }
            added.1.remove()
        }
    }

    private func register<Value: Cachable>(
        _ observer: ChangesObserver,
        for key: FlatCacheKey,
        _ type: Value.Type,
        _ isInitial: Bool
    ) -> (any Registration)? {
        guard let id = key.id(as: type) else { return nil }
        let table = registry.table(of: type).takeUnretainedValue()
        let (folded, registration) = register(of: id, in: table) { slot in
            let initial = isInitial && slot.isStored ? SlotChange(initialStateOf: slot, table.layout) : nil
            return (
                initial.flatMap { observer.post(GatheredChanges([$0])) },
                SlotRegistration(adding: KeySubscription(of: observer), to: slot, of: table)
            )
        }
        withExtendedLifetime(folded) {}
        return registration
    }
}

extension CacheUpdates {
    /// Creates a sequence of one entity.
    ///
    /// The element is `nil` while the entity isn't stored.
    init<Value: Cachable>(of id: Value.ID, in cache: WeakReference<FlatCache>) where Element == Value? {
        self.init(in: cache) { cache, signal in
            let table = cache.registry.table(of: Value.self).takeUnretainedValue()
            let (observer, registration) = cache.register(of: id, in: table) { slot in
                let observer = EntityObserver(SlotChange(initialStateOf: slot, table.layout), signal: signal)
                return (observer, SlotRegistration(adding: observer, to: slot, of: table))
            }
            return PolledObservation(subscription: CacheSubscription(observer, [registration])) {
                observer.takeChange().map { .element($0.entity(of: Value.self)) } ?? .nothing
            }
        }
    }
}
