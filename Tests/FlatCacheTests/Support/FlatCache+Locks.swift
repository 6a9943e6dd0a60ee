@testable import FlatCache

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FlatCache {
    /// Whether all shards of a type are locked, by whatever thread.
    func isLocked<Value: Cachable>(_ type: Value.Type) -> Bool {
        let table = registry.table(of: type).takeUnretainedValue()
        return (0..<shardCount).allSatisfy { table.shards[$0].lockReference.isLocked }
    }
}

extension LockReference {
    fileprivate var isLocked: Bool {
        #if canImport(Darwin)
        let isTaken = os_unfair_lock_trylock(&pointer.pointee.primitive)
        #else
        let isTaken = pthread_mutex_trylock(&pointer.pointee.primitive) == 0
        #endif
        if isTaken { unlock() }
        return !isTaken
    }
}
