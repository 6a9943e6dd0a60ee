/// Where a page is inserted into a list, and what is beside it there.
struct PageJoint<Value: Cachable> {
    /// Whether the page was asked for from below, so that a gap can remain above it, and not below.
    let isFromBelow: Bool
    /// Whether it is a first page, above which nothing is missing.
    private let isFirst: Bool
    private let filled: ListGap<Value.ID>?
    private let order: CachedListIDs<Value.ID>
    /// The identifiers of the page that have their place there.
    private(set) var ids: [Value.ID]
    let known: KeySet<Value.ID>
    /// The places that the page replaces.
    let covered: Range<Int>
    /// Whether the page joins what pages have brought on the side that it was not asked from.
    private let joins: Bool
    /// The cursor of the page on this side, or `nil` if there is none.
    let cursor: ListCursor<Value.ID>?
    /// The nearest place of what pages have brought on this side, or `nil` if there is none.
    let neighbour: Int?

    /// Determines where a page is inserted.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - place: The place.
    ///   - request: The request of the page.
    ///   - filled: The gap at the place, or `nil` if it fills none.
    ///   - contents: The contents of the list.
    init(
        _ page: LoadedPage<Value.ID>,
        at place: Int,
        of request: ListRequest<Value>,
        filling filled: ListGap<Value.ID>?,
        in contents: ListContents<Value>
    ) {
        isFromBelow = request.place.isFromBelow
        isFirst = request.place == .first
        self.filled = filled
        order = contents.order
        cursor = isFromBelow ? page.previous : page.next

        var known = KeySet(page.ids)
        let above = contents.reach(of: page.ids, known, above: place)
        let below = contents.reach(of: page.ids, known, below: place)
        joins = isFromBelow ? above.joins : below.joins
        var covered = above.place..<below.place
        if cursor == nil { covered = isFromBelow ? 0..<covered.upperBound : covered.lowerBound..<order.count }
        self.covered = covered

        let near = isFromBelow ? order[covered.upperBound...] : order[..<covered.lowerBound]
        let others = KeySet(near.filter(contents.isPaged))
        ids = page.ids.filter { !others.contains($0) }
        if ids.count < page.ids.count { known = KeySet(ids) }
        self.known = known
        func isOther(_ id: Value.ID) -> Bool { contents.isPaged(id) && !known.contains(id) }
        neighbour =
            isFromBelow
            ? order[..<covered.lowerBound].lastIndex(where: isOther)
            : order[covered.upperBound...].firstIndex(where: isOther)
    }

    /// The places above what the page replaces.
    var upper: Range<Int> { 0..<covered.lowerBound }

    /// Whether an identifier that is listed beside what the page replaces stays there.
    func stays(_ id: Value.ID) -> Bool { !known.contains(id) }

    /// Whether a page has brought an identifier that isn't in this one.
    func isOther(_ id: Value.ID, in contents: ListContents<Value>) -> Bool { contents.isPaged(id) && stays(id) }

    /// The gaps of the list with the page.
    ///
    /// On the side that it was not asked from, a gap is beside the page if it joins nothing there, or if a gap follows what it joins.
    ///
    /// - Parameters:
    ///   - contents: The contents without the page.
    ///   - inserted: The identifiers that are inserted.
    ///   - beginning: The cursor of the page before the list, which is that of the gap below a first page.
    func gaps(
        of contents: ListContents<Value>,
        around inserted: [Value.ID],
        _ beginning: ListCursor<Value.ID>?
    ) -> [ListGap<Value.ID>] {
        let above = order[upper].last(where: stays)
        let last = inserted.last ?? above
        // The gaps above and below that stay, and those between the page and its neighbour.
        var (gaps, besides, after): ([ListGap<Value.ID>], [ListGap<Value.ID>], [ListGap<Value.ID>]) = ([], [], [])
        for var gap in contents.gaps {
            let place = contents.place(of: gap)
            if isAbove(gap, at: place) {
                gap.id = order[..<place].last(where: stays)
                gap.above.forgetCursor(ofAny: known)
                gaps.appendGap(gap)
            } else if isBelow(gap, at: place) {
                gap.id = order[covered.upperBound..<place].last(where: stays) ?? last
                gap.below.forgetCursor(ofAny: known)
                after.appendGap(gap)
            } else if isFromBelow ? place <= covered.lowerBound : place >= covered.upperBound {
                besides.append(gap)
            }
        }
        if neighbour != nil, !joins || !besides.isEmpty, let cursor {
            // What is listed on the other side has moved to the page, or what was between is gone.
            let isDoubtful = !joins && ids.contains(where: contents.isPaged)
            if isFromBelow {
                let side = besides.first?.above ?? .init()
                let gap = ListGap(id: above, above: isDoubtful ? side.doubtful : side, below: .init(cursor: cursor))
                gaps.appendGap(gap)
            } else {
                let side = besides.last?.below ?? .init(cursor: isFirst ? beginning : nil)
                let gap = ListGap(id: last, above: .init(cursor: cursor), below: isDoubtful ? side.doubtful : side)
                gaps.appendGap(gap)
            }
        }
        for gap in after { gaps.appendGap(gap) }
        return gaps
    }

    /// Whether a gap stays above the page.
    private func isAbove(_ gap: ListGap<Value.ID>, at place: Int) -> Bool {
        if isFromBelow { return place <= neighbour ?? -1 }
        return !isFilled(gap) && !isFirst && place <= covered.lowerBound
    }

    /// Whether a gap stays below the page.
    private func isBelow(_ gap: ListGap<Value.ID>, at place: Int) -> Bool {
        isFromBelow ? !isFilled(gap) && place >= covered.upperBound : place > neighbour ?? order.count
    }

    private func isFilled(_ gap: ListGap<Value.ID>) -> Bool { gap.above.number == filled?.above.number }
}

extension ListGap.Side {
    /// The side when entities have left it for the other one, on which no page of before joins.
    fileprivate var doubtful: Self { Self(cursor: cursor, isDoubtful: true) }

    /// Forgets the cursor, and ends the calls for it, if the server has moved its entity to the other side.
    fileprivate mutating func forgetCursor(ofAny moved: KeySet<ID>) {
        if let id = cursor?.id, moved.contains(id) { self = Self(isDoubtful: isDoubtful) }
    }
}
