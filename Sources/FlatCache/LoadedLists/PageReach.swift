/// How far a page reaches into what is listed beside it.
struct PageReach {
    /// The place up to which the page decides what is listed.
    let place: Int
    /// Whether nothing is missing between the page and what is listed beyond.
    var joins = false
}

extension ListContents {
    /// How far a page reaches above a place.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the page.
    ///   - known: The same identifiers.
    ///   - place: The place.
    func reach(of ids: [Value.ID], _ known: KeySet<Value.ID>, above place: Int) -> PageReach {
        guard let first = ids.first, isPaged(first), let index = order.firstIndex(of: first), index < place else {
            return PageReach(place: place)
        }
        let gap = gaps.lazy.map(self.place(of:)).first { $0 > index } ?? place
        let overlap = overlap(of: ids, known, order[index..<min(gap, place)], order[index..<place])
        return overlap.reaches ? PageReach(place: index, joins: overlap.joins) : PageReach(place: place)
    }

    /// How far a page reaches below a place.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the page.
    ///   - known: The same identifiers.
    ///   - place: The place.
    func reach(of ids: [Value.ID], _ known: KeySet<Value.ID>, below place: Int) -> PageReach {
        guard let last = ids.last, isPaged(last), let index = order.firstIndex(of: last), index >= place else {
            return PageReach(place: place)
        }
        let gap = gaps.lazy.map(self.place(of:)).last { $0 <= index } ?? place
        let listed = order[max(gap, place)...index].reversed()
        let overlap = overlap(of: ids.reversed(), known, listed, order[place...index])
        return overlap.reaches ? PageReach(place: index + 1, joins: overlap.joins) : PageReach(place: place)
    }

    /// What a page repeats, and leaves out, of what pages have brought beside it.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the page, the outermost first.
    ///   - known: The same identifiers.
    ///   - listed: The identifiers from there to the next gap or the page.
    ///   - all: The identifiers from there to the page.
    private func overlap(
        of ids: some Sequence<Value.ID>,
        _ known: KeySet<Value.ID>,
        _ listed: some Sequence<Value.ID>,
        _ all: some Collection<Value.ID>
    ) -> PageOverlap {
        var ids = ids.makeIterator()
        var next = ids.next()
        var overlap = PageOverlap()
        for id in listed where id == next && isPaged(id) {
            overlap.repeated += 1
            next = ids.next()
        }
        for id in all where isPaged(id) {
            overlap.count += 1
            if !known.contains(id) { overlap.leftOut += 1 }
        }
        return overlap
    }
}

/// What a page has in common with what pages have brought beside it, from its outermost identifier on.
private struct PageOverlap {
    /// The number of identifiers that both have in the same order, without a gap or another one of the page between.
    var repeated = 0
    /// The number of identifiers that aren't in the page.
    var leftOut = 0
    /// The number of all.
    var count = 0

    /// Whether the page joins.
    ///
    /// It repeats at least two more than it leaves out. The server may have moved a single one, and then what is between its two
    /// places isn't loaded. If many are left out, those that are repeated may have moved, too. A gap that is noted wrongly costs
    /// a page, one that is missed hides entities.
    var joins: Bool { repeated >= leftOut + 2 }

    /// Whether the page decides about the places.
    ///
    /// If there is only one identifier, it decides about those that the app has added between.
    var reaches: Bool { joins || count == 1 }
}
