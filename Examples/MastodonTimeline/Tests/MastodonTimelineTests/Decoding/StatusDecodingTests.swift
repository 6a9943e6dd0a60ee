import FlatCache
import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The entities of a response")
struct StatusDecodingTests {
    private let cache = FlatCache()

    /// The status with an identifier that a document brings.
    private func status(_ id: Status.ID, in document: JSON) throws -> Status {
        cache.store(document)
        return try #require(cache.get(Status.self, id: id))
    }

    @Test("stand by themselves and refer to each other by identifiers")
    func flattening() throws {
        let document: JSON = .status(
            "1",
            by: "ana",
            [
                "reblog": .status(
                    "2",
                    by: "bo",
                    [
                        "poll": .poll("p", ["options": [["title": "Tea", "votes_count": 1]], "votes_count": 1]),
                        "media_attachments": [["id": "m", "type": "image", "description": "A cup"]],
                        "tags": [["name": "Tea"]],
                    ]
                )
            ]
        )
        let boost = try status("1", in: document)
        let boosted = try #require(boost.reblog(in: cache))
        #expect(cache.home == ["1"])
        #expect(boost.account(in: cache)?.handle == "ana")
        #expect(boosted.account(in: cache)?.handle == "bo")
        #expect(boosted.poll(in: cache)?.options.map(\.title) == ["Tea"])
        #expect(
            boosted.mediaAttachments(in: cache) == [MediaAttachment(id: "m", kind: .image, description: "A cup")]
        )
        #expect(boosted.tags(in: cache) == [Tag(name: "Tea")])
    }

    @Test("are read whole")
    func members() throws {
        let status = try status(
            "1",
            in: .status(
                "1",
                [
                    "in_reply_to_id": "9", "in_reply_to_account_id": "bo", "sensitive": true, "spoiler_text": "spiders",
                    "visibility": "unlisted", "edited_at": "1970-01-01T00:00:09Z", "replies_count": 1,
                    "reblogs_count": 2, "favourites_count": 3, "favourited": true,
                    "created_at": "1970-01-01T00:00:01.000Z", "mentions": [.mention("bo", handle: "bo@example.org")],
                ]
            )
        )
        #expect(status.repliedToStatusID == "9")
        #expect(status.repliedToAccount(in: cache)?.handle == "bo@example.org")
        #expect(status.isSensitive)
        #expect(status.contentWarning == "spiders")
        #expect(status.visibility == .unlisted)
        #expect(status.createdAt == Date(timeIntervalSince1970: 1))
        #expect(status.editedAt == Date(timeIntervalSince1970: 9))
        #expect(status.repliesCount == 1)
        #expect(status.reblogsCount == 2)
        #expect(status.favouritesCount == 3)
        #expect(status.isFavourited == true)
        #expect(status.mentionIDs == ["bo"])
    }

    /// Each member of a status in turn is missing, null, or of a type and value that nobody expects.
    @Test(
        "survive any member of another that is missing, null or strange, and the loss is reported",
        arguments: [
            "id", "account", "content", "created_at", "edited_at", "favourited", "favourites_count",
            "in_reply_to_account_id", "in_reply_to_id", "media_attachments", "mentions", "poll", "quote", "reblog",
            "reblogs_count", "replies_count", "sensitive", "spoiler_text", "tags", "visibility", "card",
        ],
        [nil, JSON.null, "strange", 7, [], [nil], ["strange": [1]]] as [JSON?]
    )
    func leniency(member: String, value: JSON?) throws {
        guard case .object(var members) = JSON.status("1", ["poll": .poll("p")]) else { return }
        members[member] = value
        let stored = try #require(cache.store([.status("0"), .object(members), .status("2")]))
        #expect(stored.value?.statusIDs.filter { $0 == "0" || $0 == "2" } == ["0", "2"])
        #expect(cache.get(Status.self, ids: ["0", "2"]).count == 2)
        #expect(stored.value?.statusIDs.count == 3 || LeftOut(stored.problems) != nil)
        #expect(cache.missingIDs(of: Status.self, among: cache.home).isEmpty)
    }

    @Test("take words that are newer than this program as unknown")
    func unknownWords() throws {
        let media: JSON = [["id": "m", "type": "hologram", "description": nil]]
        let status = try status("1", in: .status("1", ["visibility": "neighbours", "media_attachments": media]))
        #expect(status.visibility == .unknown)
        #expect(status.mediaAttachments(in: cache).first?.kind == .unknown)
    }

    @Test(
        "refer to the status that they quote",
        arguments: [
            (["state": "accepted", "quoted_status": .status("2", by: "bo")], "accepted", true),
            (["state": "muted_account", "quoted_status": .status("2", by: "bo")], "muted_account", true),
            (["state": "accepted", "quoted_status_id": "2"], "accepted", false),
            // As servers nest it that had quotes before Mastodon.
            (.status("2", by: "bo"), nil, true),
        ] as [(JSON, String?, Bool)]
    )
    func quotes(quote: JSON, state: String?, isNested: Bool) throws {
        let stored = try #require(cache.store(.status("1", ["quote": quote])))
        let status = try #require(cache.get(Status.self, id: "1"))
        #expect(status.quote == Status.Quote(state: state, quotedStatusID: "2"))
        #expect((status.quote?.quotedStatus(in: cache)?.accountID == "bo") == isNested)
        #expect(cache.contains(Account.self, id: "bo") == isNested)
        #expect(cache.home == ["1"])
        #expect(stored.problems.isEmpty)
    }

    @Test("have no quoted status where the server hides it")
    func hiddenQuote() throws {
        let stored = try #require(cache.store(.status("1", ["quote": ["state": "revoked", "quoted_status": nil]])))
        let quote = cache.get(Status.self, id: "1")?.quote
        #expect(quote == Status.Quote(state: "revoked", quotedStatusID: nil))
        #expect(stored.problems.isEmpty)
    }

    @Test("bring the accounts that are nested deeper")
    func deepAccounts() throws {
        let stored = try #require(
            cache.store(
                .status(
                    "1",
                    [
                        "account": .account("ana", ["moved": .account("bo")]),
                        "card": [
                            "authors": [["name": "Cy", "account": .account("cy")], ["name": "Dee", "account": nil]]
                        ],
                        "mentions": [.mention("eli")],
                    ]
                )
            )
        )
        #expect(Set(stored.ids(of: Account.self)) == ["ana", "bo", "cy", "eli"])
        #expect(cache.get(Account.self, id: "ana")?.successor(in: cache)?.id == "bo")
        #expect(stored.problems.isEmpty)
    }

    @Test(
        "are there without a part that can't be read, which is reported",
        arguments: [
            ["mentions": [["id": "bo"]]], ["tags": [["url": ""]]],
            ["media_attachments": [["type": "image", "description": nil]]],
            ["poll": ["id": "p", "options": 7, "votes_count": 0]], ["reblog": 7],
        ] as [[String: JSON]]
    )
    func losses(members: [String: JSON]) throws {
        let stored = try #require(cache.store(.status("1", members)))
        #expect(cache.home == ["1"])
        #expect(cache.contains(Status.self, id: "1"))
        #expect(LeftOut(stored.problems)?.description == "1 element of unknown kind or incomplete")
    }

    @Test("leave a gap where a server sends only an identifier, and report no loss")
    func identifierAlone() throws {
        let document: JSON = .status(
            "1",
            [
                "reblog": ["id": "2"], "account": ["id": "ana"],
                "quote": ["state": "accepted", "quoted_status": ["id": "3"]],
            ]
        )
        let stored = try #require(cache.store(document))
        let status = try #require(cache.get(Status.self, id: "1"))
        #expect(status.reblogID == "2")
        #expect(status.accountID == "ana")
        #expect(status.quote?.quotedStatusID == "3")
        #expect(cache.count(of: Account.self) == 0)
        #expect(LeftOut(stored.problems) == nil)
    }

    @Test("are reported if the response is one of them and incomplete")
    func incompleteStatus() throws {
        let document: JSON = .object(["id": "1", "content": "<p>Hi</p>", "account": .account("ana")])
        let stored = try #require(cache.store(document))
        #expect(cache.count(of: Status.self) == 0)
        #expect(cache.contains(Account.self, id: "ana"))
        #expect(LeftOut(stored.problems)?.description == "1 element of unknown kind or incomplete")
    }

    @Test("are shown without the count of replies, which servers of 2018 leave out")
    func withoutReplies() throws {
        guard case .object(var members) = JSON.status("1") else { return }
        members["replies_count"] = nil
        let stored = try #require(cache.store(.object(members)))
        #expect(cache.contains(Status.self, id: "1"))
        #expect(stored.problems.isEmpty)
    }

    @Test("count the votes of a poll by people if the server sends their number")
    func pollShares() throws {
        cache.store(
            .poll(
                "p",
                [
                    "multiple": true, "votes_count": 6, "voters_count": 4,
                    "options": [
                        ["title": "Tea", "votes_count": 4], ["title": "Rain", "votes_count": 1], ["title": "Fog"],
                    ],
                ]
            )
        )
        let poll = try #require(cache.get(Poll.self, id: "p"))
        #expect(poll.options.map(poll.share) == [1, 0.25, nil])
    }

    @Test("give no share of nothing when nobody has voted")
    func pollWithoutVotes() throws {
        cache.store(.poll("p", ["options": [["title": "Tea", "votes_count": 0]]]))
        let poll = try #require(cache.get(Poll.self, id: "p"))
        #expect(poll.options.map(poll.share) == [0])
    }

    @Test(
        "have times with and without fractions of a second",
        arguments: ["1970-01-01T00:01:00.000Z", "1970-01-01T00:01:00Z", "1970-01-01T01:01:00+01:00"]
    )
    func times(text: String) throws {
        #expect(try status("1", in: .status("1", ["created_at": .string(text)])).createdAt.timeIntervalSince1970 == 60)
    }

    @Test("have no other times, and identifiers are strings", arguments: ["", "yesterday", "2026-03-14"])
    func noTimes(text: String) throws {
        let documents: [JSON] = [.status("1", ["created_at": .string(text)]), .status("2", ["id": 2]), .status("3")]
        let stored = try #require(cache.store(.array(documents)))
        #expect(stored.value?.statusIDs == ["3"])
        #expect(stored.problems.map { $0.codingPath.first?.intValue } == [0, 1])
    }
}
