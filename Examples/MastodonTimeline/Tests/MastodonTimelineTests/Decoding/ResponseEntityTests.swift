import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The entities of a response")
struct ResponseEntityTests {
    @Test("stand by themselves and refer to each other by identifiers")
    func flattening() throws {
        let response = Response(
            .status(
                "1",
                by: "ana",
                [
                    "reblog": .status(
                        "2",
                        by: "bo",
                        [
                            "poll": ["id": "p", "options": [["title": "Tea", "votes_count": 1]], "votes_count": 1],
                            "media_attachments": [["id": "m", "type": "image", "description": "A cup"]],
                            "tags": [["name": "Tea"]],
                        ]
                    )
                ]
            )
        )
        let boost = try #require(response.statuses.first { $0.id == "1" })
        let boosted = try #require(response.statuses.first { $0.id == "2" })
        #expect(response.timeline == ["1"])
        #expect(boost.accountID == "ana")
        #expect(boost.reblogID == "2")
        #expect(boosted.accountID == "bo")
        #expect(boosted.pollID == "p")
        #expect(boosted.mediaAttachmentIDs == ["m"])
        #expect(boosted.tagIDs == ["tea"])
        #expect(response.accounts.map(\.id).sorted() == ["ana", "bo"])
        #expect(response.polls.map(\.id) == ["p"])
        #expect(response.mediaAttachments == [MediaAttachment(id: "m", kind: .image, description: "A cup")])
        #expect(response.tags == [Tag(name: "Tea")])
    }

    @Test("are read whole")
    func members() throws {
        let response = Response(
            .status(
                "1",
                [
                    "in_reply_to_id": "9", "in_reply_to_account_id": "bo", "sensitive": true, "spoiler_text": "spiders",
                    "visibility": "unlisted", "edited_at": "1970-01-01T00:00:09Z", "replies_count": 1,
                    "reblogs_count": 2, "favourites_count": 3, "favourited": true,
                    "created_at": "1970-01-01T00:00:01.000Z",
                    "mentions": [["id": "bo", "acct": "bo@example.org"]],
                ]
            )
        )
        let status = try #require(response.statuses.first)
        #expect(status.repliedToStatusID == "9")
        #expect(status.repliedToAccountID == "bo")
        #expect(status.isSensitive)
        #expect(status.contentWarning == "spiders")
        #expect(status.visibility == .unlisted)
        #expect(status.createdAt == Date(timeIntervalSince1970: 1))
        #expect(status.editedAt == Date(timeIntervalSince1970: 9))
        #expect(status.repliesCount == 1)
        #expect(status.reblogsCount == 2)
        #expect(status.favouritesCount == 3)
        #expect(status.isFavourited)
        #expect(status.mentions == [Status.Mention(accountID: "bo", handle: "bo@example.org")])
    }

    /// Each member of a status in turn is missing, null, or of a type and value that nobody expects.
    ///
    /// Without some of them it is no status.
    @Test(
        "survive any member that is missing, null or strange",
        arguments: [
            "account", "content", "created_at", "edited_at", "favourited", "favourites_count", "in_reply_to_account_id",
            "in_reply_to_id", "media_attachments", "mentions", "poll", "quote", "reblog", "reblogs_count",
            "replies_count",
            "sensitive", "spoiler_text", "tags", "visibility",
        ],
        [nil, JSON.null, "strange", 7, [], [nil], ["strange": [1]]] as [JSON?]
    )
    func leniency(member: String, value: JSON?) {
        guard case .object(var members) = JSON.status("1", ["visibility": "public", "poll": ["id": "p"]]) else {
            return
        }
        members[member] = value
        let response = Response([.status("0"), .object(members), .status("2")])
        let isStatus = value != nil || !Shape.status.contains(member)
        #expect(response.timeline == (isStatus ? ["0", "1", "2"] : ["0", "2"]))
        #expect(Set(response.statuses.map(\.id)).isSuperset(of: response.timeline))
        #expect(isStatus || response.leftOut != nil)
    }

    @Test("take words that are newer than this program as unknown")
    func unknownWords() throws {
        let response = Response(
            .status(
                "1",
                [
                    "visibility": "neighbours",
                    "media_attachments": [["id": "m", "type": "hologram", "description": nil]],
                ]
            )
        )
        #expect(response.statuses.first?.visibility == .unknown)
        #expect(response.mediaAttachments.first?.kind == .unknown)
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
        let response = Response(.status("1", ["quote": quote]))
        let status = try #require(response.statuses.first { $0.id == "1" })
        #expect(status.quotedStatusID == "2")
        #expect(status.quoteState == state)
        #expect(response.statuses.contains { $0.id == "2" && $0.accountID == "bo" } == isNested)
        #expect(response.accounts.contains { $0.id == "bo" } == isNested)
        #expect(response.timeline == ["1"])
        #expect(response.leftOut == nil)
    }

    @Test("have no quoted status where the server hides it")
    func hiddenQuote() throws {
        let response = Response(.status("1", ["quote": ["state": "revoked", "quoted_status": nil]]))
        #expect(response.statuses.map(\.quotedStatusID) == [nil])
        #expect(response.statuses.map(\.quoteState) == ["revoked"])
        #expect(response.leftOut == nil)
    }

    @Test("bring the accounts that are nested deeper")
    func deepAccounts() {
        let response = Response(
            .status(
                "1",
                [
                    "account": .account("ana", ["moved": .account("bo")]),
                    "card": [
                        "authors": [["name": "Cy", "account": .account("cy")], ["name": "Dee", "account": nil]]
                    ],
                ]
            )
        )
        #expect(Set(response.accounts.map(\.id)) == ["ana", "bo", "cy"])
        #expect(response.leftOut == nil)
    }

    @Test(
        "are counted where parts of them are left out",
        arguments: [
            ["mentions": [["id": "bo"]]], ["mentions": 7], ["tags": [["url": ""]]], ["media_attachments": "none"],
            ["media_attachments": [["type": "image", "description": nil]]], ["poll": ["id": "p", "options": []]],
            ["poll": ["id": "p", "options": 7, "votes_count": 0]], ["reblog": ["id": "2", "content": ""]],
            ["account": ["id": "ana", "acct": "ana"]], ["quote": "2"],
        ] as [[String: JSON]]
    )
    func losses(members: [String: JSON]) {
        let response = Response(.status("1", members))
        #expect(response.statuses.map(\.id) == ["1"])
        #expect(response.leftOut == "1 element of unknown kind or incomplete")
    }

    @Test("leave a gap where a server tells no more than an identifier")
    func identifierAlone() {
        let response = Response(.status("1", ["reblog": ["id": "2"], "account": ["id": "ana"]]))
        #expect(response.statuses.map(\.id) == ["1"])
        #expect(response.statuses.first?.reblogID == "2")
        #expect(response.statuses.first?.accountID == "ana")
        #expect(response.accounts.isEmpty)
    }

    @Test("count the votes of a poll by people where the server tells them")
    func pollShares() throws {
        let document: JSON = [
            "id": "p", "multiple": true, "votes_count": 6, "voters_count": 4,
            "options": [["title": "Tea", "votes_count": 4], ["title": "Rain", "votes_count": 1], ["title": "Fog"]],
        ]
        let poll = try #require(Response(document).polls.first)
        #expect(poll.options.map(poll.share) == [1, 0.25, nil])
    }

    @Test("give no share of nothing when nobody has voted")
    func pollWithoutVotes() throws {
        let document: JSON = ["id": "p", "votes_count": 0, "options": [["title": "Tea", "votes_count": 0]]]
        let poll = try #require(Response(document).polls.first)
        #expect(poll.options.map(poll.share) == [0])
    }
}
