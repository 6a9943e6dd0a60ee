/// A place of a list where entities may be missing, because the pages between two others aren't loaded.
@usableFromInline
struct ListGap<ID: Hashable & Sendable>: Sendable {
    /// A number that identifies the gap, because comparing identifiers may run user code.
    let number: UInt64
    /// The identifier before it, or `nil` if it is at the beginning of the list.
    var id: ID?
    /// The cursor of the next page, or `nil` if it isn't known.
    let next: (any Sendable)?
}

/// A gap stays at its place when the identifier before it goes: the previous one that stays is before it then.
extension ListContents {
    @usableFromInline func hasSameGaps(as other: Self) -> Bool {
        gaps.elementsEqual(other.gaps) { $0.number == $1.number }
    }

    /// The gaps when only some identifiers keep their places.
    ///
    /// - Parameter stays: Returns whether an identifier keeps its place.
    @usableFromInline func movedGaps(where stays: (Value.ID) -> Bool) -> [ListGap<Value.ID>] {
        var moved: [ListGap<Value.ID>] = []
        for var gap in gaps {
            if let id = gap.id, !stays(id) { gap.id = order[..<place(of: gap)].last(where: stays) }
            // The pages of the first of two gaps at one place fill the second, too.
            if moved.isEmpty || moved.last?.id != gap.id { moved.append(gap) }
        }
        return moved
    }

    /// Takes over the gaps of the contents before a change of the order.
    ///
    /// They follow identifiers that pages have brought, because the place of another one says nothing about what is missing.
    @usableFromInline mutating func takeGaps(of old: Self) {
        gaps = old.movedGaps(where: isPaged)
        let places = Dictionary(uniqueKeysWithValues: gaps.map { ($0.number, place(of: $0)) })
        gaps.sort { places[$0.number, default: 0] < places[$1.number, default: 0] }
    }

    /// The gap with a number, or `nil` if it is filled.
    func gap(_ number: UInt64) -> ListGap<Value.ID>? { gaps.first { $0.number == number } }

    /// The number of identifiers before a gap.
    func place(of gap: ListGap<Value.ID>) -> Int { gap.id.flatMap(order.firstIndex(of:)).map { $0 + 1 } ?? 0 }

    /// Whether a page has brought an identifier that is listed.
    func isPaged(_ id: Value.ID) -> Bool { paged.contains(id) && contains(id) }

    /// The last identifier that a page has brought, or the last one if the app has added all.
    ///
    /// - Parameter end: The identifier where the search begins, or `nil` for the end of the list.
    func lastID(upTo end: Value.ID? = nil) -> Value.ID? {
        if let end, isPaged(end) { return end }
        let count = end.map { order.firstIndex(of: $0).map { $0 + 1 } ?? 0 } ?? order.count
        return order[..<count].last(where: isPaged) ?? order[..<count].last
    }

    /// Notes that a page has brought identifiers.
    mutating func notePage(_ ids: [Value.ID]) {
        for id in ids { _ = paged.insert(id) }
        // The same memory serves both unless the app has added identifiers.
        if members.subtracting(paged).isEmpty { paged = members }
    }

    /// Forgets the cursors of the gaps, and ends the calls for them.
    mutating func forgetCursors() {
        gaps = gaps.map { ListGap(number: Self.nextGeneration(), id: $0.id, next: nil) }
    }

    /// The places of the identifiers that the app has added.
    var placesOfOwn: [Range<Int>] {
        // Nothing is compared if the two share their memory.
        if members.subtracting(paged).isEmpty { return [] }
        var places: [Range<Int>] = []
        for (place, id) in order.enumerated() where !paged.contains(id) {
            if let last = places.last, last.upperBound == place {
                places[places.count - 1] = last.lowerBound..<place + 1
            } else {
                places.append(place..<place + 1)
            }
        }
        return places
    }

    /// Replaces the identifiers by those of a store.
    ///
    /// - Parameters:
    ///   - ids: The identifiers.
    ///   - places: The number of identifiers before each gap.
    ///   - own: The places of the identifiers that the app has added.
    mutating func restore(_ ids: [Value.ID], gapsAt places: [Int], own: [Range<Int>]) {
        // What is known of the pages remains if another process has written the same.
        if !order.elementsEqual(ids) || gaps.map(place(of:)) != places {
            replace(with: ids)
            gaps = places.map { ListGap(number: Self.nextGeneration(), id: order.prefix($0).last, next: nil) }
        }
        paged = members
        for places in own {
            for id in order[places.clamped(to: 0..<order.count)] { _ = paged.remove(id) }
        }
    }
}
