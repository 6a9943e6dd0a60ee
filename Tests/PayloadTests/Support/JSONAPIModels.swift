import FlatCache
import Foundation

/// The models of the tests of JSON:API, with tables as the plugin generates them.
struct Article: Cachable, Codable, Equatable {
    let id: Int
    var type: String?
    var title: String
    var createdAt: Date?
    var authorID: Person.ID?
    var commentIDs: [Note.ID]?
    var meta: JSONAPI.Value?
    var links: JSONAPI.Links?
}

extension Article: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("type", \.type), .init("title", \.title), .init("createdAt", \.createdAt),
            .init("authorID", \.authorID, Person.self, "authorId", "author"),
            .init("commentIDs", \.commentIDs, Note.self, "commentIds", "comments"), .init("meta", \.meta),
            .init("links", \.links),
        ]
    }
}

struct Person: Cachable, Codable, Equatable, FlatCache.PayloadNamed {
    static let payloadName = "people"

    let id: String
    var firstName: String
    var twitter: String?
    let favoriteArticleID: Article.ID?
}

extension Person: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("firstName", \.firstName), .init("twitter", \.twitter),
            .init("favoriteArticleID", \.favoriteArticleID, Article.self, "favoriteArticleId", "favoriteArticle"),
        ]
    }
}

/// An entity without a table, whose key is the name of the relationship.
struct Note: Cachable, Codable, Equatable, FlatCache.PayloadNamed {
    static let payloadName = "comments"

    let id: UUID
    var body: String
    var author: Person.ID?
}

/// The decoding of test documents.
func decode<Root: Decodable>(
    _ type: Root.Type,
    _ json: String,
    _ configure: (JSONDecoder) -> Void = { _ in }
) throws -> Root {
    let decoder = JSONDecoder()
    configure(decoder)
    return try decoder.decode(type, from: Data(json.utf8))
}
