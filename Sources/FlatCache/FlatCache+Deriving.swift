extension FlatCache {
    /// Calls a closure with a value that another one computes from this cache, now and whenever that value changes.
    ///
    ///     let subscription = cache.observe {
    ///         post.author?.avatar
    ///     } onChange: { avatar in
    ///         show(avatar)
    ///     }
    ///
    /// Whatever the first closure reads from this cache is a dependency of the value: by the methods of the cache, by
    /// handles, lists, references and generated accessors, over any number of relationships, present or missing. When a commit
    /// changes one of them, the closure runs again, once for the commit, and what it reads then are the new dependencies.
    /// Other commits cost nothing.
    ///
    /// The first call, with the first value, is made before this method returns. Each value is computed from one state of
    /// the cache, as in ``read(_:)``, and never from an older one than the value before; no commit is missed between them.
    /// A value that is `Equatable` and equal to the last one doesn't notify. Commits that come while the closures run are
    /// folded into one run. Both closures run on the thread that commits, with no lock held.
    ///
    /// While the first closure runs, this cache is the ``current`` one. The closure should only read, and its result should
    /// depend on nothing else that changes: neither other caches nor variables are watched, and nothing that it reads on
    /// other threads, as a task, or inside of a ``transaction(_:)`` or an `update`.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the first value.
    ///   - value: Computes the value.
    ///   - onChange: What to call with the value.
    /// - Returns: The subscription. The closures are called until it is cancelled or released, or until the cache goes.
    /// - Complexity: The closures, and O(*n*) on average for *n* entities that the first one reads.
    public func observe<Value: Sendable>(
        initial: Bool = true,
        _ value: @escaping @Sendable () -> Value,
        onChange: @escaping @Sendable (Value) -> Void
    ) -> CacheSubscription {
        observe(DerivedValue(in: reference, skipsFirst: !initial, value), onMainActor: false, onChange)
    }

    func observe<Value>(
        _ derivation: DerivedValue<Value>,
        onMainActor: Bool,
        _ onChange: @escaping @Sendable (Value) -> Void
    ) -> CacheSubscription {
        let observer = DependencyTracker(onMainActor: onMainActor) { observer in
            guard let value = derivation.next(observer), !observer.isFinished else { return }
            onChange(value)
        }
        Delivery.begin(observer, in: self) { observer.begin() }
        return CacheSubscription(observer, [])
    }

    /// Returns the values over time of what a closure computes from this cache.
    ///
    ///     for await name in cache.updates({ post.author?.name }) { title = name }
    ///
    /// What the closure may do, and when it runs again, is as for ``observe(initial:_:onChange:)``. It runs on the task that asks
    /// for the values, when that asks.
    ///
    /// - Parameter value: Computes the value.
    /// - Returns: A sequence with the first value, then each that differs from the one before. Values that are not `Equatable`
    ///   are not compared. The sequence also ends when the closure has read nothing, because its value is the last one then.
    public func updates<Value: Sendable>(_ value: @escaping @Sendable () -> Value) -> CacheUpdates<Value> {
        CacheUpdates(computing: value, in: reference)
    }
}

extension CacheUpdates {
    /// Creates a sequence of what a closure computes, on the task that asks for it.
    init(computing value: @escaping @Sendable () -> Element, in cache: WeakReference<FlatCache>) {
        self.init(in: cache) { _, signal in
            let observer = DependencyTracker(signal: signal)
            let derivation = DerivedValue(in: cache, value)
            return PolledObservation(subscription: CacheSubscription(observer, [])) {
                // While a value was computed, more news may have come, and the signal of it been taken.
                while observer.takeNews() {
                    if let value = derivation.next(observer) { return .element(value) }
                }
                return observer.isWatching && cache.object != nil ? .nothing : .end
            }
        }
    }
}
