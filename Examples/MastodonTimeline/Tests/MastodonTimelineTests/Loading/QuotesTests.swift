import FlatCache
import Foundation
import Testing

@testable import MastodonTimeline

/// `Recordings/quotes.json`, which has quotes in each shape in which the API sends them.
@Suite("The recorded quotes")
struct QuotesTests {
    private let cache = FlatCache()
    private let page: StoredPayload<[Status]>

    init() async throws {
        let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let file = Source.file(path: package.appending(path: "Recordings/quotes.json").path)
        page = cache.store(try await file.load().payload(of: [Status].self))
    }

    @Test("are read whole, with the quoted statuses, their authors and mentioned accounts")
    func wholeness() {
        #expect(page.problems.isEmpty)
        #expect(page.statusIDs.count == 6)
        #expect(cache.count(of: Status.self) == 8)
        #expect(
            cache.allValues(of: Account.self).map(\.handle).sorted() == [
                "bram", "juno@moss.example.com", "odile", "sefa@kettle.example.net", "wen@moss.example.com",
            ]
        )
        #expect(cache.allValues(of: Account.self).filter(\.isKnownByMentionOnly).map(\.id) == ["115100442907712856"])
    }

    @Test("have their states, and a quoted status if it was accepted")
    func states() {
        let quotes = cache.allValues(of: Status.self).compactMap(\.quote)
        #expect(quotes.compactMap(\.state).sorted() == ["accepted", "accepted", "accepted", "pending", "revoked"])
        #expect(quotes.allSatisfy { ($0.state == "accepted") == ($0.quotedStatus(in: cache) != nil) })
    }

    @Test("lead from a status to the one that its quoted one quotes, which is sent by identifier there")
    func chain() throws {
        let last = try #require(cache.get(Status.self, id: "116507310028866537"))
        let middle = try #require(last.quote?.quotedStatus(in: cache))
        let first = try #require(middle.quote?.quotedStatus(in: cache))
        #expect(
            [last, middle, first].map { $0.account(in: cache)?.displayName } == [
                "Wen Aldous", "Bram Tolsma", "Odile Farrant",
            ]
        )
    }
}
