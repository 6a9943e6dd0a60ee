/// The difference of two texts: their common lines in order.
///
/// Lines that are unique in both texts are anchors (Bram Cohen's patience diff), which makes the result readable and
/// the comparison of long texts fast. Between anchors, the smallest number of changes is searched for (Eugene Myers,
/// *An O(ND) Difference Algorithm and Its Variations*). Beyond a limit, all lines count as changed.
struct LineDifference {
    /// For each line of the old text, whether it is removed.
    private(set) var isRemoved: [Bool]
    /// For each line of the new text, whether it is inserted.
    private(set) var isInserted: [Bool]

    private let old: [Int]
    private let new: [Int]

    /// Ranges of the texts that have to be compared.
    private struct Gap {
        var old: Range<Int>
        var new: Range<Int>
        var depth: Int
    }

    /// Compares two texts.
    ///
    /// - Complexity: O(*n*) for *n* lines in practice, O(*n* log *n*) for many moved lines.
    init(old: [ArraySlice<UInt8>], new: [ArraySlice<UInt8>]) {
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            if let number = numbers[line] { return number }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
        self.old = old.map(number)
        self.new = new.map(number)
        isRemoved = Array(repeating: true, count: old.count)
        isInserted = Array(repeating: true, count: new.count)
        var gaps = [Gap(old: old.indices, new: new.indices, depth: 0)]
        while let gap = gaps.popLast() { gaps += compare(gap) }
    }

    private mutating func match(_ oldLine: Int, _ newLine: Int) {
        isRemoved[oldLine] = false
        isInserted[newLine] = false
    }

    /// Finds common lines in a gap, and returns the gaps between them that may contain more.
    private mutating func compare(_ gap: Gap) -> [Gap] {
        let gap = matchEnds(of: gap)
        if gap.old.isEmpty || gap.new.isEmpty { return [] }
        let anchors = gap.depth < Self.greatestDepth ? anchors(in: gap) : []
        if anchors.isEmpty {
            for (oldLine, newLine) in fewestChanges(in: gap) { match(oldLine, newLine) }
            return []
        }
        var gaps: [Gap] = []
        var (oldLine, newLine) = (gap.old.lowerBound, gap.new.lowerBound)
        for anchor in anchors {
            match(anchor.old, anchor.new)
            gaps.append(Gap(old: oldLine..<anchor.old, new: newLine..<anchor.new, depth: gap.depth + 1))
            (oldLine, newLine) = (anchor.old + 1, anchor.new + 1)
        }
        gaps.append(
            Gap(old: oldLine..<gap.old.upperBound, new: newLine..<gap.new.upperBound, depth: gap.depth + 1)
        )
        return gaps
    }

    /// Removes equal lines at the beginning and at the end.
    private mutating func matchEnds(of gap: Gap) -> Gap {
        var (oldStart, oldEnd) = (gap.old.lowerBound, gap.old.upperBound)
        var (newStart, newEnd) = (gap.new.lowerBound, gap.new.upperBound)
        while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
            match(oldStart, newStart)
            oldStart += 1
            newStart += 1
        }
        while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
            match(oldEnd, newEnd)
        }
        return Gap(old: oldStart..<oldEnd, new: newStart..<newEnd, depth: gap.depth)
    }

    // MARK: Anchors

    /// The maximum depth of gaps in gaps.
    ///
    /// It bounds the time for unusual texts.
    private static let greatestDepth = 40

    /// The lines that occur once in both ranges, reduced to the longest sequence in the same order.
    private func anchors(in gap: Gap) -> [(old: Int, new: Int)] {
        var places: [Int: (old: Int, new: Int)] = [:]
        let none = -1
        let several = -2
        for line in gap.old {
            places[old[line]] = places[old[line]] == nil ? (line, none) : (several, none)
        }
        for line in gap.new {
            guard let place = places[new[line]], place.old >= 0 else { continue }
            places[new[line]]?.new = place.new == none ? line : several
        }
        let unique = gap.old.compactMap { line -> (old: Int, new: Int)? in
            guard let place = places[old[line]], place.old >= 0, place.new >= 0 else { return nil }
            return place
        }
        return longestAscending(unique)
    }

    /// The longest selection of pairs whose second lines ascend as their first lines do.
    private func longestAscending(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // The last pair of the best selection of each length, and the predecessor of each pair in its selection.
        var lasts: [Int] = []
        var previous = Array(repeating: -1, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var low = 0
            var high = lasts.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[lasts[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = lasts[low - 1] }
            if low == lasts.count { lasts.append(index) } else { lasts[low] = index }
        }
        var selection: [(old: Int, new: Int)] = []
        var index = lasts.last ?? -1
        while index >= 0 {
            selection.append(pairs[index])
            index = previous[index]
        }
        return selection.reversed()
    }

    // MARK: Fewest changes

    /// The maximum number of changes to search for, because the time grows with its square.
    private static let mostChanges = 200

    /// The common lines that leave the fewest changes; none when there are too many changes.
    private func fewestChanges(in gap: Gap) -> [(old: Int, new: Int)] {
        let (oldCount, newCount) = (gap.old.count, gap.new.count)
        let most = min(Self.mostChanges, oldCount + newCount)
        // The furthest position on each diagonal, for each number of changes.
        var reach = Array(repeating: 0, count: 2 * most + 3)
        var history: [[Int]] = []
        for changes in 0...most {
            history.append(reach)
            for diagonal in stride(from: -changes, through: changes, by: 2) {
                let index = diagonal + most + 1
                let isInsertion = diagonal == -changes || diagonal != changes && reach[index - 1] < reach[index + 1]
                var oldLine = isInsertion ? reach[index + 1] : reach[index - 1] + 1
                while oldLine < oldCount, oldLine - diagonal < newCount,
                    old[gap.old.lowerBound + oldLine] == new[gap.new.lowerBound + oldLine - diagonal]
                {
                    oldLine += 1
                }
                reach[index] = oldLine
                if oldLine >= oldCount, oldLine - diagonal >= newCount {
                    return commonLines(in: gap, history, most)
                }
            }
        }
        return []
    }

    /// Walks back from the end to the beginning through the furthest positions.
    private func commonLines(in gap: Gap, _ history: [[Int]], _ most: Int) -> [(old: Int, new: Int)] {
        var common: [(old: Int, new: Int)] = []
        var (oldLine, newLine) = (gap.old.count, gap.new.count)
        for changes in (0..<history.count).reversed() {
            let reach = history[changes]
            let index = oldLine - newLine + most + 1
            let diagonal = oldLine - newLine
            let isInsertion = diagonal == -changes || diagonal != changes && reach[index - 1] < reach[index + 1]
            let previous = isInsertion ? diagonal + 1 : diagonal - 1
            let before = changes == 0 ? 0 : reach[previous + most + 1]
            let start = changes == 0 ? 0 : isInsertion ? before : before + 1
            while oldLine > start {
                oldLine -= 1
                newLine -= 1
                common.append((gap.old.lowerBound + oldLine, gap.new.lowerBound + newLine))
            }
            if changes > 0 { (oldLine, newLine) = (before, before - previous) }
        }
        return common
    }
}
