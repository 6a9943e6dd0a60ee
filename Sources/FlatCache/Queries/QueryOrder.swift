/// The sort keys of a query, and the part of the matches that is the answer.
@usableFromInline
struct QueryOrder: Hashable, Sendable {
    @usableFromInline var sortKeys: [QuerySortKey] = []
    var skipped = 0
    var longest: Int?

    @usableFromInline init() {}

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

    /// Returns whether two matches have equal sort keys, which may run user code.
    func areAtSamePlace(_ first: AnyQueryMatch, _ second: AnyQueryMatch) -> Bool {
        !precedes(first, second) && !precedes(second, first)
    }
}
