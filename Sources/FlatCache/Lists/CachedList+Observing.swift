extension CachedList {
    /// Calls a closure with the order and the entities of the list, and again whenever a commit changes them.
    ///
    ///     let subscription = home.observe { state in show(state.values) }
    ///
    /// The first call is made before this method returns. The closure is called once per commit that changes the order
    /// or listed entities. Each call has a newer state than the call before. Commits that arrive while the closure runs
    /// are folded into one call. The closure runs on a thread that commits, with no lock held, and may read, write,
    /// subscribe and cancel.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the current state.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    /// - Complexity: O(*n*) on average for *n* identifiers. A commit of one entity costs O(log *n*), and the first read of
    ///   ``CachedListState/values`` in each state O(*n*).
    public func observe(
        initial: Bool = true,
        _ onChange: @escaping @Sendable (CachedListState<Value>) -> Void
    ) -> CacheSubscription {
        observe(initial: initial, onMainActor: false, onChange)
    }

    func observe(
        initial: Bool,
        onMainActor: Bool,
        _ onChange: @escaping @Sendable (CachedListState<Value>) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        let receiver = LiveList<Value>.Receiver.callback({ state in { onChange(state) } })
        let live = LiveList(of: name, in: cache, onMainActor: onMainActor, receiver)
        return live.begin(in: cache, isSilent: !initial)
    }

    /// A sequence of states of the list: the current one, then each new one.
    ///
    ///     for await state in home.updates { show(state.values) }
    ///
    /// The sequence doesn't keep the cache alive. It ends when the cache is deallocated.
    public var updates: CacheUpdates<CachedListState<Value>> {
        CacheUpdates(in: handle.reference) { [name] cache, signal in
            let live = LiveList<Value>(of: name, in: cache, .signal(signal))
            return PolledObservation(subscription: live.begin(in: cache)) {
                live.takeAnswer().map { .element($0) } ?? .nothing
            }
        }
    }
}

#if canImport(Combine)
extension CachedList {
    /// A publisher of states of the list: the current one, then each new one.
    public var publisher: CachePublisher<CachedListState<Value>> { CachePublisher(in: handle.reference) { self.state } }
}
#endif
