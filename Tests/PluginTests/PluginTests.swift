import FlatCache
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
            #expect(conversation.missingMessageIDs() == ["missing"])
            #expect(conversation.messages.map { $0.sender?.name } == ["Ada", nil])
            #expect(conversation.messages.first?.conversation == conversation)
        }
    }
}
