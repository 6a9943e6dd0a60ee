/// What pages have brought, and what a page covers.
extension ListContents {
    /// Whether a page has brought an identifier that is listed.
    func isPaged(_ id: Value.ID) -> Bool { paged.contains(id) && contains(id) }

    /// The last identifier that a page has brought, or `nil` if there is none.
    ///
    /// - Parameter gap: The gap above which it is, or `nil` for the end of the list.
    func lastPaged(above gap: ListGap<Value.ID>? = nil) -> Value.ID? {
        if let id = gap?.id, isPaged(id) { return id }
        return order[..<(gap.map(place(of:)) ?? order.count)].last(where: isPaged)
    }

    /// The first identifier that a page has brought, or `nil` if there is none.
    ///
    /// - Parameter gap: The gap below which it is, or `nil` for the beginning of the list.
    func firstPaged(below gap: ListGap<Value.ID>? = nil) -> Value.ID? {
        order[(gap.map(place(of:)) ?? 0)...].first(where: isPaged)
    }

    /// Notes that a page has brought identifiers.
    mutating func notePage(_ ids: [Value.ID]) {
        for id in ids { _ = paged.insert(id) }
        // The same memory serves both unless the app has added identifiers.
        if members.subtracting(paged).isEmpty { paged = members }
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
            gaps = places.map { ListGap(id: order.prefix($0).last) }
        }
        paged = members
        for places in own {
            for id in order[places.clamped(to: 0..<order.count)] { _ = paged.remove(id) }
        }
    }
}
