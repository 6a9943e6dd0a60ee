/// An immutable node of a tree of elements in an order: a leaf with elements, or a branch with other nodes.
///
/// Invariants: All leaves of a tree have the same depth. A node has at most ``capacity`` elements or children. Only
/// the single leaf of an empty tree is empty. Two neighbours in a branch together have more than half of the capacity,
/// so the depth remains logarithmic after removals.
@_fixed_layout @usableFromInline
final class ListNode<Element: Sendable>: Sendable {
    /// The elements of a leaf.
    @usableFromInline let elements: [Element]
    /// The nodes below a branch.
    @usableFromInline let children: [ListNode]
    /// The number of elements in the leaf, or in all leaves below the branch.
    @usableFromInline let count: Int

    @inlinable static var capacity: Int { 32 }

    /// Creates a leaf.
    @inlinable init(elements: [Element]) {
        self.elements = elements
        children = []
        count = elements.count
    }

    /// Creates a branch.
    @inlinable init(children: [ListNode]) {
        elements = []
        self.children = children
        count = children.reduce(0) { $0 + $1.count }
    }

    @inlinable var isLeaf: Bool { children.isEmpty }

    /// The number of elements of a leaf, or of children of a branch.
    @inlinable var size: Int { isLeaf ? count : children.count }

    /// The element at a valid place.
    @inlinable func element(at index: Int) -> Element {
        var (node, index) = (self, index)
        while !node.isLeaf {
            let (place, start) = node.child(at: index)
            (node, index) = (node.children[place], index - start)
        }
        return node.elements[index]
    }

    /// Appends the elements at places to an array.
    @inlinable func append(_ range: Range<Int>, to elements: inout [Element]) {
        if isLeaf {
            elements += self.elements[range]
            return
        }
        var start = 0
        for child in children where start < range.upperBound {
            let end = start + child.count
            if range.lowerBound < end {
                child.append(
                    Swift.max(range.lowerBound, start) - start..<Swift.min(range.upperBound, end) - start,
                    to: &elements
                )
            }
            start = end
        }
    }

    /// Returns nodes of the same height with other elements inserted at a place.
    @inlinable func inserting(_ new: [Element], at index: Int) -> [ListNode] {
        let end: InsertionEnd? = index == count ? .end : index == 0 ? .start : nil
        if isLeaf, count + new.count <= Self.capacity {
            var all: [Element] = []
            all.reserveCapacity(count + new.count)
            all += elements[..<index]
            all += new
            all += elements[index...]
            return [ListNode(elements: all)]
        }
        if isLeaf {
            let all = count == 0 ? new : elements[..<index] + new + elements[index...]
            return Self.parts(of: all.count, insertedAt: end).map { ListNode(elements: Array(all[$0])) }
        }
        let (place, start) = child(at: index)
        var nodes = children
        nodes.replaceSubrange(place...place, with: children[place].inserting(new, at: index - start))
        return Self.branches(of: nodes, insertedAt: end)
    }

    /// Returns the node with another element at a place.
    func replacing(at index: Int, with element: Element) -> ListNode {
        if isLeaf {
            var elements = elements
            elements[index] = element
            return ListNode(elements: elements)
        }
        let (place, start) = child(at: index)
        var nodes = children
        nodes[place] = nodes[place].replacing(at: index - start, with: element)
        return ListNode(children: nodes)
    }

    /// Returns the node without the element at a place, or `nil` if it would be empty.
    @inlinable func removing(at index: Int) -> ListNode? {
        if isLeaf {
            var elements = elements
            elements.remove(at: index)
            return elements.isEmpty ? nil : ListNode(elements: elements)
        }
        let (place, start) = child(at: index)
        var nodes = children
        if let child = children[place].removing(at: index - start) {
            nodes[place] = child
            Self.join(place, of: &nodes)
        } else {
            nodes.remove(at: place)
        }
        return nodes.isEmpty ? nil : ListNode(children: nodes)
    }

    /// Joins a node with a neighbour if both together are small.
    @inlinable static func join(_ place: Int, of nodes: inout [ListNode]) {
        for first in [place - 1, place] where nodes.indices.contains(first) && nodes.indices.contains(first + 1) {
            let (left, right) = (nodes[first], nodes[first + 1])
            guard left.size + right.size <= capacity / 2 else { continue }
            let joined =
                left.isLeaf
                ? ListNode(elements: left.elements + right.elements)
                : ListNode(children: left.children + right.children)
            nodes.replaceSubrange(first...first + 1, with: CollectionOfOne(joined))
            return
        }
    }

    /// The child that contains a place, or the last child for the place at the end, and the place of the child's first
    /// element.
    @inlinable func child(at index: Int) -> (place: Int, start: Int) {
        let last = children.count - 1
        if index == count { return (last, count - children[last].count) }
        var start = 0
        for place in 0..<last {
            let next = start + children[place].count
            if index < next { return (place, start) }
            start = next
        }
        return (last, start)
    }

    /// Returns branches with the given children.
    @inlinable static func branches(of nodes: [ListNode], insertedAt end: InsertionEnd?) -> [ListNode] {
        parts(of: nodes.count, insertedAt: end).map { ListNode(children: Array(nodes[$0])) }
    }

    /// Divides a number of elements or children among as few nodes as can hold them.
    ///
    /// - Parameter end: The end at which some were inserted and more are expected. Nodes away from it are filled.
    @inlinable static func parts(of count: Int, insertedAt end: InsertionEnd?) -> [Range<Int>] {
        let number = (count + capacity - 1) / capacity
        if number == 1 { return [0..<count] }
        return (0..<number).map { part in
            switch end {
            case .end: part * capacity..<Swift.min((part + 1) * capacity, count)
            case .start:
                Swift.max(count - (number - part) * capacity, 0)..<count - (number - part - 1) * capacity
            case nil: part * count / number..<(part + 1) * count / number
            }
        }
    }

    @frozen @usableFromInline enum InsertionEnd {
        case start, end
    }
}

extension ListNode where Element: Equatable {
    /// The place of an element, or `nil` if there is none.
    @inlinable func index(of element: Element) -> Int? {
        if isLeaf { return elements.firstIndex(of: element) }
        var start = 0
        for child in children {
            if let index = child.index(of: element) { return start + index }
            start += child.count
        }
        return nil
    }
}
