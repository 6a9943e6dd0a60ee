import FlatCache

/// Who writes posts.
struct Author: Cachable, Equatable {
    let id: String
    var name: String
    var biography: String
}

extension Author {
    init(number: Int) {
        id = Self.id(number: number)
        name = "The author with the number \(number)"
        biography = "Writes posts about this and that, number \(number)"
    }

    static func id(number: Int) -> String { "117020566092\(100_000 + number)" }
}
