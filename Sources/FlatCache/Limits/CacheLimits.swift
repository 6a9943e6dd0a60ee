public import Synchronization

/// The limits of a cache, at most one for each type.
@usableFromInline
final class CacheLimits: @unchecked Sendable {  // The lock guards the variable.
    /// Whether there is a limit, or was one.
    let mayExist = Atomic(false)
    private let lock = Lock()
    private var limits: [ObjectIdentifier: any ErasedTableLimit] = [:]

    /// Sets or removes the limit of a type.
    ///
    /// - Returns: The limit that it had.
    func replace(_ type: any Cachable.Type, with limit: (any ErasedTableLimit)?) -> (any ErasedTableLimit)? {
        if limit != nil { mayExist.store(true, ordering: .relaxed) }
        return lock.withLock {
            defer { limits[ObjectIdentifier(type)] = limit }
            return limits[ObjectIdentifier(type)]
        }
    }

    subscript(type: any Cachable.Type) -> (any ErasedTableLimit)? { lock.withLock { limits[ObjectIdentifier(type)] } }

    var all: [any ErasedTableLimit] { lock.withLock { Array(limits.values) } }
}

extension FlatCache {
    /// Marks entities as read that are protected from now on, so that an eviction that is in progress leaves them.
    ///
    /// - Parameters:
    ///   - type: Their type.
    ///   - ids: Returns their identifiers, given the number of entities that a list keeps.
    func noteProtection<Value: Cachable>(
        of type: Value.Type,
        _ ids: (_ keeps: Int) -> some Sequence<Value.ID>
    ) {
        if limits.mayExist.load(ordering: .relaxed), let keeps = keptCount(of: type) {
            let table = registry.table(of: type).takeUnretainedValue()
            for id in ids(keeps) { table.noteUse(of: id) }
        }
    }

    /// The number of entities that a list keeps, or `nil` if the type has no limit.
    func keptCount<Value: Cachable>(of type: Value.Type) -> Int? { limits[type]?.keeps }

    /// Evicts entities after a commit, if limits are exceeded.
    ///
    /// No lock is held.
    ///
    /// - Parameters:
    ///   - revision: The revision of the commit.
    ///   - mayEvictNewer: Whether its own entities may be evicted, too, because they may be more than the limit.
    @inlinable @inline(__always) func keepLimits(after revision: UInt64, mayEvictNewer: Bool) {
        if history.counters.mustEvict.pointee.load(ordering: .relaxed) {
            keepLimits(EvictionOccasion(newest: revision, mayEvictNewer: mayEvictNewer))
        }
    }

    /// Evicts entities if limits are exceeded.
    ///
    /// No lock is held.
    @inline(never) @usableFromInline func keepLimits(_ occasion: EvictionOccasion) {
        // The writes of a transaction are counted when it is committed.
        if history.transactionOfThread != nil { return }
        history.counters.mustEvict.pointee.store(false, ordering: .relaxed)
        for limit in limits.all { limit.keep(in: self, occasion) }
    }

    /// Determines when writes must look for entities that are too old.
    func updateNextLook() {
        let next = limits.all.map { $0.nextLook }.min() ?? .max
        history.counters.nextLook.pointee.store(next, ordering: .relaxed)
    }
}

/// Why entities are evicted.
@frozen @usableFromInline
struct EvictionOccasion {
    /// The revision from which on entities were just stored, which are evicted last.
    let newest: UInt64
    /// Whether these entities may be evicted, too, because they may be more than the limit.
    let mayEvictNewer: Bool
    /// Whether the app asks for it, so that also entities are looked for that couldn't be evicted before.
    let isAsked: Bool

    @usableFromInline init(newest: UInt64, mayEvictNewer: Bool, isAsked: Bool = false) {
        self.newest = newest
        self.mayEvictNewer = mayEvictNewer
        self.isAsked = isAsked
    }

    /// A call by the app.
    static var asked: EvictionOccasion { EvictionOccasion(newest: .max, mayEvictNewer: true, isAsked: true) }
}
