/// Finds the shape of an object while its members are encoded one after the other.
///
/// A node is a beginning of shapes: the root is the empty one, and a child has one more name. Objects of one type follow the
/// same nodes, so the next name is usually that of the first child.
///
/// One thread at a time uses it.
final class ShapeTree {
    private struct Node {
        let name: String
        let parent: Int32
        var firstChild: Int32 = ShapeTree.none
        var nextSibling: Int32 = ShapeTree.none
        /// The number of the shape that ends here.
        var shape: Int32 = ShapeTree.none
    }

    static let root: Int32 = 0
    private static let none: Int32 = -1

    @exclusivity(unchecked) private var nodes = [Node(name: "", parent: ShapeTree.none)]
    @exclusivity(unchecked) private(set) var table: ShapeTable

    init(_ table: ShapeTable) {
        self.table = table
        for (number, shape) in table.shapes.enumerated() {
            var node = Self.root
            for name in shape.allNames { node = existingChild(of: node, named: name) ?? append(name, to: node) }
            // Of equal shapes, the first is used.
            if nodes[Int(node)].shape < 0 { nodes[Int(node)].shape = Int32(number) }
        }
    }

    /// Returns the node with one more name, or `nil` if there is no shape with it and none can be added.
    @inline(__always) func child(of node: Int32, named name: String) -> Int32? {
        let child = nodes[Int(node)].firstChild
        if child >= 0, nodes[Int(child)].name == name { return child }
        return existingChild(of: node, named: name) ?? newChild(of: node, named: name)
    }

    /// Returns the number of the shape of a node, which is added if there is none, or `nil` if there are too many.
    @inline(__always) func shape(of node: Int32) -> Int? {
        let number = nodes[Int(node)].shape
        return number >= 0 ? Int(number) : newShape(of: node)
    }

    /// The name that a node adds.
    func name(of node: Int32) -> String { nodes[Int(node)].name }

    /// The names from the root to a node.
    func names(of node: Int32) -> [String] {
        var names: [String] = []
        var node = node
        while node != Self.root {
            names.append(nodes[Int(node)].name)
            node = nodes[Int(node)].parent
        }
        return names.reversed()
    }

    private func existingChild(of node: Int32, named name: String) -> Int32? {
        var child = nodes[Int(node)].firstChild
        while child >= 0 {
            if nodes[Int(child)].name == name { return child }
            child = nodes[Int(child)].nextSibling
        }
        return nil
    }

    private func newChild(of node: Int32, named name: String) -> Int32? {
        guard nodes.count < RecordLimit.shapeNodes, table.count < RecordLimit.shapes else { return nil }
        // An object that encodes a member twice has the last value only, so it is put in order with its own shape.
        return names(of: node).contains(name) ? nil : append(name, to: node)
    }

    private func append(_ name: String, to node: Int32) -> Int32 {
        let child = Int32(nodes.count)
        nodes.append(Node(name: name, parent: node))
        // The latest is found first: it is the newest version of a type.
        nodes[Int(child)].nextSibling = nodes[Int(node)].firstChild
        nodes[Int(node)].firstChild = child
        return child
    }

    private func newShape(of node: Int32) -> Int? {
        guard table.count < RecordLimit.shapes else { return nil }
        let number = table.count
        table.append(names(of: node))
        nodes[Int(node)].shape = Int32(number)
        return number
    }
}
