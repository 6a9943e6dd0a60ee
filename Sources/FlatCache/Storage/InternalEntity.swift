/// An entity that the library stores for its own state, so that snapshots, transactions and observers treat it like any
/// other.
///
/// Users don't store such entities, and the counts don't include them.
@usableFromInline
protocol InternalEntity: Cachable {}
