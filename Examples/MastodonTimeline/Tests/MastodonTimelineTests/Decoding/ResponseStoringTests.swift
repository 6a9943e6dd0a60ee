import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("Storing a response")
struct ResponseStoringTests {
    @Test("stores each entity once, however often it is nested")
    func identity() {
        let cache = FlatCache(storing: [.status("1"), .status("2"), .status("3", by: "bo", ["reblog": .status("1")])])
        #expect(cache.count(of: Status.self) == 3)
        #expect(cache.count(of: Account.self) == 2)
    }

    @Test("replaces what has changed on the server")
    func replacement() {
        let cache = FlatCache(storing: .status("1", ["favourites_count": 1]))
        Response(.status("1", ["favourites_count": 2])).store(in: cache)
        #expect(cache.get(Status.self, id: "1")?.favouritesCount == 2)
    }

    @Test(
        "keeps a whole entity where a response has half of one",
        arguments: [
            ["id": "1", "text": "Hello", "spoiler_text": "spiders"],
            ["id": "1", "content": "<p>Sorry!</p>", "published": true, "reactions": []],
            [["id": "ana", "username": "ana", "acct": "ana", "url": ""]],
            ["id": "ana", "username": "ana", "email": "ana@example.org", "account": ["id": "ana"]],
            .status("2", by: "bo", ["reblog": ["id": "1", "content": ""], "poll": ["id": "p"]]),
            .status(
                "2",
                ["account": ["id": "ana", "acct": "ana"], "media_attachments": [["id": "m", "type": "audio"]]]
            ),
        ] as [JSON]
    )
    func halves(document: JSON) {
        let cache = FlatCache(storing: [
            .status(
                "1",
                [
                    "account": .account("ana", name: "Ana"),
                    "poll": ["id": "p", "options": [["title": "Tea"]], "votes_count": 1],
                    "media_attachments": [["id": "m", "type": "image", "description": "A cup"]],
                ]
            )
        ])
        let status = cache.get(Status.self, id: "1")
        let poll = cache.get(Poll.self, id: "p")
        Response(document).store(in: cache)
        #expect(status != nil && cache.get(Status.self, id: "1") == status)
        #expect(poll != nil && cache.get(Poll.self, id: "p") == poll)
        #expect(cache.get(Account.self, id: "ana")?.displayName == "Ana")
        #expect(cache.get(MediaAttachment.self, id: "m")?.description == "A cup")
    }

    @Test("tells an observer of many entities once, whatever their types")
    func oneCommit() {
        let cache = FlatCache()
        let observed = Locked<[ChangeSet]>([])
        let keys = ["1", "2", "3"].map(Status.flatCacheKey(id:)) + [Account.flatCacheKey(id: "ana")]
        let subscription = cache.observe(keys, initial: false) { changes in observed.withLock { $0.append(changes) } }
        Response([.status("1"), .status("2"), .status("3")]).store(in: cache)
        #expect(observed.withLock { $0 }.map(\.inserted) == [Set(keys)])
        subscription.cancel()
    }
}
