extension Array {
    /// The elements in an order, in which equal ones stay as they were.
    ///
    /// Numbers are sorted instead of the elements, so that the algorithm is compiled once and not for each type.
    func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        order(count) { precedes(self[$0], self[$1]) }.map { self[$0] }
    }
}

/// The numbers from zero in the order of the elements to which they belong.
@inline(never)
private func order(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    var order = Array(0..<count)
    order.sort(by: precedes)
    return order
}
