import SeededRandom
import Testing

@testable import FlatCache

@Suite("Orders of lists")
struct CachedListIDsTests {
    /// Changes an order and an array in the same way at random.
    private struct Twins {
        var order = CachedListIDs<Int>()
        var array: [Int] = []
        private var next = 0
        private var random: SeededGenerator

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
        }

        /// Inserts or removes one identifier, or many beside each other.
        ///
        /// - Parameter removals: How many of ten changes are to remove.
        mutating func change(removals: Int) {
            let count = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<150, using: &random) : 1
            let place = Int.random(in: 0..<4, using: &random)
            let index = [0, array.count, array.count, Int.random(in: 0...array.count, using: &random)][place]
            if Int.random(in: 0..<10, using: &random) < removals {
                for place in (max(index - count, 0)..<index).reversed() {
                    array.remove(at: place)
                    order.remove(at: place)
                }
            } else {
                let new = Array(next..<next + count)
                array.insert(contentsOf: new, at: index)
                order.insert(new, at: index)
                next += count
            }
        }
    }

    @Test(
        "An order changes as an array does, and earlier versions stay as they were",
        arguments: Seeds.first(6, full: 20)
    )
    func model(seed: UInt64) {
        var twins = Twins(seed: seed)
        var versions: [(order: CachedListIDs<Int>, array: [Int])] = []
        for step in 0..<600 {
            // Grows, and becomes small again.
            twins.change(removals: step < 300 ? 2 : 7)
            #expect(twins.order.count == twins.array.count)
            if step % 20 == 0 {
                twins.order.tree.root.checkInvariants()
                versions.append((twins.order, twins.array))
                #expect(twins.array.last.flatMap(twins.order.firstIndex(of:)) == twins.array.indices.last)
            }
        }
        for version in versions {
            #expect(Array(version.order) == version.array)
            #expect(version.order.indices.map { version.order[$0] } == version.array)
            #expect(Array(version.order.reversed()) == version.array.reversed())
            #expect(version.order.firstIndex(of: -1) == nil)
        }
    }

    @Test("Two orders are equal when they have the same identifiers at the same places, however they came there")
    func equality() {
        var twins = Twins(seed: 7)
        for _ in 0..<300 { twins.change(removals: 2) }
        var other = CachedListIDs<Int>()
        for id in twins.array.reversed() { other.insert([id], at: 0) }
        #expect(other == twins.order)
        let last = twins.array.count - 1
        for index in [0, 1, last / 2, last] {
            var changed = twins.order
            changed.remove(at: index)
            #expect(changed != twins.order)
            changed.insert([-1], at: index)
            #expect(changed != twins.order)
            changed.remove(at: index)
            changed.insert([twins.array[index]], at: index)
            #expect(changed == twins.order)
        }
        #expect(CachedListIDs<Int>() == CachedListIDs<Int>())
    }

    @Test("A change copies a few nodes, whatever the number of identifiers", arguments: [1_000, 30_000])
    func copies(count: Int) {
        var order = CachedListIDs<Int>()
        for id in 0..<count { order.insert([id], at: order.count) }
        for index in [0, 1, count / 2, count - 1] {
            var changed = order
            changed.insert([-1], at: index)
            #expect(changed.tree.root.newElementCount(since: order.tree.root) < 200)
            changed = order
            changed.remove(at: index)
            #expect(changed.tree.root.newElementCount(since: order.tree.root) < 200)
        }
    }

    @Test("Shared parts of two orders are not compared")
    func comparesLittle() {
        let comparisons = Protected(0)
        var order = CachedListIDs<Comparing>()
        order.insert((0..<30_000).map { Comparing(number: $0, comparisons: comparisons) }, at: 0)
        for (from, to) in [(29_998, 29_999), (0, 29_999), (29_999, 0), (14_000, 16_000)] {
            var changed = order
            let id = order[from]
            changed.remove(at: from)
            changed.insert([id], at: to)
            #expect(changed != order)
            changed.remove(at: to)
            changed.insert([id], at: from)
            #expect(changed == order)
        }
        #expect(comparisons.withLock { $0 } < 1_000)
    }

    @Test("It is a collection with random access: slices, literals, hashes and a description")
    func collection() {
        var order: CachedListIDs = [3, 1, 2]
        #expect(order == [3, 1, 2] && order != [3, 2, 1] && order.first == 3 && order.last == 2)
        #expect(order.hashValue == ([3, 1, 2] as CachedListIDs).hashValue)
        #expect("\(order)" == "[3, 1, 2]")
        #expect(order == [3, 1, 3, 2, 1])
        #expect(CachedListIDs<Int>().isEmpty)
        order.insert(Array(10..<1_000), at: 3)
        #expect(Array(order[2..<5]) == [2, 10, 11])
        #expect(order.firstIndex(of: 500) == 493 && order.firstIndex(of: 4) == nil)
        #expect(order.suffix(2).elementsEqual([998, 999]))
    }
}

/// An identifier that counts how often it is compared.
private struct Comparing: Hashable, Sendable {
    let number: Int
    let comparisons: Protected<Int>

    static func == (lhs: Comparing, rhs: Comparing) -> Bool {
        lhs.comparisons.withLock { $0 += 1 }
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension ListNode {
    /// Records an issue for each invariant that doesn't hold.
    ///
    /// - Returns: The height of the node.
    @discardableResult
    fileprivate func checkInvariants(isRoot: Bool = true) -> Int {
        #expect(size <= Self.capacity)
        #expect(isRoot || size > 0)
        if isLeaf {
            #expect(count == elements.count)
            return 0
        }
        #expect(elements.isEmpty)
        #expect(!isRoot || children.count > 1)
        #expect(count == children.reduce(0) { $0 + $1.count })
        for (left, right) in zip(children, children.dropFirst()) {
            #expect(left.size + right.size > Self.capacity / 2)
        }
        let heights = Set(children.map { $0.checkInvariants(isRoot: false) })
        #expect(heights.count == 1)
        return (heights.first ?? 0) + 1
    }

    /// The number of elements and references in nodes that another tree doesn't have.
    fileprivate func newElementCount(since other: ListNode) -> Int {
        let known = Set(other.nodes.map(ObjectIdentifier.init))
        return nodes.filter { !known.contains(ObjectIdentifier($0)) }.reduce(0) { $0 + $1.size }
    }

    private var nodes: [ListNode] { [self] + children.flatMap(\.nodes) }
}
