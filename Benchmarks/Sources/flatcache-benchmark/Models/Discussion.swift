import FlatCache

/// Ten comments.
struct Discussion: Cachable, Equatable {
    let id: String
    // relationship: Comment
    var commentIDs: [String]
}

extension Discussion {
    init(number: Int) {
        id = "117020568811\(100_000 + number)"
        commentIDs = (0..<10).map { Comment.id(number: number * 10 + $0) }
    }
}

/// What somebody says in a discussion.
struct Comment: Cachable, Equatable {
    let id: String
    var text: String
}

extension Comment {
    init(number: Int) {
        id = Self.id(number: number)
        text = "A comment that is too long to be stored in the string itself, number \(number)"
    }

    static func id(number: Int) -> String { "117020567000\(100_000 + number)" }
}
