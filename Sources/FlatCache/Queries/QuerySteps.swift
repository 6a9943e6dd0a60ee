/// The difference of two answers, by position.
struct QuerySteps: Sendable {
    let old: QueryWindow
    let new: QueryWindow
    let positions: PositionSteps

    /// The answer without a difference.
    init(_ answer: ListTree<AnyQueryMatch>, in order: QueryOrder) {
        new = QueryWindow(of: answer, in: order)
        old = new
        positions = PositionSteps()
    }

    /// The difference to an answer of no matches.
    init(inserting answer: ListTree<AnyQueryMatch>, in order: QueryOrder) {
        new = QueryWindow(of: answer, in: order)
        old = QueryWindow(of: ListTree(), in: order)
        positions = PositionSteps(inserting: new.range.count)
    }

    /// Creates the difference of two answers.
    ///
    /// - Parameters:
    ///   - before: The old matches.
    ///   - after: The new matches.
    ///   - places: The places of the changed matches among all. All other matches have the same order in both.
    ///   - order: The order of the query.
    /// - Complexity: O(*k* log *k*) for *k* changed matches.
    init(
        from before: ListTree<AnyQueryMatch>,
        to after: ListTree<AnyQueryMatch>,
        _ places: [ChangedPlace],
        in order: QueryOrder
    ) {
        let old = QueryWindow(of: before, in: order)
        let new = QueryWindow(of: after, in: order)
        self.old = old
        self.new = new
        if order.isWhole {
            positions = PositionSteps(places)
            return
        }
        var shown = places.map { place in
            ChangedPlace(
                old: place.old.flatMap(old.position(ofPlace:)),
                new: place.new.flatMap(new.position(ofPlace:)),
                isSameEntity: place.isSameEntity
            )
        }
        // The others keep their order, so only those at the ends of a window can leave or enter it.
        let changedOld = SortedPlaces(places.compactMap(\.old))
        let changedNew = SortedPlaces(places.compactMap(\.new))
        for place in old.ends(without: changedOld, { new.position(ofPlace: changedNew.place(of: $0)) == nil }) {
            shown.append(ChangedPlace(old: place))
        }
        for place in new.ends(without: changedNew, { old.position(ofPlace: changedOld.place(of: $0)) == nil }) {
            shown.append(ChangedPlace(new: place))
        }
        positions = PositionSteps(shown)
    }
}

/// The places of a changed element before and after, or `nil` where it is missing.
struct ChangedPlace {
    var old: Int?
    var new: Int?
    /// Whether the element is the same, and only its place, or something that is computed from it, may differ.
    var isSameEntity = false
}

extension [ChangedPlace] {
    /// Leaves each place to the first change that has it.
    ///
    /// Identifiers that break the rules of `Hashable` can give a match several changes.
    mutating func dropRepetitions() {
        var (olds, news): (Set<Int>, Set<Int>) = ([], [])
        for index in indices {
            if let old = self[index].old, !olds.insert(old).inserted { self[index].old = nil }
            if let new = self[index].new, !news.insert(new).inserted { self[index].new = nil }
        }
    }
}

/// The places of changed elements in a sequence, in ascending order.
struct SortedPlaces {
    private let places: [Int]

    init(_ places: [Int]) {
        self.places = places.count > 1 ? places.sorted() : places
    }

    /// The place of an unchanged element, of which some number of unchanged ones comes first.
    func place(of rank: Int) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] - middle <= rank { low = middle + 1 } else { high = middle }
        }
        return rank + low
    }

    /// The number of unchanged elements before a place, or `nil` if the element there is changed.
    func rank(of place: Int) -> Int? {
        let before = places.countBelow(place)
        return before < places.count && places[before] == place ? nil : place - before
    }

    /// The number of unchanged elements before a place.
    func rankOfChanged(_ place: Int) -> Int { place - places.countBelow(place) }
}

extension QueryWindow {
    /// The positions of unchanged matches at both ends of the window that aren't in another window.
    ///
    /// - Parameters:
    ///   - changed: The places of the changed matches.
    ///   - isOutside: Returns whether a match isn't in the other window, for the number of unchanged ones before it.
    fileprivate func ends(without changed: SortedPlaces, _ isOutside: (Int) -> Bool) -> [Int] {
        var positions: [Int] = []
        for place in range {
            guard let rank = changed.rank(of: place) else { continue }
            if !isOutside(rank) { break }
            positions.append(place - range.lowerBound)
        }
        let start = positions.last.map { $0 + range.lowerBound } ?? -1
        for place in range.reversed() where place > start {
            guard let rank = changed.rank(of: place) else { continue }
            if !isOutside(rank) { break }
            positions.append(place - range.lowerBound)
        }
        return positions
    }
}

/// The difference of two sequences that are the same except for some changed elements.
struct PositionSteps: Sendable {
    /// The positions of elements that only the old sequence has, in ascending order.
    private(set) var removals: [Int] = []
    /// The positions of elements that only the new sequence has, in ascending order.
    private(set) var insertions: [Int] = []
    /// The changed elements that both sequences have, in the order of the old one.
    private(set) var kept: [KeptPosition] = []
    /// The positions of elements that have another place among the others, in the order of the new sequence.
    private(set) var moves: [(source: Int, destination: Int)] = []

    /// No difference.
    init() {}

    /// The difference to no elements.
    init(inserting count: Int) {
        insertions = Array(0..<count)
    }

    /// Creates the difference of two sequences.
    ///
    /// - Parameter changed: The changed elements, with their positions in both sequences. All others are in both sequences,
    ///   in the same order.
    /// - Complexity: O(*k* log *k*) for *k* changed elements.
    init(_ changed: [ChangedPlace]) {
        for place in changed {
            switch (place.old, place.new) {
            case (let old?, let new?): kept.append(KeptPosition(old: old, new: new, isSameEntity: place.isSameEntity))
            case (let old?, nil): removals.append(old)
            case (nil, let new?): insertions.append(new)
            case (nil, nil): break
            }
        }
        if removals.count > 1 { removals.sort() }
        if insertions.count > 1 { insertions.sort() }
        if kept.isEmpty { return }
        if changed.count == 1 {
            if kept[0].old != kept[0].new { moves.append((kept[0].old, kept[0].new)) }
            return
        }
        kept.sort { $0.old < $1.old }
        let allOld = SortedPlaces(changed.compactMap(\.old))
        let allNew = SortedPlaces(changed.compactMap(\.new))
        // The number of unchanged elements before a position is the same on both sides if an element keeps its place.
        var lastKept = -1
        for kept in kept {
            if allOld.rankOfChanged(kept.old) == allNew.rankOfChanged(kept.new), kept.new > lastKept {
                lastKept = kept.new
            } else {
                moves.append((kept.old, kept.new))
            }
        }
        moves.sort { $0.destination < $1.destination }
    }

    /// Whether no element is new, gone, moved or updated.
    var isEmpty: Bool {
        removals.isEmpty && insertions.isEmpty && moves.isEmpty && kept.allSatisfy { $0.isSameEntity }
    }
}

/// The positions of a changed element before and after.
struct KeptPosition: Sendable {
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
