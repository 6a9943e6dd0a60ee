internal import Synchronization

/// The number of entities of a limited type, which commits keep current while they hold the lock of a shard.
@usableFromInline
final class EntityLimit: Sendable {
    /// The number of entities. It may be too high after the removal of all entities, until it is next determined.
    private let count = Atomic(0)
    /// The number from which on writes evict entities first.
    private let threshold: Int
    private let evictionCount = Atomic(0)
    private let counters: HistoryCounters

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - threshold: The number from which on writes evict entities first.
    ///   - history: The history of the cache, which lives as long as its tables.
    init(threshold: Int, history: History) {
        self.threshold = threshold
        counters = history.counters
    }

    @usableFromInline func noteInsertion() {
        if count.wrappingAdd(1, ordering: .relaxed).newValue >= threshold { counters.requireEviction() }
    }

    @usableFromInline func noteRemoval(isEviction: Bool) {
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
    /// Makes the next write evict entities first.
    func requireEviction() {
        if duties.pointee.load(ordering: .relaxed) & HistoryCounters.eviction == 0 {
            duties.pointee.bitwiseOr(HistoryCounters.eviction, ordering: .relaxed)
        }
    }

    /// Begins an eviction.
    ///
    /// - Returns: Whether it was required.
    func beginEviction() -> Bool {
        duties.pointee.bitwiseAnd(~HistoryCounters.eviction, ordering: .relaxed).oldValue & HistoryCounters.eviction != 0
    }

    static var eviction: UInt8 { 2 }
}
