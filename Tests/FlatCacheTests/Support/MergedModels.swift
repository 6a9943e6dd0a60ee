import FlatCache

/// An entity of which the newest version is stored.
struct Versioned: Cachable, Equatable {
    let id: Int
    var version: Int?
    var text = ""

    static let merge: Merge<Versioned> = .newest(by: \.version)
}

/// An entity whose identifiers are added up.
struct Discussion: Cachable, Equatable {
    let id = StatusID(domain: "a", id: "1")
    var title = ""
    var commentIDs: [Int] = []
    var tagIDs: Set<String> = []
    var pinnedIDs: [Int]?

    static let merge: Merge<Discussion> = .union(of: \.commentIDs).then(.union(of: \.tagIDs)).then(
        .union(of: \.pinnedIDs)
    )

    init(_ commentIDs: [Int] = [], title: String = "", tags: Set<String> = [], pinned: [Int]? = nil) {
        self.title = title
        self.commentIDs = commentIDs
        tagIDs = tags
        pinnedIDs = pinned
    }
}

/// An entity that is merged by a closure of the test's, and that can't be compared.
struct Merged: Cachable {
    var id: Int
    var entries: [Int]
    private let combine: @Sendable (_ stored: Merged, _ incoming: Merged) -> Merged?

    static let merge = Merge<Merged> { $1.combine($0, $1) }

    /// Creates an entity.
    ///
    /// - Parameter combine: The merge that it has as the incoming entity.
    init(
        _ id: Int,
        _ entries: [Int],
        _ combine: @escaping @Sendable (_ stored: Merged, _ incoming: Merged) -> Merged? = Merged.adding
    ) {
        self.id = id
        self.entries = entries
        self.combine = combine
    }

    /// A merge that adds up the entries.
    static let adding: @Sendable (_ stored: Merged, _ incoming: Merged) -> Merged? = { stored, incoming in
        var merged = incoming
        merged.entries = stored.entries + incoming.entries
        return merged
    }

    /// A merge that adds up the entries, and does something before, with the number of its call.
    static func adding(after action: @escaping @Sendable (_ call: Int) -> Void) -> @Sendable (Merged, Merged) -> Merged?
    {
        let calls = Protected(0)
        return { stored, incoming in
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            action(call)
            return adding(stored, incoming)
        }
    }
}
