extension FlatCache {
    /// Makes an entity as fresh as a write, without a write.
    ///
    ///     cache.markFresh(Post.self, id: "1", since: revision)        // the server has answered: not modified
    ///
    /// The age of the entity begins again, and a mark by ``invalidate(_:id:)`` ends. No observer is notified. Nothing is done if
    /// the entity isn't in memory, or was written or invalidated after the revision. The call takes effect immediately, even in
    /// a transaction. A store keeps the time of the last write, so after a restart the age is the time since then.
    ///
    /// In a request of the app, throw ``FlatCache/FlatCache/NotModified`` instead of calling this method.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    ///   - revision: A revision from before the request, or `nil` if nothing can have changed since.
    /// - Complexity: O(1) on average.
    public func markFresh<Value: Cachable>(_ type: Value.Type, id: Value.ID, since revision: CacheRevision? = nil) {
        let handle = Cached(type, id: currentID(of: type, id), in: self)
        let state = handle.slotState
        guard state.isStored, state.isConfirmed, state.revision <= revision?.number ?? .max else { return }
        history.followClock()
        let now = history.nextRevision()
        let entity = FetchEntity(marking: handle)
        fetchQueue(of: type).change { queue in
            queue.refreshed(entity, of: state.revision, since: revision?.number ?? now, at: now)
        }
    }

    /// Makes the entity of a key as fresh as a write, without a write.
    ///
    /// See ``markFresh(_:id:since:)``.
    ///
    /// - Parameters:
    ///   - key: The key of the entity.
    ///   - revision: A revision from before the request, or `nil` if nothing can have changed since.
    /// - Complexity: O(1) on average.
    public func markFresh(_ key: FlatCacheKey, since revision: CacheRevision? = nil) {
        func open<Value: Cachable>(_ type: Value.Type) {
            if let id = key.id(as: type) { markFresh(type, id: id, since: revision) }
        }
        open(key.entityType)
    }
}
