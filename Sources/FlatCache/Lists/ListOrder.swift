/// The identifiers of a list in their order: a sequence of which every change makes a new one in O(log *n*), and leaves the
/// old one as it was.
///
/// It is a tree of nodes that never change, whose leaves hold the identifiers and whose branches count them, after the ropes of
/// Boehm, Atkinson and Plass. A changed order shares all nodes with the old one but those on the way to the change.
@frozen @usableFromInline
struct ListOrder<ID: Hashable & Sendable>: Sendable {
    @usableFromInline var root = ListNode<ID>(ids: [])

    @inlinable init() {}

    /// The number of identifiers.
    ///
    /// - Complexity: O(1).
    @inlinable var count: Int { root.count }

    /// All identifiers.
    ///
    /// - Complexity: O(*n*) for *n* identifiers when it is asked for the first time, O(1) afterwards.
    @inlinable var array: [ID] { root.array }

    /// Inserts identifiers, so that the first of them has a given place.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* identifiers.
    @inlinable mutating func insert(_ ids: [ID], at index: Int) {
        if ids.isEmpty { return }
        var nodes = root.inserting(ids, at: index)
        while nodes.count > 1 { nodes = ListNode.branches(of: nodes, insertedAt: .end) }
        root = nodes[0]
    }

    /// Removes the identifier at a place.
    ///
    /// - Complexity: O(log *n*).
    @inlinable mutating func remove(at index: Int) {
        root = root.removing(at: index) ?? ListNode(ids: [])
        while root.children.count == 1 { root = root.children[0] }
    }

    /// The place of an identifier; `nil` when it has none.
    ///
    /// - Complexity: O(*n*), without copying anything.
    @inlinable func index(of id: ID) -> Int? { root.index(of: id) }
}

extension ListOrder: Sequence {
    @inlinable var underestimatedCount: Int { count }

    @inlinable func makeIterator() -> Iterator { Iterator(root) }

    @frozen @usableFromInline
    struct Iterator: IteratorProtocol {
        @usableFromInline var ids: [ID]
        @usableFromInline var index = 0
        /// What comes after these identifiers, the next node last.
        @usableFromInline var pending: [ListNode<ID>]

        @inlinable init(_ root: ListNode<ID>) {
            ids = root.ids
            pending = root.children.reversed()
        }

        @inlinable mutating func next() -> ID? {
            while index == ids.count {
                guard let node = pending.popLast() else { return nil }
                ids = node.ids
                index = 0
                pending += node.children.reversed()
            }
            defer { index &+= 1 }
            return ids[index]
        }
    }
}

extension ListOrder: Equatable {
    /// Returns whether two orders have the same identifiers at the same places.
    ///
    /// - Complexity: O(log *n*) for orders of which one was made from the other by one change; what both share isn't looked
    ///   into. O(*n*) otherwise.
    @inlinable static func == (lhs: ListOrder, rhs: ListOrder) -> Bool {
        guard lhs.count == rhs.count else { return false }
        // What is still to compare, the next nodes last; both always hold the same number of identifiers.
        var left = [lhs.root]
        var right = [rhs.root]
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
                guard first.ids.prefix(common) == second.ids.prefix(common) else { return false }
                if first.count > common { left.append(ListNode(ids: Array(first.ids[common...]))) }
                if second.count > common { right.append(ListNode(ids: Array(second.ids[common...]))) }
            }
        }
        return true
    }
}
