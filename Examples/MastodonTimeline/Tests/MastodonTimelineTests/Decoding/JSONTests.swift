import Foundation
import Testing

@testable import MastodonTimeline

@Suite("JSON")
struct JSONTests {
    @Test("holds every kind of value")
    func values() throws {
        let text = #"{"a": null, "b": true, "c": 1, "d": 1.5, "e": "x", "f": [1, "2"], "g": {"h": false}}"#
        let json = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        #expect(
            json == [
                "a": nil, "b": true, "c": 1, "d": .number(1.5), "e": "x", "f": [1, "2"], "g": ["h": false],
            ]
        )
    }

    @Test("is an error where a string isn't Unicode, not a null in its place")
    func brokenStrings() {
        let texts = [Data(#"{"a": "\ud83d"}"#.utf8), Data([0x5B, 0x22, 0xE9, 0x22, 0x5D])]
        for text in texts {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSON.self, from: text) }
        }
    }

    @Test("gives nothing, rather than an error, where nothing is")
    func absence() {
        let json: JSON = ["name": "x"]
        #expect(json["age"] == .null)
        #expect(json["age"]["of"]["universe"].integer == nil)
        #expect(json["name"]["first"] == .null)
        #expect(json["name"].elements.isEmpty)
        #expect(json["name"].bool == nil)
    }

    @Test(
        "takes strings and numbers as identifiers",
        arguments: [("7", "7"), (7, "7"), (116_201_118_823_317_504, "116201118823317504"), ("", nil), (true, nil)]
            as [(JSON, String?)]
    )
    func identifiers(json: JSON, identifier: String?) {
        #expect(json.identifier == identifier)
    }

    @Test(
        "reads times with and without fractions of a second",
        arguments: ["1970-01-01T00:01:00.000Z", "1970-01-01T00:01:00Z", "1970-01-01T01:01:00+01:00"]
    )
    func dates(text: String) {
        #expect(JSON.string(text).date == Date(timeIntervalSince1970: 60))
    }

    @Test("knows no time in other texts", arguments: ["", "yesterday", "2026-03-14"])
    func noDates(text: String) {
        #expect(JSON.string(text).date == nil)
    }
}
