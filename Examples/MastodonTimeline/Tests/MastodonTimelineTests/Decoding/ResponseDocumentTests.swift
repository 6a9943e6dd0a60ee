import Testing

@testable import MastodonTimeline

@Suite("The documents of the API")
struct ResponseDocumentTests {
    @Test(
        "give the statuses they list",
        arguments: [
            .status("1"),
            [.status("1")],
            ["ancestors": [.status("1")], "descendants": []],
            ["ancestors": [], "descendants": [.status("1")]],
            [["id": "n", "type": "favourite", "account": .account("bo"), "status": .status("1")]],
            [["id": "c", "accounts": [.account("bo")], "last_status": .status("1")]],
            [["id": "r", "notifications_count": 2, "account": .account("bo"), "last_status": .status("1")]],
            ["accounts": [.account("ana")], "statuses": [.status("1")], "notification_groups": []],
            ["id": "r", "action_taken": false, "target_account": .account("bo"), "statuses": [.status("1")]],
            ["accounts": [.account("bo")], "statuses": [.status("1")], "hashtags": [["name": "tea"]]],
        ] as [JSON]
    )
    func listing(document: JSON) {
        let response = Response(document)
        #expect(response.timeline == ["1"])
        #expect(response.statuses.map(\.id) == ["1"])
        #expect(response.accounts.contains { $0.id == "ana" })
        #expect(response.leftOut == nil)
    }

    @Test("list the statuses in their order, each once")
    func order() {
        let notifications: JSON = [
            ["type": "favourite", "account": .account("bo"), "status": .status("2")],
            ["type": "reblog", "account": .account("cy"), "status": .status("2")],
            ["type": "mention", "account": .account("cy"), "status": .status("1")],
        ]
        #expect(Response(notifications).timeline == ["2", "1"])
    }

    @Test("without statuses give what else they hold")
    func otherEntities() {
        #expect(Response([.account("ana"), .account("bo")]).accounts.map(\.id) == ["ana", "bo"])
        #expect(Response(["id": "p", "options": [["title": "Tea"]], "votes_count": 0]).polls.map(\.id) == ["p"])
        #expect(Response(["accounts": [], "statuses": [], "hashtags": [["name": "Tea"]]]).tags.map(\.id) == ["tea"])
        #expect(Response(["id": "m", "type": "image", "description": nil]).mediaAttachments.map(\.id) == ["m"])
    }

    @Test(
        "give the accounts that they are about",
        arguments: [
            [["type": "follow", "account": .account("bo")]],
            [["id": "7", "accounts": [.account("bo")]]],
            [["source": "featured", "sources": ["featured"], "account": .account("bo")]],
            ["id": "bo", "username": "bo", "domain": nil, "email": "bo@example.org", "account": .account("bo")],
            [
                [
                    "id": "1", "type": "admin.report",
                    "report": ["id": "2", "action_taken": false, "target_account": .account("bo")],
                    "account": .account("bo"),
                ]
            ],
            [.account("bo", ["moved": .account("bo")])],
        ] as [JSON]
    )
    func accounts(document: JSON) {
        let response = Response(document)
        #expect(Set(response.accounts.map(\.id)) == ["bo"])
        #expect(response.statuses.isEmpty)
        #expect(response.leftOut == nil)
    }

    @Test(
        "with tags give these, and no accounts",
        arguments: [
            [["id": "627", "name": "Tea", "url": "", "statuses_count": 70, "last_status_at": nil]],
            [["name": "Tea", "url": "", "history": [], "following": true]],
        ] as [JSON]
    )
    func tags(document: JSON) {
        let response = Response(document)
        #expect(response.tags.map(\.id) == ["tea"])
        #expect(response.accounts.isEmpty)
        #expect(response.leftOut == nil)
    }

    @Test(
        "that resemble statuses and accounts are neither, and are named",
        arguments: [
            (["id": "1", "text": "Hello", "spoiler_text": ""], "1 status source"),
            // What was deleted comes with what its author typed, to be written anew.
            (["id": "1", "text": "Hello", "spoiler_text": "", "account": .account("ana")], "1 status source"),
            (
                [
                    [
                        "id": "1", "scheduled_at": "4000-01-01T14:23:14.000Z", "params": ["text": "x"],
                        "media_attachments": [],
                    ]
                ], "1 scheduled status"
            ),
            (
                [
                    ["content": "<p>Hell</p>", "spoiler_text": "", "created_at": "", "account": .account("ana")],
                    ["content": "<p>Hello</p>", "spoiler_text": "", "created_at": "", "account": .account("ana")],
                ], "2 status edits"
            ),
            (["content": "<p>Olá</p>", "spoiler_text": "", "detected_source_language": "en"], "1 translation"),
            (
                [["id": "8", "content": "<p>Sorry!</p>", "statuses": [["id": "1", "url": ""]], "reactions": []]],
                "1 announcement"
            ),
            (["error": "Record not found"], "1 error message"),
            // A mention, a relationship, a list, a filter, a field of a status that is none.
            (["id": "ana", "username": "ana", "acct": "ana", "url": ""], "1 element of unknown kind or incomplete"),
            (["id": "ana", "following": true, "note": ""], "1 element of unknown kind or incomplete"),
            (["id": "1", "title": "Friends", "replies_policy": "list"], "1 element of unknown kind or incomplete"),
            (
                ["id": "1", "title": "Tea", "context": ["home"], "statuses": []],
                "1 element of unknown kind or incomplete"
            ),
            (["id": "1", "visibility": "public"], "1 element of unknown kind or incomplete"),
        ] as [(JSON, String)]
    )
    func resemblance(document: JSON, leftOut: String) {
        let response = Response(document)
        #expect(response.statuses.isEmpty)
        #expect(response.accounts.isEmpty)
        #expect(response.leftOut == leftOut)
        #expect(response.isForeign)
    }

    @Test(
        "that hold nothing of ours are read without complaint",
        arguments: [
            [],
            ["ancestors": [], "descendants": []],
            ["ancestors": nil, "descendants": nil],
            [["id": "c", "accounts": [], "last_status": nil]],
        ] as [JSON]
    )
    func nothing(document: JSON) {
        let response = Response(document)
        #expect(response.statuses.isEmpty)
        #expect(response.timeline.isEmpty)
        #expect(response.leftOut == nil)
        #expect(!response.isForeign)
    }

    @Test(
        "keep the rest of a list when an element is broken",
        arguments: [nil, 7, "text", [:], ["unknown": true], ["content": "<p>no identifier</p>"]] as [JSON]
    )
    func brokenElement(element: JSON) {
        let response = Response([.status("1"), element, .status("2")])
        #expect(response.timeline == ["1", "2"])
        #expect(response.leftOut == "1 element of unknown kind or incomplete")
        #expect(!response.isForeign)
    }
}
