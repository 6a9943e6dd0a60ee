import FlatCache
import Foundation
import Testing

@Suite("Recorded JSON:API documents", .enabled(if: SharedData.folder("jsonapi") != nil))
struct JSONAPIRecordedTests {
    private typealias Page<Names: RecordedNames> = JSONAPI.Document<[RecordedArticle<Names>], RecordedPerson<Names>>

    private let cache = FlatCache()

    private static func decode<Root: Decodable>(
        _ type: Root.Type,
        _ file: String,
        isStrict: Bool = false
    ) throws -> Root {
        let decoder = JSONDecoder()
        decoder.userInfo[.isStrictPayload] = isStrict
        return try decoder.decode(type, from: SharedData.data("jsonapi", file))
    }

    private func check<Names>(_ article: RecordedArticle<Names>?, coauthorIDs: [String]) {
        #expect(article?.title == "Title")
        #expect(article?.description == "Desc")
        #expect(article?.keywords == ["key1", "key2"])
        #expect(article?.authorID == "123123")
        #expect(article?.coauthorIDs == coauthorIDs)
        #expect(article?.meta?["hint"]?.string == "Hint")
        #expect(cache.get(RecordedPerson<Names>.self, id: "123123")?.name == "Aron")
        #expect(cache.get(RecordedPerson<Names>.self, id: "123123")?.favoriteArticleID == "id")
    }

    @Test("A document with one resource is read")
    func one() throws {
        typealias Document = JSONAPI.Document<RecordedArticle<FirstNames>, RecordedPerson<FirstNames>>
        let stored = cache.store(try Self.decode(Document.self, "Article.json"))
        #expect(stored.problems.map(\.description) == [])
        check(stored.value, coauthorIDs: ["35124", "35125"])
        #expect(cache.count(of: RecordedPerson<FirstNames>.self) == 3)
    }

    @Test("A document with an array is read")
    func array() throws {
        let stored = cache.store(try Self.decode(Page<PlainNames>.self, "DeserializerCollectionSpec.json"))
        #expect(stored.problems.map(\.description) == [])
        #expect(stored.value?.count == 1)
        check(stored.value?.first, coauthorIDs: ["35124", "35125"])
    }

    @Test("Pages are read with their links")
    func pages() throws {
        let first = try Self.decode(Page<ThirdNames>.self, "Pagination1.json")
        #expect(first.problems.map(\.description) == [])
        #expect(Set(first.links.byName.keys) == ["self", "first", "prev", "next", "last"])
        #expect(first.links["next"]?.href == "http://example.com/articles?page[number]=4&page[size]=1")
        check(cache.store(first).value?.first, coauthorIDs: ["35124", "35125"])

        let second = try Self.decode(Page<ThirdNames>.self, "Pagination2.json")
        #expect(second.unknownTypes == ["  "])
        #expect(second.problems.map(\.description) == ["included[1]: no relationship leads to    35126"])
        let other = FlatCache()
        let error = #expect(throws: PayloadProblem.self) { try other.store(second, strict: true) }
        #expect(error?.description == second.problems.first?.description && other.count == 0)
        #expect(throws: PayloadProblem.self) {
            try Self.decode(Page<ThirdNames>.self, "Pagination2.json", isStrict: true)
        }
        check(cache.store(second).value?.first, coauthorIDs: ["35126", "35127"])
        #expect(cache.get(RecordedPerson<ThirdNames>.self, id: "35127")?.name == "Debil")
    }

    @Test("A relationship to resources of several types is read")
    func polymorphic() throws {
        let document = try Self.decode(
            JSONAPI.Document<Player, Weapon, Shield>.self,
            "DeserializerSinglePolymorphic.json"
        )
        #expect(document.problems.map(\.description) == [])
        let player = try #require(cache.store(document).value)
        #expect(player.titles == ["hello", "world"])
        #expect(player.items == [.weapon("excalibur"), .shield("ardor")])
        #expect(cache.get(Weapon.self, id: "excalibur") == Weapon(id: "excalibur", hint: "A hint", shieldID: "ardor"))
        #expect(cache.get(Shield.self, id: "ardor")?.name == "A name")
    }
}

private struct Player: Cachable, Decodable {
    let id: String
    let titles: [String]
    let items: [Item]
}

private enum Item: Decodable, Equatable {
    case weapon(Weapon.ID)
    case shield(Shield.ID)

    private enum CodingKeys: CodingKey { case type, id }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let id = try members.decode(String.self, forKey: .id)
        self = try members.decode(String.self, forKey: .type) == "Weapons" ? .weapon(id) : .shield(id)
    }
}

private struct Weapon: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("hint", \.hint),
            .init("shieldID", \.shieldID, Shield.self, "shieldId", "shield"),
        ]
    }

    let id: String
    let hint: String
    let shieldID: Shield.ID?
}

private struct Shield: Cachable, Decodable {
    let id: String
    let name: String
}
