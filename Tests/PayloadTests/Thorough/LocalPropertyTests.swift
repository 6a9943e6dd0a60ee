import FlatCache
import Foundation
import Testing

@Suite("Properties that are never decoded")
struct LocalPropertyTests {
    struct Message: Cachable, Codable, Equatable {
        let id: Int
        var text: String
        let sender: String?
        /// A state of the app.
        var isOpen = false

        enum CodingKeys: CodingKey {
            case id, text, sender
        }
    }

    private let cache = FlatCache()

    private func store(_ json: String) throws -> StoredPayload<[Message]> {
        cache.store(try JSONDecoder().decode(Payload<[Message]>.self, from: Data(json.utf8)))
    }

    @Test(
        "P3: A payload keeps the stored value",
        arguments: [
            #"{"id": 1, "text": "b", "sender": "s"}"#, #"{"id": 1, "text": "b", "sender": null}"#,
            #"{"id": 1, "text": "b"}"#,
            #"{"id": 1}"#,
        ]
    )
    func kept(json: String) throws {
        cache.set(Message(id: 1, text: "a", sender: "s", isOpen: true))
        let stored = try store("[\(json)]")
        #expect(stored.problems.isEmpty)
        #expect(stored.value?.first?.isOpen == true)
        #expect(stored.value?.first?.text == (json.contains("text") ? "b" : "a"))
        #expect(stored.value?.first?.sender == (json.contains("null") ? nil : "s"))
    }

    @Test("P3: An entity that isn't stored has its initial value")
    func new() throws {
        #expect(try store(#"[{"id": 2, "text": "a"}, {"id": 2, "text": "b"}]"#).value?.last?.isOpen == false)
    }
}

extension LocalPropertyTests.Message: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [.init("id", \.id), .init("text", \.text), .init("sender", \.sender), .init(local: \.isOpen)]
    }
}
