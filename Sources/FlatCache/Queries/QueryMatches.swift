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

    /// The change of a match.
    struct Change {
        /// The old match, or `nil` if there was none.
        let old: AnyQueryMatch?
        /// The new match, or `nil` if there is none.
        let new: AnyQueryMatch?
        /// Whether the entity is the same, and only its place may differ.
        var isSameEntity = false

        /// Creates a change, or returns `nil` if there is none.
        init?(from old: AnyQueryMatch?, to new: AnyQueryMatch?, isSameEntity: Bool = false) {
            if old == nil && new == nil { return nil }
            self.old = old
            self.new = new
            self.isSameEntity = isSameEntity && old != nil && new != nil
        }
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
    ) -> [Change] {
        var changes: [Change] = []
        var gone = bySlot
        for match in matches {
            let old = gone.removeValue(forKey: match.slot)
            let isSameEntity = old.map { $0.revision == match.revision || areEqual($0, match) } ?? false
            if isSameEntity, let old, order.areInterchangeable(old, match) { continue }
            if let change = Change(from: old, to: match, isSameEntity: isSameEntity) { changes.append(change) }
        }
        return changes + gone.values.compactMap { Change(from: $0, to: nil) }
    }

    /// Makes changes, at most one for each slot.
    ///
    /// It compares sort keys, which is user code.
    ///
    /// - Returns: The difference of the answers.
    /// - Complexity: O(*k* log *n*) for *k* changes of *n* matches.
    mutating func make(_ changes: [Change]) -> QuerySteps {
        let before = ordered
        if ordered.isEmpty {
            let new = changes.compactMap { $0.new }.sorted { order.precedes($0, $1) }
            ordered.insert(new, at: 0)
            for match in new { bySlot[match.slot] = match }
        } else {
            for change in changes {
                if let old = change.old {
                    if let place = order.place(of: old, in: ordered) { ordered.remove(at: place) }
                    bySlot[old.slot] = nil
                }
                if let new = change.new {
                    ordered.insert([new], at: ordered.partition { order.precedes($0, new) })
                    bySlot[new.slot] = new
                }
            }
        }
        return difference(from: before, changes)
    }

    /// The difference to the matches before some changes.
    private func difference(
        from before: ListTree<AnyQueryMatch>,
        _ changes: [Change]
    ) -> QuerySteps {
        let old = QueryWindow(of: before, in: order)
        let new = QueryWindow(of: ordered, in: order)
        func position(of match: AnyQueryMatch, in window: QueryWindow) -> Int? {
            order.place(of: match, in: window.matches).flatMap(window.position(ofPlace:))
        }
        /// The positions of changed matches in both windows, as far as they are in them.
        var changed: [(old: Int?, new: Int?, isSameEntity: Bool)] = changes.map { change in
            (
                change.old.flatMap { position(of: $0, in: old) },
                change.new.flatMap { position(of: $0, in: new) },
                change.isSameEntity
            )
        }
        let changedOld = Set(changes.compactMap { $0.old.map(ObjectIdentifier.init) })
        let changedNew = Set(changes.compactMap { $0.new.map(ObjectIdentifier.init) })
        // The others keep their order, so only those at the ends of the window can leave or enter it.
        if !order.isWhole {
            for place in Self.ends(of: old, without: changedOld, { position(of: $0, in: new) == nil }) {
                changed.append((place, nil, false))
            }
            for place in Self.ends(of: new, without: changedNew, { position(of: $0, in: old) == nil }) {
                changed.append((nil, place, false))
            }
        }
        return QuerySteps(from: old, to: new, PositionSteps(changed))
    }

    /// The positions of matches at both ends of a window that aren't in another window.
    ///
    /// - Parameters:
    ///   - window: The window.
    ///   - changed: The matches to skip.
    ///   - isOutside: Returns whether a match isn't in the other window.
    private static func ends(
        of window: QueryWindow,
        without changed: Set<ObjectIdentifier>,
        _ isOutside: (AnyQueryMatch) -> Bool
    ) -> [Int] {
        var positions: [Int] = []
        for position in 0..<window.range.count {
            let match = window.match(at: position)
            if changed.contains(ObjectIdentifier(match)) { continue }
            if !isOutside(match) { break }
            positions.append(position)
        }
        let start = positions.last ?? -1
        for position in (0..<window.range.count).reversed() where position > start {
            let match = window.match(at: position)
            if changed.contains(ObjectIdentifier(match)) { continue }
            if !isOutside(match) { break }
            positions.append(position)
        }
        return positions
    }
}

/// The answer of a query among its matches.
struct QueryWindow {
    let matches: ListTree<AnyQueryMatch>
    let range: Range<Int>

    init(of matches: ListTree<AnyQueryMatch>, in order: QueryOrder) {
        self.matches = matches
        range = order.window(of: matches.count)
    }

    /// The match at a position of the answer.
    func match(at position: Int) -> AnyQueryMatch { matches[range.lowerBound + position] }

    /// The position in the answer of a place among all matches, or `nil` if it is outside.
    func position(ofPlace place: Int) -> Int? { range.contains(place) ? place - range.lowerBound : nil }
}
