extension FlatCache {
    /// Calls a closure on the main actor with the state of one entity, now and whenever it changes.
    ///
    ///     subscription = cache.observe(Post.self, id: "1", on: MainActor.shared) { [weak self] change in
    ///         self?.title = change.value?.title ?? ""
    ///     }
    ///
    /// The first call is made before this method returns if it is called on the main actor. A commit on the main actor calls
    /// the closure before it returns; other commits have one task call it, with the newest state. Calls have the order of
    /// ``observe(_:id:initial:onChange:)``. Once the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity, which need not be stored yet.
    ///   - initial: Whether to begin with a call for the state now.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache is released.
    /// - Complexity: O(1) on average.
    @inlinable
    public func observe<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        initial: Bool = true,
        on mainActor: MainActor,
        onChange: @escaping @MainActor (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let callback = EntityCallback { (change: EntityChange<Value>) in MainActor.assumeIsolated { onChange(change) } }
        let observer = EntityObserver(beginsWithCall: initial, onMainActor: true, callback)
        return subscribe(observer, to: registry.table(of: Value.self).takeUnretainedValue(), id: id, initial)
    }

    /// Calls a closure on the main actor with what each commit changes among several keys, of one type or many.
    ///
    ///     subscription = cache.observe(keys, on: MainActor.shared) { [weak self] changes in self?.reload(changes.updated) }
    ///
    /// The closure is called as that of ``observe(_:id:initial:on:onChange:)`` is, once for a commit, with the net change.
    ///
    /// - Parameters:
    ///   - keys: The keys, whose entities need not be stored yet.
    ///   - initial: Whether to begin with a call for the state now: the keys that are stored as ``ChangeSet/inserted``.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache is released.
    /// - Complexity: O(*n*) on average for *n* keys.
    public func observe(
        _ keys: some Sequence<FlatCacheKey>,
        initial: Bool = true,
        on mainActor: MainActor,
        onChange: @escaping @MainActor (ChangeSet) -> Void
    ) -> CacheSubscription {
        let observer = KeySetObserver(isInitial: initial, onMainActor: true) { changes in
            MainActor.assumeIsolated { onChange(changes) }
        }
        return begin(observer, for: Set(keys), initial)
    }

    /// Calls a closure on the main actor with a value that another one computes from this cache, now and whenever that value
    /// changes.
    ///
    ///     subscription = cache.observe(on: MainActor.shared) {
    ///         post.author?.name
    ///     } onChange: { [weak self] name in
    ///         self?.authorName = name
    ///     }
    ///
    /// Both closures run on the main actor. They are called as those of ``observe(initial:_:onChange:)`` are: before this method
    /// returns if it is called on the main actor, before a commit on the main actor returns, and in one task after others. Once
    /// the subscription is cancelled on the main actor, neither is called again.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the first value.
    ///   - mainActor: `MainActor.shared`.
    ///   - value: Computes the value. Only what it reads from this cache is observed.
    ///   - onChange: What to call with the value.
    /// - Returns: The subscription. The closures are called until it is cancelled or released, or until the cache is released.
    /// - Complexity: The closures, and O(*n*) on average for *n* entities that the first one reads.
    public func observe<Value: Sendable>(
        initial: Bool = true,
        on mainActor: MainActor,
        _ value: @escaping @MainActor () -> Value,
        onChange: @escaping @MainActor (Value) -> Void
    ) -> CacheSubscription {
        let derivation = DerivedValue(in: reference, skipsFirst: !initial) { MainActor.assumeIsolated { value() } }
        return observe(derivation, onMainActor: true) { value in MainActor.assumeIsolated { onChange(value) } }
    }
}

extension Cached {
    /// Calls a closure on the main actor with the entity, now and whenever it changes.
    ///
    ///     subscription = post.observe(on: MainActor.shared) { [weak self] change in
    ///         self?.title = change.value?.title ?? ""
    ///     }
    ///
    /// The closure is called as that of ``FlatCache/observe(_:id:initial:on:onChange:)`` is.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the state now.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache is released.
    @inlinable
    public func observe(
        initial: Bool = true,
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let callback = EntityCallback { (change: EntityChange<Value>) in MainActor.assumeIsolated { onChange(change) } }
        return subscribe(EntityObserver(beginsWithCall: initial, onMainActor: true, callback), initial)
    }
}

extension CachedList {
    /// Calls a closure on the main actor with the order and the entities, now and whenever a commit changes one of them.
    ///
    ///     subscription = home.observe(on: MainActor.shared) { [weak self] state in self?.show(state.values) }
    ///
    /// The closure is called as that of ``FlatCache/observe(initial:on:_:onChange:)`` is.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the state now.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache is released.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func observe(
        initial: Bool = true,
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (CachedListState<Value>) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe(initial: initial, on: mainActor, { self.state }, onChange: onChange)
    }
}

extension CachedReference {
    /// Calls a closure on the main actor with the entity, now and whenever it is another one or has changed.
    ///
    /// The closure is called as that of ``FlatCache/observe(initial:on:_:onChange:)`` is.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the state now.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache is released.
    public func observe(
        initial: Bool = true,
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (Value?) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe(initial: initial, on: mainActor, { self.value }, onChange: onChange)
    }
}
