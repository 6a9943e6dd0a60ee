extension FlatCache {
    /// Calls a closure on the main actor with the current state of one entity, and again whenever it changes.
    ///
    ///     subscription = cache.observe(Post.self, id: "1", on: MainActor.shared) { [weak self] change in
    ///         self?.title = change.value?.title ?? ""
    ///     }
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest state. Each call has a newer state than the call before, and no commit is missed. After the subscription
    /// is cancelled on the main actor, the closure is not called again. Writing an equal value of an `Equatable` type
    /// doesn't notify.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. The entity need not be stored yet.
    ///   - initial: Whether to begin with a call for the current state.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: O(1) on average.
    @inlinable
    public func observe<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        initial: Bool = true,
        on mainActor: MainActor,
        onChange: @escaping @MainActor (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let observer = EntityObserver(beginsWithCall: initial, onMainActor: true) { change in
            MainActor.assumeIsolated { onChange(EntityChange(change)) }
        }
        return subscribe(observer, to: registry.table(of: Value.self).takeUnretainedValue(), id: id, initial)
    }

    /// Calls a closure on the main actor with the changes of each commit to several keys, of one or more types.
    ///
    ///     subscription = cache.observe(keys, on: MainActor.shared) { [weak self] changes in self?.reload(changes.updated) }
    ///
    /// The closure is called once per commit, with the net change of all keys. If this method is called on the main
    /// actor, the first call is made before it returns. A commit on the main actor calls the closure before the commit
    /// returns. After commits on other threads, one task calls the closure with the net change of all of them. After
    /// the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - keys: The keys. Their entities need not be stored yet.
    ///   - initial: Whether to begin with a call for the current state, with the keys of stored entities as
    ///     ``ChangeSet/inserted``.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: O(*n*) on average for *n* keys.
    public func observe(
        _ keys: some Sequence<FlatCacheKey>,
        initial: Bool = true,
        on mainActor: MainActor,
        onChange: @escaping @MainActor (ChangeSet) -> Void
    ) -> CacheSubscription {
        let callback = ChangeSet.callback { changes in MainActor.assumeIsolated { onChange(changes) } }
        let observer = ChangesObserver(isInitial: initial, onMainActor: true, callback)
        return begin(observer, for: Set(keys), initial)
    }

    /// Calls a closure on the main actor with a value that another closure computes from this cache, and again whenever
    /// the value changes.
    ///
    ///     subscription = cache.observe(on: MainActor.shared) {
    ///         post.author?.name
    ///     } onChange: { [weak self] name in
    ///         self?.authorName = name
    ///     }
    ///
    /// Both closures run on the main actor. All entities that the first closure reads from this cache are dependencies
    /// of the value. When a commit changes a dependency, the closure runs again, and its new reads replace the
    /// dependencies. If the value is `Equatable` and equal to the last one, `onChange` isn't called.
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closures before the commit returns. After commits on other threads, one task calls them. After the
    /// subscription is cancelled on the main actor, neither closure is called again.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the first value.
    ///   - mainActor: `MainActor.shared`.
    ///   - value: A closure that computes the value. Only its reads from this cache are observed.
    ///   - onChange: The closure to call with the value.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: The time of the closures, and O(*n*) on average for *n* entities that the first one reads.
    public func observe<Value: Sendable>(
        initial: Bool = true,
        on mainActor: MainActor,
        _ value: @escaping @MainActor () -> Value,
        onChange: @escaping @MainActor (Value) -> Void
    ) -> CacheSubscription {
        let derivation = DerivedValue(in: reference, skippingUpTo: initial ? nil : history.lastRevision) {
            MainActor.assumeIsolated { value() }
        }
        return observe(derivation, onMainActor: true) { value in MainActor.assumeIsolated { onChange(value) } }
    }
}

extension Cached {
    /// Calls a closure on the main actor with the current entity, and again whenever it changes.
    ///
    ///     subscription = post.observe(on: MainActor.shared) { [weak self] change in
    ///         self?.title = change.value?.title ?? ""
    ///     }
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest state. After the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the current state.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    @inlinable
    public func observe(
        initial: Bool = true,
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (EntityChange<Value>) -> Void
    ) -> CacheSubscription {
        let observer = EntityObserver(beginsWithCall: initial, onMainActor: true) { change in
            MainActor.assumeIsolated { onChange(EntityChange(change)) }
        }
        return subscribe(observer, initial)
    }
}

extension CachedList {
    /// Calls a closure on the main actor with the order and the entities of the list, and again whenever a commit
    /// changes them.
    ///
    ///     subscription = home.observe(on: MainActor.shared) { [weak self] state in self?.show(state.values) }
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest state. After the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the current state.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: O(*n*) on average for *n* identifiers. A commit of one entity costs O(log *n*), and the first read of
    ///   ``CachedListState/values`` in each state O(*n*).
    public func observe(
        initial: Bool = true,
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (CachedListState<Value>) -> Void
    ) -> CacheSubscription {
        observe(initial: initial, onMainActor: true) { state in
            MainActor.assumeIsolated { onChange(state) }
        }
    }
}

extension CachedReference {
    /// Calls a closure on the main actor with the entity of the reference, and again whenever the entity or the
    /// reference changes.
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest state. After the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the current state.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    public func observe(
        initial: Bool = true,
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (Value?) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe(initial: initial, on: mainActor, { self.value }, onChange: onChange)
    }
}
