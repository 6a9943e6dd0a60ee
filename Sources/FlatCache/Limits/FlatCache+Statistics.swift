internal import Synchronization

extension FlatCache {
    /// Numbers about a cache at one moment, for diagnosis and tests.
    public struct Statistics: Sendable {
        /// Numbers about the entities of a type.
        public struct TypeStatistics: Sendable {
            /// The type.
            public let type: any Cachable.Type

            /// The number of entities.
            public let count: Int

            /// The number of bytes that the entities take, without what they refer to, such as the storage of their strings and
            /// arrays.
            public let bytes: Int

            /// The number of observers of single keys of the type, and of the whole type.
            public let observers: Int

            /// The number of entities that a limit can't evict now, because a handle, an observer of the key, running code or
            /// a store that hasn't written it needs it.
            public let held: Int

            /// The limit, or `nil` if there is none.
            public let limit: EvictionLimit?

            /// The number of entities, or their cost, above the limit.
            public let excess: Int

            /// The number of entities that the limit has evicted since it was set.
            public let evictions: Int

            /// The number of identifiers of the type in relationships, lists and references whose entities aren't in memory, each
            /// as often as it occurs.
            public let dangling: Int

            /// Whether all entities that were stored and not removed are in memory.
            public let isComplete: Bool
        }

        /// The numbers by type, in the order of the types' first use.
        public internal(set) var types: [TypeStatistics] = []

        /// The number of entities that requests found in memory, or in the store, while ``FlatCache/countsRequests`` was set.
        ///
        /// These are the requests by `cacheFirst`, `cacheOnly` and `cacheAndNetwork`.
        public internal(set) var hits = 0

        /// The number of entities that these requests didn't find, or found too old or marked as stale.
        public internal(set) var misses = 0

        /// Returns the numbers about a type, or `nil` if no entity of the type was ever stored, observed or asked for.
        ///
        /// - Parameter type: The type.
        /// - Complexity: O(*n*) for *n* types.
        public subscript(type: any Cachable.Type) -> TypeStatistics? { types.first { $0.type == type } }
    }

    /// Numbers about the cache: entities and their bytes, limits, evictions, observers, and identifiers without an entity.
    ///
    ///     print(cache.statistics)
    ///
    /// The types are looked at one after the other, while other threads may write. It follows
    /// ``RelationshipOwner/allRelationships``, which the build plugin generates. The size of a store is a property of the store.
    ///
    /// - Complexity: O(*n*) on average for *n* entities and identifiers in them.
    public var statistics: Statistics {
        let tables = registry.all.filter { !$0.isInternal }
        let dangling = DanglingIdentifiers(in: self)
        for table in tables { table.accept(dangling) }
        let (hits, misses) = requestCounts.values
        return Statistics(
            types: tables.map { $0.accept(TypeCount(cache: self, dangling: dangling)) },
            hits: hits,
            misses: misses
        )
    }

    /// Whether requests are counted for ``Statistics/hits`` and ``Statistics/misses``.
    ///
    /// It is off, so that requests cost nothing more. Reads without a request aren't counted.
    public var countsRequests: Bool {
        get { history.counters.countsRequests.pointee.load(ordering: .relaxed) }
        set { history.counters.countsRequests.pointee.store(newValue, ordering: .relaxed) }
    }
}

extension FlatCache.Statistics: CustomStringConvertible, CustomReflectable {
    /// A line for each type.
    public var description: String {
        let requests = "\(Summary.count(hits, "hit")), \(Summary.count(misses, "miss", "misses"))"
        return (types.map { $0.description } + [requests]).joined(separator: "\n")
    }

    /// The numbers by type.
    public var customMirror: Mirror { Mirror(self, children: ["types": types, "hits": hits, "misses": misses]) }
}

extension FlatCache.Statistics.TypeStatistics: CustomStringConvertible, CustomReflectable {
    /// A line with the type and the numbers: `Blog.Post: 1,204 entities, 96,320 bytes, 2 held, 1 observer, …`.
    public var description: String {
        let limit: String? =
            switch limit {
            case .count(let count): "limit \(Summary.number(count))"
            case .cost(let cost): "limit of cost \(Summary.number(cost))"
            case nil: nil
            }
        return Summary.line(
            String(reflecting: type),
            nil,
            [
                Summary.entities(count), Summary.count(bytes, "byte"), limit,
                excess > 0 ? "\(Summary.number(excess)) above it" : nil,
                Summary.some(evictions, "eviction"), Summary.count(held, "held", "held"),
                Summary.count(observers, "observer"),
                Summary.count(dangling, "dangling identifier"),
            ]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The numbers about the entities of a type.
private struct TypeCount: TableVisitor {
    let cache: FlatCache
    let dangling: DanglingIdentifiers

    func visit<Value>(_ table: Table<Value>) -> FlatCache.Statistics.TypeStatistics {
        let count = table.committedCount
        var (observers, held) = (0, 0)
        table.visitSlots { slot in
            observers += slot.observers?.list.count ?? 0
            if slot.isStored && !slot.isEvictable(pins: 0) { held += 1 }
        }
        observers += table.shards[0].whileLocked { table.shards[0].pointer.pointee.watchers?.list.count ?? 0 }
        let state = cache.limits[Value.self]?.state
        return FlatCache.Statistics.TypeStatistics(
            type: Value.self,
            count: count,
            bytes: count * table.layout.stride,
            observers: observers,
            held: held,
            limit: state?.limit,
            excess: state?.excess ?? 0,
            evictions: state?.evictions ?? 0,
            dangling: dangling[Value.self],
            isComplete: cache.isComplete(Value.self)
        )
    }
}

/// The numbers of identifiers without an entity, by type.
private final class DanglingIdentifiers: TableVisitor, IDVisitor {
    private let cache: FlatCache
    private var counts: [ObjectIdentifier: Int] = [:]

    init(in cache: FlatCache) {
        self.cache = cache
    }

    subscript(type: any Cachable.Type) -> Int { counts[ObjectIdentifier(type)] ?? 0 }

    /// Visits all identifiers in the entities of a type, and in its lists and references.
    func visit<Value>(_ table: Table<Value>) {
        if let type = Value.self as? any RelationshipOwner.Type { visit(table, as: type) }
        if let lists = cache.registry.find(ListContents<Value>.self)?.takeUnretainedValue() {
            for list in lists.values { visit(Value.self, Array(list.order)) }
        }
        if let references = cache.registry.find(ReferenceContents<Value>.self)?.takeUnretainedValue() {
            visit(Value.self, references.values.map { $0.target })
        }
    }

    private func visit<Value, Owner: RelationshipOwner>(_ table: Table<Value>, as type: Owner.Type) {
        if type.allRelationships.isEmpty { return }
        for value in table.values {
            if let owner = value as? Owner { visitRelated(of: owner) }
        }
    }

    func visit<Related: Cachable>(_ type: Related.Type, _ ids: [Related.ID]) {
        let count = cache.missingIDs(of: type, among: ids).count
        if count > 0 { counts[ObjectIdentifier(type), default: 0] += count }
    }
}
