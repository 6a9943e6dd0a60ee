/// An entity that the library stores for itself: it takes part in snapshots, transactions and observation like any other,
/// and is not counted as one.
protocol Bookkeeping: Cachable {}
