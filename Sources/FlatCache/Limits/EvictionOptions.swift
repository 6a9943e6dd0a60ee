extension FlatCache {
    /// The limit of the entities of a type.
    ///
    /// ``Statistics/TypeStatistics/limit`` has it.
    public enum EvictionLimit: Hashable, Sendable {
        /// The number of entities.
        case count(Int)
        /// The sum of the costs of the entities.
        case cost(Int)
    }
}

/// What is evicted of a type, and what isn't.
@usableFromInline
struct EvictionOptions<Value: Cachable>: Sendable {
    /// The number of entities, or the sum of their costs.
    let count: Int
    /// The cost of an entity, or `nil` if the number is limited.
    let cost: (@Sendable (Value) -> Int)?
    let maxAge: Duration?
    /// The number of relationships from what is needed to what is protected.
    let depth: Int
    /// The number of identifiers at the beginning of each list that are protected.
    let keeps: Int

    @usableFromInline init(
        _ count: Int,
        cost: (@Sendable (Value) -> Int)? = nil,
        maxAge: Duration?,
        depth: Int,
        keeps: Int
    ) {
        self.count = max(count, 1)
        self.cost = cost
        self.maxAge = maxAge
        self.depth = max(depth, 0)
        self.keeps = max(keeps, 0)
    }

    var limit: FlatCache.EvictionLimit { cost == nil ? .count(count) : .cost(count) }
}
