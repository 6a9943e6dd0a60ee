extension FlatCache {
    /// Calls a closure with a value that another closure computes from this cache, and again whenever the value
    /// changes.
    ///
    ///     let subscription = cache.observe {
    ///         post.author?.avatar
    ///     } onChange: { avatar in
    ///         show(avatar)
    ///     }
    ///
    /// All entities that the first closure reads from this cache are dependencies of the value, whether present or
    /// missing. The closure can read by methods of the cache, handles, lists, references and generated accessors, over
    /// any number of relationships. When a commit changes a dependency, the closure runs again, once per commit, and
    /// its new reads replace the dependencies. Other commits have no cost.
    ///
    /// The first call, with the first value, is made before this method returns. Each value is computed from one state
    /// of the cache, as in ``read(_:)``, which is never older than the state of the value before. No commit is missed
    /// between them. If the value is `Equatable` and equal to the last one, `onChange` isn't called. Commits that
    /// arrive while the closures run are folded into one run. Both closures run on the thread that commits, with no
    /// lock held.
    ///
    /// Writes that leave `Equatable` entities equal don't run the closure, with two exceptions: changes of more than
    /// 4,096 entities wait, or the write comes while another change begins a run.
    ///
    /// While the first closure runs, this cache is the ``current`` one. The closure should only read, and its result
    /// should depend only on this cache. Changes of variables and of other caches aren't observed. Reads on other
    /// threads, in tasks, and in the body of a ``transaction(_:)`` or an `update` aren't observed either.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the first value.
    ///   - value: A closure that computes the value.
    ///   - onChange: The closure to call with the value.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: The time of the closures, and O(*n*) on average for *n* entities that the first one reads.
    public func observe<Value: Sendable>(
        initial: Bool = true,
        _ value: @escaping @Sendable () -> Value,
        onChange: @escaping @Sendable (Value) -> Void
    ) -> CacheSubscription {
        observe(DerivedValue(in: reference, skippingUpTo: initial ? nil : .max, value), onMainActor: false, onChange)
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

    /// Returns a sequence of the values that a closure computes from this cache.
    ///
    ///     for await name in cache.updates({ post.author?.name }) { title = name }
    ///
    /// All entities that the closure reads from this cache are dependencies of the value, whether present or missing.
    /// When a commit changes a dependency, the iterator runs the closure again. The closure runs in the task that
    /// iterates, when the task asks for a value, and reads one state of the cache. It should only read. Reads on other
    /// threads, in tasks, and in the body of a ``transaction(_:)`` or an `update` aren't observed.
    ///
    /// - Parameter value: A closure that computes the value.
    /// - Returns: A sequence with the first value, then each value that differs from the one before. Values that are
    ///   not `Equatable` are not compared. The sequence ends when the cache is deallocated, or after a value for which
    ///   the closure has read nothing, because such a value can't change.
    public func updates<Value: Sendable>(_ value: @escaping @Sendable () -> Value) -> CacheUpdates<Value> {
        CacheUpdates(computing: value, in: reference)
    }
}

extension CacheUpdates {
    /// Creates a sequence of the values that a closure computes in the task that iterates.
    init(computing value: @escaping @Sendable () -> Element, in cache: WeakReference<FlatCache>) {
        self.init(in: cache) { _, signal in
            let observer = DependencyTracker(signal: signal)
            let derivation = DerivedValue(in: cache, value)
            return PolledObservation(subscription: CacheSubscription(observer, [])) {
                // While a value was computed, more changes may have arrived, and their signal may have been consumed.
                while observer.takeNews() {
                    if let value = derivation.next(observer) { return .element(value) }
                }
                return observer.isWatching && cache.object != nil ? .nothing : .end
            }
        }
    }
}
