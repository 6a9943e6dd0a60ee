/// The difference of two answers, by position.
struct QuerySteps {
    let old: QueryWindow
    let new: QueryWindow
    let positions: PositionSteps

    init(from old: QueryWindow, to new: QueryWindow, _ positions: PositionSteps) {
        self.old = old
        self.new = new
        self.positions = positions
    }
}

/// The difference of two sequences that are the same except for some changed elements.
struct PositionSteps {
    /// The positions of elements that only the old sequence has, in ascending order.
    var removals: [Int] = []
    /// The positions of elements that only the new sequence has, in ascending order.
    var insertions: [Int] = []
    /// The changed elements that both sequences have, in the order of the old one.
    var kept: [KeptPosition] = []
    /// The positions of elements that have another place among the others, in the order of the new sequence.
    var moves: [(source: Int, destination: Int)] = []

    /// No difference.
    init() {}

    /// Creates the difference of two sequences.
    ///
    /// - Parameter changed: The changed elements, with their positions in both sequences. All others are in both sequences,
    ///   in the same order.
    /// - Complexity: O(*k* log *k*) for *k* changed elements.
    init(_ changed: [(old: Int?, new: Int?, isSameEntity: Bool)]) {
        let allOld = changed.compactMap { $0.old }.sorted()
        let allNew = changed.compactMap { $0.new }.sorted()
        for case (let old?, let new?, let isSameEntity) in changed {
            kept.append(KeptPosition(old: old, new: new, isSameEntity: isSameEntity))
        }
        kept.sort { $0.old < $1.old }
        // The number of unchanged elements before a position is the same on both sides if an element keeps its place.
        var lastKept = -1
        for kept in kept {
            if kept.old - allOld.countBelow(kept.old) == kept.new - allNew.countBelow(kept.new), kept.new > lastKept {
                lastKept = kept.new
            } else {
                moves.append((kept.old, kept.new))
            }
        }
        moves.sort { $0.destination < $1.destination }
        removals = changed.compactMap { $0.new == nil ? $0.old : nil }.sorted()
        insertions = changed.compactMap { $0.old == nil ? $0.new : nil }.sorted()
    }

    /// Whether no element is new, gone, moved or updated.
    var isEmpty: Bool {
        removals.isEmpty && insertions.isEmpty && moves.isEmpty && kept.allSatisfy { $0.isSameEntity }
    }
}

/// The positions of a changed element before and after.
struct KeptPosition {
    let old: Int
    let new: Int
    /// Whether the element is the same, and only its place or something that is computed from it may differ.
    let isSameEntity: Bool
}

extension [Int] {
    /// The number of elements of a sorted array that are less than a number.
    fileprivate func countBelow(_ number: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
