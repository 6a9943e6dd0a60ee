/// A point in the sequence of a cache's commits.
public struct CacheRevision: Hashable, Comparable, Sendable {
    let number: UInt64

    /// Returns whether a revision is older than another one of the same cache.
    public static func < (lhs: CacheRevision, rhs: CacheRevision) -> Bool { lhs.number < rhs.number }
}
