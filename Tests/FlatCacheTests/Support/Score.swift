import FlatCache

/// An entity with keys that have an order.
struct Score: Cachable, Equatable {
    let id: Int
    var points = 0
    var rank: Int?
    var weight = 0.0
    var name = ""
    var isPinned = false
    var team = 0
    var mark = Mark(number: 0)

    /// A key whose order is its own.
    struct Mark: Hashable, Comparable, Sendable {
        var number: Int

        static func < (lhs: Mark, rhs: Mark) -> Bool { lhs.number < rhs.number }
    }

    /// A key that isn't stored.
    var absolute: Int { abs(points) }

    static let allIndexes: [FlatCache.Index<Score>] = [
        .init(\.points), .init(\.rank), .init(\.weight), .init(\.name), .init(\.isPinned.number), .init(\.mark),
        .init(\.absolute),
    ]
}

extension Bool {
    /// A number that has an order.
    var number: Int { self ? 1 : 0 }
}
