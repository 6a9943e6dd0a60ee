import Testing

@testable import FlatCache

/// Replaced identifiers of chapters, which have indexes and a delete rule.
@Suite("Replaced identifiers of entities with indexes")
struct ReplacedChapterTests {
    private let cache = FlatCache()

    @Test("An entity that a layer moves to a hidden one keeps the place of that one, also in indexes", arguments: 0..<4)
    func hidden(order: Int) async {
        for id in ["a", "b", "c"] { cache.set(Chapter(id: id, part: id == "c" ? 1 : 0)) }
        #expect(ids(ofPart: 0) == ["a", "b"])
        let (removal, storing) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let removed = cache.mutate({ $0.remove(Chapter.self, id: "b") }, send: { try await removal() })
        let stored = cache.mutate({ $0.set(Chapter(id: "t", part: 1)) }, send: { try await storing() })
        cache.replaceIdentifier(of: Chapter.self, "t", with: Chapter(id: "b", part: 2))
        #expect(ids(ofPart: 1) == ["b", "c"] && ids() == ["a", "b", "c"])
        let ends = [{ removal.fail() }, { storing.fail() }]
        for end in order < 2 ? ends : ends.reversed() {
            if order % 2 == 0 { cache.set(Chapter(id: "b", part: 2)) }
            end()
        }
        #expect(await !removed.ended())
        #expect(await !stored.ended())
        #expect(ids(ofPart: 1) == ["c"] && ids(ofPart: 2) == ["b"] && ids() == ["a", "b", "c"])
        // An entry that an index has kept at another place would be found, too.
        cache.update(Chapter.self, id: "b") { $0.part = 1 }
        #expect(ids(ofPart: 1) == ["b", "c"])
    }

    @Test("A removal whose delete rule changes a draft is sent before the draft, and isn't dropped with it")
    func consequence() async {
        cache.set(Chapter(id: "a", part: 0))
        let (insertion, removal) = (ManualAnswer<Chapter>(), ManualAnswer<Void>())
        let draft = Chapter(id: "t", part: 0, nextID: "a")
        let inserted = cache.mutate(inserting: draft) { try await insertion() }
        let removed = cache.mutate({ $0.remove(Chapter.self, id: "a") }, send: { try await removal() })
        #expect(cache.get(Chapter.self, id: "t")?.nextID == nil)
        await removal.hasBegun()
        insertion.fail()
        #expect(await !inserted.ended())
        removal.succeed()
        #expect(await removed.ended())
        #expect(ids() == [])
    }

    private func ids(ofPart part: Int) -> [String] {
        Array(cache.query(FlatCache.Query(Chapter.self).filter(\.part, equals: part)).ids)
    }

    private func ids() -> [String] { Array(cache.query(FlatCache.Query(Chapter.self)).ids) }
}

/// An entity with an index, that names others of its type.
struct Chapter: Cachable, Codable, Equatable, RelationshipOwner {
    let id: String
    var part: Int
    var nextID: String?

    struct Relationships: Sendable {
        var next: FlatCache.Relationship<Chapter, FlatCache.ToOptional<Chapter>> {
            .init("Chapter.nextID", { $0.nextID }, set: { $0.nextID = $1 })
        }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.next)] }
    static var indexes: [FlatCache.Index<Chapter>] { [.init(\.part), .init(\.nextID)] }
    static var deleteRules: [FlatCache.DeleteRule<Chapter>] { [.init(\.next, .nullify)] }
}
