import FlatCache
import Foundation

/// Models of the recorded responses, with tables as the plugin generates them.
enum Mastodon {
    struct Status: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: String
        var content: String
        var createdAt: String
        var favouritesCount: Int?
        var tags: [Tag]
        let accountID: Account.ID
        var reblogID: Status.ID?

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("content", \.content), .init("createdAt", \.createdAt),
                .init("favouritesCount", \.favouritesCount), .init("tags", \.tags),
                .init("accountID", \.accountID, Account.self, "accountId", "account"),
                .init("reblogID", \.reblogID, Status.self, "reblogId", "reblog"),
            ]
        }
    }

    struct Account: Cachable, Codable {
        let id: String
        var acct: String
        var displayName: String
        var url: String?
    }

    struct Tag: Codable, Equatable {
        let name: String
    }
}

enum GitHub {
    struct Issue: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: Int
        let title: String
        let createdAt: Date
        let userID: User.ID
        let milestoneID: Milestone.ID?

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("title", \.title), .init("createdAt", \.createdAt),
                .init("userID", \.userID, User.self, "userId", "user"),
                .init("milestoneID", \.milestoneID, Milestone.self, "milestoneId", "milestone"),
            ]
        }
    }

    struct User: Cachable, Codable {
        let id: Int
        let login: String
        let siteAdmin: Bool
    }

    struct Label: Cachable, Codable, FlatCache.PayloadNamed {
        static let payloadName = "undefined"
        let id: Int
        let name: String
        let color: String
    }

    struct Milestone: Cachable, Codable {
        let id: Int
        let title: String
    }

    struct PullRequest: Cachable, Codable {
        let id: Int
        let title: String
    }
}

/// A resource of Stripe's API of any type.
struct StripeResource: Cachable, Codable, FlatCache.PayloadDecodable {
    let id: String
    let object: String
    var created: Date?
    var livemode: Bool?
    var metadata: [String: String]?
    var chargeID: StripeResource.ID?
    var customerID: StripeResource.ID?

    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("object", \.object), .init("created", \.created),
            .init("livemode", \.livemode),
            .init("metadata", \.metadata), .init("chargeID", \.chargeID, StripeResource.self, "chargeId", "charge"),
            .init("customerID", \.customerID, StripeResource.self, "customerId", "customer"),
        ]
    }
}

// MARK: JSON:API

/// The names of the types, which differ between the documents.
protocol RecordedNames: Sendable {
    static var articles: String { get }
    static var persons: String { get }
}

enum PlainNames: RecordedNames { static let (articles, persons) = ("articles", "persons") }
enum FirstNames: RecordedNames { static let (articles, persons) = ("articles1", "persons1") }
enum ThirdNames: RecordedNames { static let (articles, persons) = ("articles3", "persons3") }

struct RecordedArticle<Names: RecordedNames>: Cachable, Decodable, FlatCache.PayloadNamed,
    FlatCache.PayloadDecodable
{
    static var payloadName: String { Names.articles }
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("title", \.title), .init("description", \.description),
            .init("keywords", \.keywords), .init("meta", \.meta),
            .init("authorID", \.authorID, RecordedPerson<Names>.self, "authorId", "author"),
            .init("coauthorIDs", \.coauthorIDs, RecordedPerson<Names>.self, "coauthorIds", "coauthors"),
        ]
    }

    let id: String
    let title: String
    let description: String
    let keywords: [String]
    let meta: JSONAPI.Value?
    let authorID: String
    let coauthorIDs: [String]
}

struct RecordedPerson<Names: RecordedNames>: Cachable, Decodable, FlatCache.PayloadNamed,
    FlatCache.PayloadDecodable
{
    static var payloadName: String { Names.persons }
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("name", \.name),
            .init(
                "favoriteArticleID",
                \.favoriteArticleID,
                RecordedArticle<Names>.self,
                "favoriteArticleId",
                "favoriteArticle"
            ),
        ]
    }

    let id: String
    let name: String
    let favoriteArticleID: String
}
