/// Elements in an order, as a value whose copies share most of their memory.
///
/// It is a tree of immutable nodes, after the ropes of Boehm, Atkinson and Plass. The leaves hold the elements and the
/// branches hold counts. A changed tree shares all nodes with the old one except the path to the change, so a change
/// takes O(log *n*).
@frozen @usableFromInline
struct ListTree<Item: Sendable>: Sendable {
    @usableFromInline var root = ListNode<Item>(elements: [])

    /// Creates an empty tree.
    @inlinable init() {}

    /// Creates a tree of elements in their order.
    @inlinable init(_ elements: [Item]) {
        insert(elements, at: 0)
    }

    /// Inserts elements at a place, in their order.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* elements.
    @inlinable mutating func insert(_ elements: [Item], at index: Int) {
        if elements.isEmpty { return }
        var nodes = root.inserting(elements, at: index)
        while nodes.count > 1 { nodes = ListNode.branches(of: nodes, insertedAt: .end) }
        root = nodes[0]
    }

    /// Replaces the element at a place.
    ///
    /// - Complexity: O(log *n*).
    mutating func replace(at index: Int, with element: Item) { root = root.replacing(at: index, with: element) }

    /// The elements at places.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* elements.
    @inlinable func elements(in range: Range<Int>) -> [Item] {
        var elements: [Item] = []
        elements.reserveCapacity(range.count)
        root.append(range, to: &elements)
        return elements
    }

    /// Removes the element at a place.
    ///
    /// - Complexity: O(log *n*).
    @inlinable mutating func remove(at index: Int) {
        root = root.removing(at: index) ?? ListNode(elements: [])
        while root.children.count == 1 { root = root.children[0] }
    }
}

extension ListTree: RandomAccessCollection {
    @inlinable var startIndex: Int { 0 }

    @inlinable var endIndex: Int { root.count }

    @inlinable var count: Int { root.count }

    @inlinable subscript(position: Int) -> Item { root.element(at: position) }

    @inlinable func makeIterator() -> Iterator { Iterator(root) }

    /// An iterator over the elements in order, which takes O(1) for each.
    @frozen @usableFromInline
    struct Iterator: IteratorProtocol {
        @usableFromInline var elements: [Item]
        @usableFromInline var index = 0
        /// The nodes after these elements, the next one last.
        @usableFromInline var pending: [ListNode<Item>]

        @inlinable init(_ root: ListNode<Item>) {
            elements = root.elements
            pending = root.children.reversed()
        }

        @inlinable mutating func next() -> Item? {
            while index == elements.count {
                guard let node = pending.popLast() else { return nil }
                elements = node.elements
                index = 0
                pending += node.children.reversed()
            }
            defer { index &+= 1 }
            return elements[index]
        }
    }
}

extension ListTree {
    /// The number of elements for which a predicate is true, which is true for all elements before any other.
    ///
    /// - Complexity: O(log *n*).
    @inlinable func partition(where isBefore: (Element) -> Bool) -> Int {
        var (node, start) = (root, 0)
        while !node.isLeaf {
            // The last child whose first element is before the place contains the place.
            var (low, high) = (0, node.children.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if isBefore(node.children[middle].element(at: 0)) { low = middle } else { high = middle - 1 }
            }
            for place in 0..<low { start += node.children[place].count }
            node = node.children[low]
        }
        var (low, high) = (0, node.elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(node.elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return start + low
    }
}

extension ListTree where Element: Hashable {
    /// The elements that only one of two trees has.
    ///
    /// - Complexity: O(log *n*) for each change by which one tree was made from the other, because shared nodes are
    ///   skipped.
    func difference(from old: ListTree) -> (removed: [Element], inserted: [Element]) {
        var olds = [old.root]
        var news = [root]
        while true {
            // Nodes of the same depth below the leaves of one tree can't be compared with those of a higher one.
            let (oldHeight, newHeight) = (olds.first?.height ?? 0, news.first?.height ?? 0)
            if oldHeight == newHeight {
                let oldNodes = Set(olds.map { ObjectIdentifier($0) })
                let newNodes = Set(news.map { ObjectIdentifier($0) })
                olds.removeAll { newNodes.contains(ObjectIdentifier($0)) }
                news.removeAll { oldNodes.contains(ObjectIdentifier($0)) }
                if oldHeight == 0 { break }
            }
            if oldHeight >= newHeight { olds = olds.flatMap({ $0.children }) }
            if newHeight >= oldHeight { news = news.flatMap({ $0.children }) }
        }
        let difference = KeySet(olds.lazy.flatMap { $0.elements }).difference(
            to: KeySet(news.lazy.flatMap { $0.elements })
        )
        return (removed: difference.0, inserted: difference.1)
    }
}

extension ListNode {
    /// The number of branches above the leaves.
    fileprivate var height: Int {
        var (node, height) = (self, 0)
        while let child = node.children.first { (node, height) = (child, height + 1) }
        return height
    }
}
