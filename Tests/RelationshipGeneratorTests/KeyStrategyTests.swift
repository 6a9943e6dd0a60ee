import Foundation
import Testing

@testable import RelationshipGenerator

@Suite("Keys that decoders convert from snake case")
struct KeyStrategyTests {
    /// A value with one key.
    private struct Pair: Codable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }

        let name: String

        init(name: String) { self.name = name }

        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).joined()
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: Key(stringValue: name))
        }
    }

    @Test(
        "The last key is the one that Foundation makes of the one that it sends",
        arguments: [
            "authorID", "authorIDs", "author", "mainURLAuthorID", "mainURLAuthor", "htmlURLs", "i18nTextID",
            "address2ID", "x2yID", "aID", "straßeID", "éÉaID", "authorURL2ID", "a1B2CID", "my日本ID", "tagIDSetID",
            "naïveÎle", "aBCDeFGh", "writer", "iOSVersionIDs", "a", "theURL",
        ]
    )
    func foundation(name: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let converted = try decoder.decode(Pair.self, from: encoder.encode(Pair(name: name))).name
        #expect(KeyStrategy.keys(ofConverted: name).last == converted)
    }

    @Test(
        "Another server knows the plurals of acronyms",
        arguments: [
            ("authorIDs", ["authorIds", "authorIDs"]), ("htmlURLs", ["htmlUrls", "htmlUrLs"]),
            ("mainURLsByName", ["mainUrlsByName", "mainUrLsByName"]), ("mainURLSize", ["mainUrlSize"]),
            ("aIDset", ["aIDset"]), ("author_id", []), ("GUID", []), ("_", []),
        ]
    )
    func plurals(name: String, keys: [String]) {
        #expect(KeyStrategy.keys(ofConverted: name) == keys)
    }
}
