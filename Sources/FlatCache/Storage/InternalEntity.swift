/// An entity with which the library itself keeps account of something, in the same cache, so that snapshots, transactions
/// and observers see it as they see any other.
///
/// Users don't store it, and it isn't counted.
protocol InternalEntity: Cachable {}
