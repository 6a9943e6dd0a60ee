// An accessor of a value from another cache than the current one finds nothing, and its setter stores the related
// entities where nobody looks for them. Builds for debugging say so.

extension FlatCache {
    /// Says once, in builds for debugging, that an accessor has found nothing here, if only another cache has entities
    /// of the accessor's type.
    @inlinable @inline(__always)
    func noteIfOther(_ owner: any Any.Type, _ accessor: StaticString) {
        #if DEBUG
        noteIfOther(owner, "\(accessor)", "found nothing")
        #endif
    }

    /// This cache, used by an accessor that stores or fetches.
    ///
    /// Builds for debugging say once if only another cache has entities of the accessor's type.
    @inlinable
    public func _used(by owner: any Any.Type, _ accessor: StaticString = #function) -> FlatCache {
        #if DEBUG
        noteIfOther(owner, "\(accessor)", "stores")
        #endif
        return self
    }
}

#if DEBUG
extension FlatCache {
    @usableFromInline @inline(never)
    func noteIfOther(_ owner: any Any.Type, _ accessor: String, _ what: String) {
        // The body of a transaction may have stored the entity.
        guard history.transactionOfThread == nil, let owner = owner as? any Cachable.Type, !holds(owner),
            let other = LivingCaches.all.first(where: { $0 !== self && $0.holds(owner) })
        else { return }
        let name = String(reflecting: owner)
        DeveloperNotes.sayOnce("\(name).\(accessor) in another cache") {
            """
            '\(name).\(accessor)' \(what) in a cache without entities of its type, \(self), while another cache has some, \
            \(other). If the value is from there, make that cache the current one by 'withCurrent(_:_:)', pass it to the \
            accessor as 'in:', or use a handle
            """
        }
    }

    private func holds<Value: Cachable>(_ type: Value.Type) -> Bool {
        registry.find(type)?._withUnsafeGuaranteedRef { $0.committedCount > 0 } ?? false
    }
}

/// The caches of the process.
enum LivingCaches {
    private static let lock = Lock()
    nonisolated(unsafe) private static var references: [ObjectIdentifier: WeakReference<FlatCache>] = [:]

    static var all: [FlatCache] {
        // A cache that is released here is released after the lock.
        lock.withLock { references.values.map { $0 } }.compactMap { $0.object }
    }

    static func add(_ cache: FlatCache) {
        lock.withLock { references[ObjectIdentifier(cache)] = cache.reference }
    }

    static func remove(_ cache: FlatCache) {
        _ = lock.withLock { references.removeValue(forKey: ObjectIdentifier(cache)) }
    }
}
#endif
