/// A place of a list where entities may be missing, because the pages between two others aren't loaded.
///
/// It is filled from above and from below.
@usableFromInline
struct ListGap<ID: Hashable & Sendable>: Sendable {
    /// A side from which a gap is filled.
    struct Side: Sendable {
        /// A number that identifies the gap on this side until a page joins there, because comparing identifiers may run user code.
        let number = nextListNumber()
        /// The cursor of the page there, or `nil` if it isn't known.
        var cursor: ListCursor<ID>?
        /// Whether the server may not have the entities on this side any more, so that the gap is filled from the other one.
        var isDoubtful = false
    }

    /// The identifier before it, or `nil` if it is at the beginning of the list.
    var id: ID?
    var above = Side()
    var below = Side()
}

/// A cursor that came with a page.
struct ListCursor<ID: Hashable & Sendable>: Sendable {
    let cursor: any Sendable
    /// The entity of the page beside which the next page begins, or `nil` if the page had none.
    let id: ID?

    init?(_ cursor: (any Sendable)?, at id: ID?) {
        guard let cursor else { return nil }
        self.cursor = cursor
        self.id = id
    }
}

/// A gap stays at its place when the identifier before it goes: the previous one that stays is before it then.
extension ListContents {
    func hasSameGaps(as other: Self) -> Bool {
        gaps.elementsEqual(other.gaps) { $0.above.number == $1.above.number && $0.below.number == $1.below.number }
    }

    /// The gaps when only some identifiers keep their places.
    ///
    /// - Parameter stays: Returns whether an identifier keeps its place.
    func movedGaps(where stays: (Value.ID) -> Bool) -> [ListGap<Value.ID>] {
        var moved: [ListGap<Value.ID>] = []
        for var gap in gaps {
            if let id = gap.id, !stays(id) { gap.id = order[..<place(of: gap)].last(where: stays) }
            moved.appendGap(gap)
        }
        return moved
    }

    /// Takes over the gaps of the contents before a change of the order.
    ///
    /// They follow identifiers that pages have brought, because the place of another one says nothing about what is missing.
    mutating func takeGaps(of old: Self) {
        gaps = old.movedGaps(where: isPaged)
        let places = Dictionary(uniqueKeysWithValues: gaps.map { ($0.above.number, place(of: $0)) })
        gaps.sort { places[$0.above.number, default: 0] < places[$1.above.number, default: 0] }
    }

    /// The gap at which a page belongs, or `nil` if it is filled or the page belongs elsewhere.
    func gap(at place: ListPlace) -> ListGap<Value.ID>? {
        switch place {
        case .first, .beginning, .end: nil
        case .gap(let number): gaps.first { $0.above.number == number }
        case .gapFromBelow(let number): gaps.first { $0.below.number == number }
        }
    }

    /// The gap directly before an identifier, or `nil` if there is none.
    func gap(before id: Value.ID) -> ListGap<Value.ID>? {
        guard !gaps.isEmpty, let place = order.firstIndex(of: id) else { return nil }
        let previous = place > 0 ? order[place - 1] : nil
        return gaps.first { $0.id == previous }
    }

    /// The number of identifiers before a gap.
    func place(of gap: ListGap<Value.ID>) -> Int { gap.id.flatMap(order.firstIndex(of:)).map { $0 + 1 } ?? 0 }

    /// Forgets the cursors of the gaps, and ends the calls for them.
    mutating func forgetCursors() { gaps = gaps.map { ListGap(id: $0.id) } }
}

extension Array {
    /// Appends a gap.
    ///
    /// Two gaps at one place are one, which is filled from both sides.
    mutating func appendGap<ID>(_ gap: ListGap<ID>) where Element == ListGap<ID> {
        if let last, last.id == gap.id { self[count - 1].below = gap.below } else { append(gap) }
    }
}
