/// A range of the standard library, as a condition of a ``FlatCache/Query``.
///
/// Half-open, closed and one-sided ranges conform. There is no need for other types to conform.
public protocol QueryRange<Bound> {
    /// The type of the bounds.
    associatedtype Bound: Comparable & Hashable

    /// The bounds of the range.
    var bounds: QueryBounds<Bound> { get }
}

/// The bounds of a range, each of which may be missing.
@frozen
public struct QueryBounds<Bound: Comparable & Hashable>: Hashable {
    /// The least value in the range, or `nil` if there is no lower bound.
    public let lower: Bound?

    /// The upper bound, or `nil` if there is none.
    public let upper: Bound?

    /// Whether the upper bound is in the range.
    public let includesUpper: Bool

    /// Creates bounds.
    ///
    /// - Parameters:
    ///   - lower: The least value in the range, or `nil` for none.
    ///   - upper: The upper bound, or `nil` for none.
    ///   - includesUpper: Whether the upper bound is in the range.
    @inlinable public init(lower: Bound? = nil, upper: Bound? = nil, includesUpper: Bool = true) {
        self.lower = lower
        self.upper = upper
        self.includesUpper = includesUpper
    }

    /// Returns whether a value is in the range.
    ///
    /// - Parameter value: The value.
    @inlinable public func contains(_ value: Bound) -> Bool {
        if let lower, !(lower <= value) { return false }
        guard let upper else { return true }
        return includesUpper ? value <= upper : value < upper
    }
}

extension QueryBounds: Sendable where Bound: Sendable {}

extension Range: QueryRange where Bound: Hashable {
    /// The bounds of the range.
    @inlinable public var bounds: QueryBounds<Bound> {
        QueryBounds(lower: lowerBound, upper: upperBound, includesUpper: false)
    }
}

extension ClosedRange: QueryRange where Bound: Hashable {
    /// The bounds of the range.
    @inlinable public var bounds: QueryBounds<Bound> { QueryBounds(lower: lowerBound, upper: upperBound) }
}

extension PartialRangeFrom: QueryRange where Bound: Hashable {
    /// The bounds of the range.
    @inlinable public var bounds: QueryBounds<Bound> { QueryBounds(lower: lowerBound) }
}

extension PartialRangeThrough: QueryRange where Bound: Hashable {
    /// The bounds of the range.
    @inlinable public var bounds: QueryBounds<Bound> { QueryBounds(upper: upperBound) }
}

extension PartialRangeUpTo: QueryRange where Bound: Hashable {
    /// The bounds of the range.
    @inlinable public var bounds: QueryBounds<Bound> { QueryBounds(upper: upperBound, includesUpper: false) }
}

extension QueryBounds: CustomStringConvertible, CustomReflectable {
    /// The range as it is written in code: `3..<5`, `3...`.
    public var description: String {
        (lower.map { "\($0)" } ?? "") + (includesUpper || upper == nil ? "..." : "..<") + (upper.map { "\($0)" } ?? "")
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
