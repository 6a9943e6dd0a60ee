/// The sort keys of a query, and the part of the matches that is the answer.
@usableFromInline
struct QueryOrder: Hashable, Sendable {
    var sortKeys: [QuerySortKey] = []
    var skipped = 0
    var longest: Int?
    /// Whether the last sort key doesn't sort, and is computed for ``FlatCache/Query/projecting(_:)``.
    var isProjected = false

    init() {}

    /// Whether sort keys can read a cache.
    var mayRead: Bool { sortKeys.contains { $0.key != nil } }

    /// The places of the answer among a number of matches.
    func window(of count: Int) -> Range<Int> {
        let start = Swift.min(skipped, count)
        return start..<start + Swift.min(longest ?? count, count - start)
    }

    /// Whether all matches are in the answer.
    var isWhole: Bool { skipped == 0 && longest == nil }

    /// The number of matches that determine the answer, or `nil` if all do.
    var neededCount: Int? {
        longest.flatMap { longest in
            let (sum, isTooLarge) = skipped.addingReportingOverflow(longest)
            return isTooLarge ? nil : sum
        }
    }

    /// Returns whether a match comes before another one, which may run user code.
    func precedes(_ first: AnyQueryMatch, _ second: AnyQueryMatch) -> Bool {
        var place = 0
        for sortKey in sortKeys {
            let order: Int
            if let compareKeys = sortKey.compareKeys {
                order = compareKeys(first.keys[place], second.keys[place])
                place += 1
            } else {
                order = sortKey.compare(first, second)
            }
            if order != 0 { return order < 0 }
        }
        return first.ordinal < second.ordinal
    }

    /// The place of a match among others, or `nil` if it isn't there, which may run user code.
    func place(of match: AnyQueryMatch, in matches: ListTree<AnyQueryMatch>) -> Int? {
        let place = matches.partition { precedes($0, match) }
        if place < matches.count, matches[place] === match { return place }
        // The sort keys have no consistent order, because of a faulty `<`.
        return matches.firstIndex { $0 === match }
    }

    /// Returns whether two matches of equal entities have nothing different, which may run user code.
    func areInterchangeable(_ first: AnyQueryMatch, _ second: AnyQueryMatch) -> Bool {
        !isProjected && !precedes(first, second) && !precedes(second, first)
    }
}

extension QueryOrder {
    /// The order and the part of the answer, as texts.
    var facts: [String?] {
        sortKeys.map { $0.index?.text }
            + [skipped == 0 ? nil : "offset \(skipped)", longest.map { "limit \($0)" }]
    }
}

extension IndexedOrder {
    fileprivate var text: String {
        "sorted by \(Summary.path(property))" + (isDescending ? " descending" : "") + (isNilFirst ? ", nils first" : "")
    }
}
