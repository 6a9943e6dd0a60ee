import FlatCache
import Foundation
import Testing

/// An identifier whose `==` writes into the current cache.
private struct WritingID: Hashable, Codable, Sendable {
    let number: Int

    /// The write, or `nil` for none.
    @TaskLocal static var write: Write?

    /// A write that stops after many calls, so that a test fails instead of running forever.
    final class Write: @unchecked Sendable {  // Used by one thread.
        private let body: () -> Void
        private var isRunning = false
        private(set) var count = 0

        init(_ body: @escaping () -> Void) { self.body = body }

        static let limit = 5_000

        func run() {
            if isRunning || count == Self.limit { return }
            isRunning = true
            defer { isRunning = false }
            count += 1
            body()
        }
    }

    init(_ number: Int) { self.number = number }

    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    static func == (lhs: WritingID, rhs: WritingID) -> Bool {
        write?.run()
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

private struct Page: Cachable, Codable, Equatable {
    let id: WritingID
    var title: String
    var note: String?
}

private struct Draft: Cachable, Codable, Equatable {
    let id: WritingID
    var title: String
    var note: String?

    static let merge = Merge<Draft> { $1 }
}

private struct Comparisons: Cachable {
    let id: Int
    var count: Int
}

@Suite("Identifiers whose == writes")
struct OwnWriteTests {
    private let cache = FlatCache()

    enum Written: CaseIterable {
        case counter, page, draft
    }

    enum Operation: CaseIterable {
        case setPage, setDraft, setDrafts, mergeTogether, update, move, storePages, storePagesStrictly, storeDrafts
    }

    @Test(
        "S7: Each write gets through though every comparison of identifiers writes as well",
        arguments: Written.allCases,
        Operation.allCases
    )
    func progress(written: Written, operation: Operation) throws {
        for number in 1...2 {
            cache.set(Page(id: WritingID(number), title: "A", note: "N"))
            cache.set(Draft(id: WritingID(number), title: "A", note: "N"))
        }
        let write = WritingID.Write { [cache] in
            switch written {
            case .counter: cache.update(default: Comparisons(id: 1, count: 0)) { $0.count += 1 }
            case .page: cache.set(Page(id: WritingID(1), title: "C", note: "C"))
            case .draft: cache.set(Draft(id: WritingID(1), title: "C", note: "C"))
            }
        }
        try WritingID.$write.withValue(write) { try perform(operation) }
        #expect(write.count > 0 && write.count < WritingID.Write.limit)
        switch operation {
        case .setPage, .update: #expect(cache.get(Page.self, id: WritingID(1))?.title == "B")
        case .setDraft, .setDrafts, .mergeTogether: #expect(cache.get(Draft.self, id: WritingID(1))?.title == "B")
        case .move: #expect(cache.get(Page.self, id: WritingID(3))?.title == "B")
        // Reading the result compares identifiers, which replaces the first entity again.
        case .storePages, .storePagesStrictly: #expect(cache.get(Page.self, id: WritingID(2))?.title == "B")
        case .storeDrafts: #expect(cache.get(Draft.self, id: WritingID(2))?.title == "B")
        }
    }

    private func perform(_ operation: Operation) throws {
        // It leaves the note out, so the entities depend on the stored ones.
        let data = Data(#"[{"id": 1, "title": "B"}, {"id": 2, "title": "B"}]"#.utf8)
        switch operation {
        case .setPage: cache.set(Page(id: WritingID(1), title: "B"))
        case .setDraft: cache.set(Draft(id: WritingID(1), title: "B"))
        case .setDrafts: cache.set(contentsOf: (1...2).map { Draft(id: WritingID($0), title: "B") })
        case .mergeTogether:
            cache.transaction {
                _ = cache.get(Page.self, id: WritingID(2))
                cache.set(Draft(id: WritingID(1), title: "B"))
            }
        case .update: cache.update(Page.self, id: WritingID(1)) { $0.title = "B" }
        case .move: cache.update(Page.self, id: WritingID(1)) { $0 = Page(id: WritingID(3), title: "B") }
        case .storePages: cache.store(try JSONDecoder().decode(Payload<[Page]>.self, from: data))
        case .storePagesStrictly:
            try cache.store(try JSONDecoder().decode(Payload<[Page]>.self, from: data), strict: true)
        case .storeDrafts: cache.store(try JSONDecoder().decode(Payload<[Draft]>.self, from: data))
        }
    }
}
