/// The identifiers of a list in order, each once.
///
///     ForEach(home.ids, id: \.self) { id in PostRow(id: id) }
///
/// This is a random-access collection: `home.ids.first`, `home.ids[20..<40]`, `Array(home.ids)`. It is a value, which
/// later changes of the list don't affect.
///
/// Copies share most of their memory, and a change takes O(log *n*).
@frozen
public struct CachedListIDs<ID: Hashable & Sendable>: Sendable {
    @usableFromInline var tree = ListTree<ID>()

    /// Creates an empty order.
    @inlinable init() {}

    init(tree: ListTree<ID>) {
        self.tree = tree
    }

    /// Inserts identifiers at a place, in their order.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* identifiers.
    @inlinable mutating func insert(_ ids: [ID], at index: Int) { tree.insert(ids, at: index) }

    /// Removes the identifier at a place.
    ///
    /// - Complexity: O(log *n*).
    @inlinable mutating func remove(at index: Int) { tree.remove(at: index) }

    /// Returns the position of an identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The position, or `nil` if the identifier isn't listed.
    /// - Complexity: O(*n*) for *n* identifiers, without a copy.
    @inlinable public func firstIndex(of id: ID) -> Int? { tree.root.index(of: id) }
}

extension CachedListIDs: RandomAccessCollection {
    /// The number of identifiers.
    ///
    /// - Complexity: O(1).
    @inlinable public var count: Int { tree.count }

    /// The position of the first identifier.
    @inlinable public var startIndex: Int { 0 }

    /// The position after the last identifier.
    @inlinable public var endIndex: Int { tree.count }

    /// Returns the identifier at a position, which must be one of the ``indices``.
    ///
    /// - Complexity: O(log *n*) for *n* identifiers. Iteration takes O(1) for each.
    @inlinable public subscript(position: Int) -> ID {
        precondition(position >= 0 && position < count, "The list has no identifier at this position.")
        return tree[position]
    }

    /// Returns an iterator over the identifiers in order.
    @inlinable public func makeIterator() -> Iterator { Iterator(tree) }

    /// An iterator over the identifiers in order.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var elements: ListTree<ID>.Iterator

        @inlinable init(_ tree: ListTree<ID>) {
            elements = tree.makeIterator()
        }

        /// Returns the next identifier, or `nil` at the end.
        @inlinable public mutating func next() -> ID? { elements.next() }
    }
}

extension CachedListIDs: Hashable {
    /// Returns whether two collections have the same identifiers in the same order.
    ///
    /// - Complexity: O(log *n*) if one was made from the other by one change, because shared nodes are skipped.
    ///   Otherwise O(*n*).
    @inlinable public static func == (lhs: CachedListIDs, rhs: CachedListIDs) -> Bool {
        guard lhs.count == rhs.count else { return false }
        // The nodes that are still to be compared, the next ones last. Both always hold the same number of identifiers.
        var left = [lhs.tree.root]
        var right = [rhs.tree.root]
        while let first = left.popLast(), let second = right.popLast() {
            if first === second { continue }
            if !first.isLeaf && (second.isLeaf || first.count >= second.count) {
                left += first.children.reversed()
                right.append(second)
            } else if !second.isLeaf {
                left.append(first)
                right += second.children.reversed()
            } else {
                let common = Swift.min(first.count, second.count)
                guard first.elements.prefix(common) == second.elements.prefix(common) else { return false }
                if first.count > common { left.append(ListNode(elements: Array(first.elements[common...]))) }
                if second.count > common { right.append(ListNode(elements: Array(second.elements[common...]))) }
            }
        }
        return true
    }

    /// Feeds the identifiers into a hasher.
    ///
    /// - Complexity: O(*n*) for *n* identifiers.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for id in self { hasher.combine(id) }
    }
}

extension CachedListIDs: ExpressibleByArrayLiteral {
    /// Creates a collection of identifiers, for comparisons such as `home.ids == ["3", "1"]`.
    ///
    /// An identifier that is repeated keeps its first place.
    @inlinable public init(arrayLiteral ids: ID...) {
        insert(KeySet(ids).keys, at: 0)
    }
}

extension CachedListIDs: CustomStringConvertible, CustomReflectable {
    /// A text with the identifiers, as of an array: `["3", "1"]`.
    public var description: String { Array(self).description }

    /// The identifiers, as of an array.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
