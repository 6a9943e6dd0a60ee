import FlatCache
import Foundation
import Testing

@Suite("Models that go through the build plugin")
struct PluginTests {
    @Test("Annotated properties have accessors in the target that declares them")
    func accessors() throws {
        let cache = FlatCache()
        cache.set(Person(id: "p", name: "Ada"))
        cache.set(contentsOf: [
            Message(id: "a", text: "Hello", conversationID: 1, personID: "p"),
            Message(id: "b", text: "Bye", conversationID: 1),
        ])
        cache.set(Conversation(id: 1, messageIDs: ["a", "missing", "b"]))
        try FlatCache.withCurrent(cache) {
            let conversation = try #require(cache.get(Conversation.self, id: 1))
            #expect(conversation.messages.map(\.text) == ["Hello", "Bye"])
            #expect(conversation.missing(\.messages) == ["missing"])
            #expect(conversation.messages.map { $0.sender?.name } == ["Ada", nil])
            #expect(conversation.messages.first?.conversation == conversation)
        }
    }

    @Test("A decodable entity has a table of its keys, with or without relationships")
    func payloadKeys() {
        #expect(Attachment.payloadKeys.count == 3)
        let type: any FlatCache.PayloadDecodable.Type = Attachment.self
        #expect(type is any RelationshipOwner.Type)
        #expect(!(Person.self is any FlatCache.PayloadDecodable.Type))
    }

    @Test("P2: A payload without a key keeps the stored property by the generated table, from the first decoding on")
    func payload() throws {
        let cache = FlatCache()
        cache.set(Attachment(id: "1", name: "photo", messageID: "a"))
        for json in [#"{"id": "1", "message_id": "b"}"#, #"{"id": "1", "name": "picture"}"#] {
            cache.store(try JSONDecoder().decode(Payload<Attachment>.self, from: Data(json.utf8)))
        }
        #expect(cache.get(Attachment.self, id: "1") == Attachment(id: "1", name: "picture", messageID: "b"))
    }

    @Test("Rows, dictionaries and cases have accessors, and entities can be nested in rows and dictionaries")
    func shapes() throws {
        let cache = FlatCache()
        let json = """
            {"id": 1, "attachments": [[{"id": "a", "message_id": "m"}], ["b"]], "origin": {"conversation": {"_0": 7}},
             "covers": {"small": {"id": "c", "message_id": "m"}}}
            """
        let stored = cache.store(try JSONDecoder().decode(Payload<Archive>.self, from: Data(json.utf8)))
        cache.set(Conversation(id: 7))
        let archive = try #require(stored.value)
        #expect(stored.problems.isEmpty)
        #expect(archive.attachmentIDs == [["a"], ["b"]])
        #expect(archive.attachments(in: cache).map(\.id) == ["a"])
        #expect(archive.covers(in: cache)?.mapValues(\.id) == [.small: "c"])
        #expect(archive.origin?.conversation(in: cache)?.id == 7)
    }

    @Test("Related entities can be fetched, and key paths name relationships")
    func fetching() async throws {
        let cache = FlatCache()
        cache.setFetcher(of: Message.self) { ids in
            ids.map { Message(id: $0, conversationID: 1, personID: "of-\($0)") }
        }
        cache.setFetcher(of: Person.self) { ids in ids.map { Person(id: $0) } }
        let conversation = Conversation(id: 1, messageIDs: ["b", "a"])
        try await cache.prefetch(\.messages.sender, for: [conversation])
        #expect(cache.count(of: Person.self) == 2)
        #expect(try await conversation.fetchMessages(in: cache).map(\.id) == ["b", "a"])
        #expect(try await Cached(Message.self, id: "c", in: cache).fetch(\.sender)?.id == "of-c")
    }
}
