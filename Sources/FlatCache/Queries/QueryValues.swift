/// The answer of a query in one state of the cache: entities in the order of the query.
///
///     List(result.values) { post in PostRow(post) }
///
/// This is a random-access collection of entities. It is a value, which later commits don't affect. Answers of a live
/// query share most of their memory.
@frozen
public struct QueryValues<Value: Cachable>: Sendable {
    @usableFromInline let matches: ListTree<AnyQueryMatch>
    @usableFromInline let window: Range<Int>

    init(_ window: QueryWindow) {
        matches = window.matches
        self.window = window.range
    }

    /// Creates an answer of all matches.
    init(_ matches: ListTree<AnyQueryMatch>) {
        self.matches = matches
        window = 0..<matches.count
    }

    /// Creates the answer of sorted matches, by default that of a query whose cache is deallocated.
    init(_ sorted: [AnyQueryMatch] = [], in order: QueryOrder = QueryOrder()) {
        self.init(QueryWindow(of: ListTree(sorted), in: order))
    }

    /// The identifiers of the entities, in order.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    @inlinable public var ids: [Value.ID] { map { $0.id } }
}

extension QueryValues: RandomAccessCollection {
    /// The position of the first entity.
    @inlinable public var startIndex: Int { 0 }

    /// The position after the last entity.
    @inlinable public var endIndex: Int { window.count }

    /// Returns the entity at a position, which must be one of the ``indices``.
    ///
    /// - Complexity: O(log *n*) for *n* matches of the query.
    @inlinable public subscript(position: Int) -> Value {
        precondition(position >= 0 && position < window.count, "The answer has no entity at this position.")
        return matches[window.lowerBound + position].value(as: Value.self)
    }
}

extension QueryValues: PartialEquality where Value: PartialEquality {}

extension QueryValues: Equatable where Value: Equatable {
    /// Returns whether two answers have equal entities in the same order.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public static func == (lhs: QueryValues, rhs: QueryValues) -> Bool { lhs.elementsEqual(rhs) }
}

extension QueryValues: CustomStringConvertible, CustomReflectable {
    /// A text with the entities, as of an array.
    public var description: String { Array(self).description }

    /// The entities, as of an array.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
