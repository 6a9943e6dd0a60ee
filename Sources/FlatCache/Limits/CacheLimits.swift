public import Synchronization

/// The limits of a cache, at most one for each type.
final class CacheLimits: @unchecked Sendable {  // The lock guards the variable.
    private let lock = Lock()
    private var limits: [ObjectIdentifier: any ErasedTableLimit] = [:]

    /// Sets or removes the limit of a type.
    ///
    /// - Returns: The limit that it had.
    func replace(_ type: any Cachable.Type, with limit: (any ErasedTableLimit)?) -> (any ErasedTableLimit)? {
        lock.withLock {
            defer { limits[ObjectIdentifier(type)] = limit }
            return limits[ObjectIdentifier(type)]
        }
    }

    subscript(type: any Cachable.Type) -> (any ErasedTableLimit)? { lock.withLock { limits[ObjectIdentifier(type)] } }

    var all: [any ErasedTableLimit] { lock.withLock { Array(limits.values) } }
}

extension FlatCache {
    /// Does what is to be done before a write takes locks: follows the clock, and evicts entities.
    @inlinable @inline(__always) func prepareToWrite() {
        if history.counters.duties.pointee.load(ordering: .relaxed) != 0 { doDuties() }
    }

    @inline(never) @usableFromInline func doDuties() {
        history.followClock()
        keepLimits()
    }

    /// Evicts entities, if limits are exceeded.
    ///
    /// No lock is held, and the thread has no reservation.
    @inlinable func keepLimits() {
        if history.counters.duties.pointee.load(ordering: .relaxed) != 0 { keepLimits(isAsked: false) }
    }

    /// Evicts entities, if limits are exceeded or the app asks for it.
    @inline(never) @usableFromInline func keepLimits(isAsked: Bool) {
        // The writes of a transaction are counted when it is committed.
        if history.transactionOfThread != nil { return }
        let isRequired = history.counters.beginEviction()
        let now = history.lastRevision
        for limit in limits.all where isRequired || isAsked || limit.isDue(at: now) { limit.keep(in: self, isAsked: isAsked) }
    }
}
