extension ListContents {
    /// The identifiers of both lists that have moved among the others, as few as explain the order, in the new order.
    ///
    /// If different ones explain it, as when two have changed places, these are all of them.
    ///
    /// - Parameter old: The contents before.
    /// - Complexity: O(*n*) for *n* identifiers, and O(*m* log *m*) on average for the *m* between the first and the last difference.
    func moved(since old: Self) -> [Value.ID] {
        var (before, after) = (Array(old.order), Array(order))
        let first = zip(before, after).prefix { $0 == $1 }.count
        before.removeFirst(first)
        after.removeFirst(first)
        let last = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.count
        before = before.dropLast(last).filter(contains)
        after = after.dropLast(last).filter(old.contains)
        if before == after { return [] }
        let places = Dictionary(zip(before, before.indices)) { first, _ in first }
        let known = after.compactMap { id in places[id].map { (id: id, place: $0) } }
        // An identifier has stayed if it is in each of the longest sequences whose order is the same.
        let left = increasingLengths(known.map { $0.place })
        let right = Array(increasingLengths(known.reversed().map { -$0.place }).reversed())
        let longest = left.max() ?? 0
        let candidates = known.indices.filter { left[$0] + right[$0] - 1 == longest }
        var counts = [Int](repeating: 0, count: longest + 1)
        for candidate in candidates { counts[left[candidate]] += 1 }
        let stayed = Set(candidates.filter { counts[left[$0]] == 1 })
        return known.indices.filter { !stayed.contains($0) }.map { known[$0].id }
    }
}

/// For each number, the length of the longest sequence of increasing numbers that ends with it.
///
/// - Complexity: O(*n* log *n*) for *n* numbers.
private func increasingLengths(_ numbers: [Int]) -> [Int] {
    // The least number with which a sequence of each length ends.
    var ends: [Int] = []
    return numbers.map { number in
        var places = ends.startIndex..<ends.endIndex
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            places = ends[middle] < number ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        if places.lowerBound == ends.endIndex { ends.append(number) } else { ends[places.lowerBound] = number }
        return places.lowerBound + 1
    }
}
