import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("The documents of the API")
struct DocumentTests {
    private let cache = FlatCache()

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
    func listing(document: JSON) throws {
        let stored = try #require(cache.store(document))
        #expect(stored.value?.statusIDs == ["1"])
        #expect(stored.ids(of: Status.self) == ["1"])
        #expect(cache.get(Account.self, id: "ana") != nil)
        #expect(stored.problems.isEmpty)
    }

    @Test("list the statuses in their order, each once")
    func order() {
        cache.store([
            ["type": "favourite", "account": .account("bo"), "status": .status("2")],
            ["type": "reblog", "account": .account("cy"), "status": .status("2")],
            ["type": "mention", "account": .account("cy"), "status": .status("1")],
        ])
        #expect(cache.home == ["2", "1"])
    }

    @Test("without statuses give what else they hold")
    func otherEntities() {
        cache.store([.account("ana"), .account("bo")])
        cache.store(.poll("p"))
        cache.store(["accounts": [], "statuses": [], "hashtags": [["name": "Tea"]]])
        cache.store(["id": "m", "type": "image", "description": nil])
        #expect(cache.get(Account.self, ids: ["ana", "bo"]).count == 2)
        #expect(cache.contains(Poll.self, id: "p"))
        #expect(cache.contains(Tag.self, id: "tea"))
        #expect(cache.contains(MediaAttachment.self, id: "m"))
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
            .mention("bo"),
        ] as [JSON]
    )
    func accounts(document: JSON) throws {
        let stored = try #require(cache.store(document))
        #expect(stored.ids(of: Account.self) == ["bo"])
        #expect(stored.ids(of: Status.self).isEmpty)
        #expect(stored.problems.isEmpty)
    }

    @Test(
        "with tags give these, and no accounts",
        arguments: [
            [["id": "627", "name": "Tea", "url": "", "statuses_count": 70, "last_status_at": nil]],
            [["name": "Tea", "url": "", "history": [], "following": true]],
        ] as [JSON]
    )
    func tags(document: JSON) throws {
        let stored = try #require(cache.store(document))
        #expect(stored.ids(of: Tag.self) == ["tea"])
        #expect(stored.ids(of: Account.self).isEmpty)
        #expect(stored.problems.isEmpty)
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
            // A relationship, a list, a filter, a field of a status that is none.
            (["id": "ana", "following": true, "note": ""], "1 element of unknown kind or incomplete"),
            (["id": "1", "title": "Friends", "replies_policy": "list"], "1 element of unknown kind or incomplete"),
            (
                ["id": "1", "title": "Tea", "context": ["home"], "statuses": []],
                "1 element of unknown kind or incomplete"
            ),
            (["id": "1", "visibility": "public"], "1 element of unknown kind or incomplete"),
        ] as [(JSON, String)]
    )
    func resemblance(document: JSON, leftOut: String) throws {
        let response = Response(data: document.data, name: "It")
        do {
            let stored = cache.store(try response.payload(of: Document.self))
            #expect(LeftOut(stored.problems)?.description == leftOut)
        } catch {
            #expect(error == .foreign("It", contents: leftOut))
        }
        #expect(cache.count(of: Status.self) == 0 && cache.count(of: Account.self) == 0)
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
    func nothing(document: JSON) throws {
        let stored = try #require(cache.store(document))
        #expect(stored.value?.statusIDs == [])
        #expect(stored.problems.isEmpty)
    }

    @Test(
        "keep the rest of a list when an element is broken",
        arguments: [nil, 7, "text", [:], ["unknown": true], ["content": "<p>no identifier</p>"]] as [JSON]
    )
    func brokenElement(element: JSON) throws {
        let stored = try #require(cache.store([.status("1"), element, .status("2")]))
        #expect(stored.value?.statusIDs == ["1", "2"])
        #expect(LeftOut(stored.problems)?.description == "1 element of unknown kind or incomplete")
        #expect(stored.problems.map(\.codingPath).map { $0.map(\.intValue) } == [[1]])
    }
}
