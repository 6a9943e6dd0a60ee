import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("Storing a response")
struct StoringTests {
    @Test("stores each entity once, however often it is nested")
    func identity() {
        let cache = FlatCache(storing: [.status("1"), .status("2"), .status("3", by: "bo", ["reblog": .status("1")])])
        #expect(cache.count(of: Status.self) == 3)
        #expect(cache.count(of: Account.self) == 2)
    }

    @Test("replaces values that have changed on the server")
    func replacement() {
        let cache = FlatCache(storing: .status("1", ["favourites_count": 1]))
        cache.store(.status("1", ["favourites_count": 2]))
        #expect(cache.get(Status.self, id: "1")?.favouritesCount == 2)
    }

    @Test("keeps the reader's favourite and votes if a response for everybody leaves them out")
    func absence() {
        let cache = FlatCache(storing: .status("1", ["favourited": true, "poll": .poll("p", ["own_votes": [1]])]))
        cache.store(.status("1", ["poll": .poll("p")]))
        #expect(cache.get(Status.self, id: "1")?.isFavourited == true)
        #expect(cache.get(Poll.self, id: "p")?.ownVotes == [1])
        cache.store(.status("1", ["favourited": false, "poll": nil]))
        #expect(cache.get(Status.self, id: "1")?.isFavourited == false)
        #expect(cache.get(Status.self, id: "1")?.pollID == nil)
    }

    @Test(
        "makes of a mention an account, which loses nothing if more of it is known, before or after",
        arguments: [0, 1]
    )
    func mentions(position: Int) {
        let cache = FlatCache()
        let documents: [JSON] = [
            .status("1", by: "ana", ["mentions": [.mention("bo", handle: "bo@example.org")]]),
            .status("2", ["account": .account("bo", name: "Bo", ["acct": "bo@example.org", "moved": .account("cy")])]),
        ]
        cache.store(documents[position])
        #expect(cache.get(Account.self, id: "bo")?.isKnownByMentionOnly == (position == 0))
        #expect(cache.get(Account.self, id: "bo")?.name == (position == 0 ? "bo@example.org" : "Bo"))
        cache.store(documents[1 - position])
        let bo = Account(id: "bo", handle: "bo@example.org", displayName: "Bo", successorID: "cy")
        #expect(cache.get(Account.self, id: "bo") == bo)
    }

    @Test(
        "keeps a whole entity where a response has half of one",
        arguments: [
            ["id": "1", "content": "<p>Sorry!</p>", "published": true, "reactions": []],
            ["id": "ana", "username": "ana", "email": "ana@example.org", "account": ["id": "ana"]],
            .status("2", by: "bo", ["reblog": ["id": "1"], "poll": ["id": "p"]]),
            .status(
                "2",
                ["account": ["id": "ana", "acct": "ana"], "media_attachments": [["id": "m", "type": "image"]]]
            ),
        ] as [JSON]
    )
    func halves(document: JSON) {
        let cache = FlatCache(storing: [
            .status(
                "1",
                [
                    "account": .account("ana", name: "Ana"),
                    "poll": .poll("p", ["options": [["title": "Tea"]], "votes_count": 1]),
                    "media_attachments": [["id": "m", "type": "image", "description": "A cup"]],
                ]
            )
        ])
        let status = cache.get(Status.self, id: "1")
        let poll = cache.get(Poll.self, id: "p")
        if let payload = try? Response(data: document.data, name: "It").payload(of: Document.self) {
            cache.store(payload)
        }
        #expect(status != nil && cache.get(Status.self, id: "1") == status)
        #expect(poll != nil && cache.get(Poll.self, id: "p") == poll)
        #expect(cache.get(Account.self, id: "ana")?.displayName == "Ana")
        #expect(cache.get(MediaAttachment.self, id: "m")?.description == "A cup")
    }

    @Test("changes only the members that a nested part of an entity has")
    func change() {
        let cache = FlatCache(storing: .status("1"))
        cache.store(.status("2", ["reblog": ["id": "1", "favourites_count": 5]]))
        #expect(cache.get(Status.self, id: "1")?.favouritesCount == 5)
        #expect(cache.get(Status.self, id: "1")?.content == "<p>Hello</p>")
    }

    @Test("notifies an observer of entities of several types once")
    func oneCommit() {
        let cache = FlatCache()
        let observed = Locked<[ChangeSet]>([])
        let keys = ["1", "2", "3"].map(Status.flatCacheKey(id:)) + [Account.flatCacheKey(id: "ana")]
        let subscription = cache.observe(keys, initial: false) { changes in observed.withLock { $0.append(changes) } }
        cache.store([.status("1"), .status("2"), .status("3")])
        #expect(observed.withLock { $0 }.map(\.inserted) == [Set(keys)])
        subscription.cancel()
    }
}
