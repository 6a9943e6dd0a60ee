/// The matches of a live query in its order, with those outside of the answer.
///
/// It isn't thread-safe; the thread with the turn to call the observer uses it.
struct QueryMatches {
    let order: QueryOrder
    private(set) var ordered = ListTree<AnyQueryMatch>()
    private var bySlot: [SlotIdentity: AnyQueryMatch] = [:]

    init(in order: QueryOrder) {
        self.order = order
    }

    subscript(slot: SlotIdentity) -> AnyQueryMatch? { bySlot[slot] }

    /// The changes from these matches to all matches of a later state.
    ///
    /// - Parameters:
    ///   - matches: The later matches.
    ///   - areEqual: Returns whether the entities of two matches are equal.
    /// - Complexity: O(*n*) on average for *n* old and new matches.
    func changes(
        to matches: [AnyQueryMatch],
        areEqual: (AnyQueryMatch, AnyQueryMatch) -> Bool
    ) -> [MatchChange] {
        var changes: [MatchChange] = []
        var gone = bySlot
        for match in matches {
            let old = gone.removeValue(forKey: match.slot)
            let isSameEntity = old.map { $0.revision == match.revision || areEqual($0, match) } ?? false
            if isSameEntity, let old, order.areInterchangeable(old, match) { continue }
            if let change = MatchChange(from: old, to: match, isSameEntity: isSameEntity) { changes.append(change) }
        }
        return changes + gone.values.compactMap { MatchChange(from: $0, to: nil) }
    }

    /// Makes changes, at most one for each slot.
    ///
    /// It compares sort keys, which is user code.
    ///
    /// - Returns: The difference of the answers.
    /// - Complexity: O(*k* log *n*) for *k* changes of *n* matches.
    mutating func make(_ changes: [MatchChange]) -> QuerySteps {
        let before = ordered
        if before.isEmpty {
            let all = changes.compactMap(\.new).sorted { order.precedes($0, $1) }
            ordered.insert(all, at: 0)
            for match in all { bySlot[match.slot] = match }
            return QuerySteps(inserting: ordered, in: order)
        }
        let places = changes.count == 1 ? [place(changes[0])] : placeAll(changes)
        for case let old? in changes.lazy.map(\.old) { bySlot[old.slot] = nil }
        for case let new? in changes.lazy.map(\.new) { bySlot[new.slot] = new }
        return QuerySteps(from: before, to: ordered, places, in: order)
    }

    /// Makes one change in the order.
    private mutating func place(_ change: MatchChange) -> ChangedPlace {
        var place = ChangedPlace(isSameEntity: change.isSameEntity)
        place.old = change.old.flatMap { order.place(of: $0, in: ordered) }
        guard let new = change.new else {
            if let old = place.old { ordered.remove(at: old) }
            return place
        }
        if let old = place.old {
            let (isFirst, isLast) = (old == 0, old + 1 == ordered.count)
            let isSamePlace =
                (isFirst || order.precedes(ordered[old - 1], new))
                && (isLast || order.precedes(new, ordered[old + 1]))
            if isSamePlace {
                ordered.replace(at: old, with: new)
                place.new = old
                return place
            }
            ordered.remove(at: old)
        }
        let index = ordered.partition { order.precedes($0, new) }
        ordered.insert([new], at: index)
        place.new = index
        return place
    }

    /// Makes several changes in the order.
    private mutating func placeAll(_ changes: [MatchChange]) -> [ChangedPlace] {
        var places = changes.map { change in
            ChangedPlace(
                old: change.old.flatMap { order.place(of: $0, in: ordered) },
                isSameEntity: change.isSameEntity
            )
        }
        places.dropRepetitions()
        for place in places.compactMap(\.old).sorted(by: >) { ordered.remove(at: place) }
        // They are inserted in their order, so that an insertion doesn't move an earlier one.
        let added = changes.indices.compactMap { index in changes[index].new.map { (index: index, match: $0) } }
            .sorted { order.precedes($0.match, $1.match) }
        var next = 0
        for (index, match) in added {
            let place = max(ordered.partition { order.precedes($0, match) }, next)
            ordered.insert([match], at: place)
            places[index].new = place
            next = place + 1
        }
        return places
    }
}

/// A change of a match.
struct MatchChange: Sendable {
    /// The old match, or `nil` if there was none.
    let old: AnyQueryMatch?
    /// The new match, or `nil` if there is none.
    let new: AnyQueryMatch?
    /// Whether the entity is the same, and only its place, or something that is computed from it, may differ.
    let isSameEntity: Bool

    /// Creates a change, or returns `nil` if there is none.
    init?(from old: AnyQueryMatch?, to new: AnyQueryMatch?, isSameEntity: Bool = false) {
        if old == nil && new == nil { return nil }
        self.init(old: old, new: new, isSameEntity: isSameEntity && old != nil && new != nil)
    }

    init(old: AnyQueryMatch?, new: AnyQueryMatch?, isSameEntity: Bool = false) {
        self.old = old
        self.new = new
        self.isSameEntity = isSameEntity
    }
}

/// The answer of a query among its matches.
struct QueryWindow: Sendable {
    let matches: ListTree<AnyQueryMatch>
    let range: Range<Int>

    init(of matches: ListTree<AnyQueryMatch>, in order: QueryOrder) {
        self.matches = matches
        range = order.window(of: matches.count)
    }

    /// The position in the answer of a place among all matches, or `nil` if it is outside.
    func position(ofPlace place: Int) -> Int? { range.contains(place) ? place - range.lowerBound : nil }
}
