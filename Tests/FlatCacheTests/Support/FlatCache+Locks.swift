import Synchronization
import TestThreads
import Testing

@testable import FlatCache

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Delivery {
    /// Waits until no task is going to call an observer who was called twice by busy writers.
    static func waitForTasks() async {
        await until { scheduledCount.load(ordering: .sequentiallyConsistent) == 0 }
    }
}

/// Runs a body on several threads at once, and waits for all of them, and for the tasks that call observers.
///
/// A busy thread leaves the last change to a task.
func onThreadsAndTasks(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) async {
    onThreads(count, body)
    await Delivery.waitForTasks()
}

extension FlatCache {
    /// Whether a large commit is under way in all shards of a type.
    func isGated<Value: Cachable>(_ type: Value.Type) -> Bool {
        let table = registry.table(of: type).takeUnretainedValue()
        return table.shards.all.allSatisfy { shard in
            shard.lock()
            defer { shard.unlock() }
            return shard.isGated
        }
    }

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
