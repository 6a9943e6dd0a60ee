/// A point in the sequence of a cache's commits.
public struct CacheRevision: Hashable, Comparable, Sendable {
    let number: UInt64

    /// Returns whether a revision is older than another one of the same cache.
    public static func < (lhs: CacheRevision, rhs: CacheRevision) -> Bool { lhs.number < rhs.number }
}

extension CacheRevision: CustomStringConvertible, CustomReflectable {
    /// A line with the number: `CacheRevision: 7`.
    public var description: String { Summary.line("CacheRevision", nil, ["\(number)"]) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
