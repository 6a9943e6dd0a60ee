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
            ["accounts": [.account("bo")], "statuses": [.status("1")], "hashtags": [["name": "tea"]]],
        ] as [JSON]
    )
    func listing(document: JSON) {
        let response = Response(document)
        #expect(response.timeline == ["1"])
        #expect(response.statuses.map(\.id) == ["1"])
        #expect(response.accounts.contains { $0.id == "ana" })
        #expect(response.unreadableCount == 0)
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
        #expect(Response(["id": "p", "options": [["title": "Tea"]]]).polls.map(\.id) == ["p"])
        #expect(Response([["type": "follow", "account": .account("bo")]]).accounts.map(\.id) == ["bo"])
        #expect(Response(["accounts": [], "statuses": [], "hashtags": [["name": "Tea"]]]).tags.map(\.id) == ["tea"])
    }

    @Test(
        "that hold nothing of ours are read without complaint",
        arguments: [
            [],
            ["ancestors": [], "descendants": []],
            ["ancestors": nil],
            [
                [
                    "id": "1", "scheduled_at": "4000-01-01T14:23:14.000Z", "params": ["text": "x"],
                    "media_attachments": [],
                ]
            ],
            [["id": "c", "accounts": [], "last_status": nil]],
        ] as [JSON]
    )
    func nothing(document: JSON) {
        let response = Response(document)
        #expect(response.statuses.isEmpty)
        #expect(response.timeline.isEmpty)
        #expect(response.unreadableCount == 0)
    }

    @Test(
        "keep the rest of a list when an element is broken",
        arguments: [nil, 7, "text", [:], ["error": "Record not found"], ["content": "<p>no identifier</p>"]] as [JSON]
    )
    func brokenElement(element: JSON) {
        let response = Response([.status("1"), element, .status("2")])
        #expect(response.timeline == ["1", "2"])
        #expect(response.unreadableCount == 1)
    }
}
