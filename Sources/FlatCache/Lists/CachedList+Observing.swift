extension CachedList {
    /// Calls a closure with the order and the entities, now and whenever a commit changes the order or one of the entities.
    ///
    ///     let subscription = home.observe { state in show(state.values) }
    ///
    /// However many of them a commit changes, the closure is called once for it, as that of
    /// ``FlatCache/observe(initial:_:onChange:)`` is.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the state now.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func observe(
        initial: Bool = true,
        _ onChange: @escaping @Sendable (CachedListState<Value>) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe(initial: initial, { state }, onChange: onChange)
    }

    /// The order and the entities over time: what is there now, then each other state.
    ///
    ///     for await state in home.updates { show(state.values) }
    ///
    /// The sequence doesn't keep the cache alive. It ends when the cache goes.
    public var updates: CacheUpdates<CachedListState<Value>> {
        CacheUpdates(computing: { state }, in: handle.reference)
    }
}

#if canImport(Combine)
extension CachedList {
    /// A publisher of the order and the entities.
    public var publisher: CachePublisher<CachedListState<Value>> { CachePublisher(in: handle.reference) { self.state } }
}
#endif
