internal import Synchronization

/// The number of entities of a limited type, which commits keep current while they hold the lock of a shard.
///
/// An insertion above the limit requires an eviction, which the writer makes after the commit.
final class EntityLimit: Sendable {
    /// The number of entities, which may be too high after the removal of all entities, until it is next determined.
    private let count = Atomic(0)
    /// The maximum number.
    private let limit: Int
    private let evictionCount = Atomic(0)
    private let counters: HistoryCounters

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - limit: The maximum number.
    ///   - history: The history of the cache, which lives as long as its tables.
    init(limit: Int, history: History) {
        self.limit = limit
        counters = history.counters
    }

    func noteInsertion() {
        if count.wrappingAdd(1, ordering: .relaxed).newValue > limit { counters.requireEviction() }
    }

    func noteRemoval(isEviction: Bool) {
        count.wrappingSubtract(1, ordering: .relaxed)
        if isEviction { evictionCount.wrappingAdd(1, ordering: .relaxed) }
    }

    /// The number of entities.
    var current: Int { count.load(ordering: .relaxed) }

    /// The number of evictions since the limit was set.
    var evictions: Int { evictionCount.load(ordering: .relaxed) }

    /// Corrects the count.
    ///
    /// - Parameter counted: Counts the entities. If others are inserted meanwhile, the count may be too high afterwards.
    func correct(_ counted: () -> Int) {
        let before = current
        let actual = counted()
        count.wrappingAdd(actual - before, ordering: .relaxed)
    }
}

extension HistoryCounters {
    /// Makes the next write evict entities after its commit.
    func requireEviction() {
        if !mustEvict.pointee.load(ordering: .relaxed) { mustEvict.pointee.store(true, ordering: .relaxed) }
    }
}
