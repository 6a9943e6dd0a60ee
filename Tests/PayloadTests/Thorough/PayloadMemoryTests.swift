import FlatCache
import Foundation
import Testing

@Suite("Memory of payloads")
struct PayloadMemoryTests {
    private final class Context: Sendable {}

    /// Decodes and stores a root, after which nothing may keep what the decoder had.
    private func decode<Root: Decodable & Sendable>(_ json: String, _ store: (FlatCache, Root) -> Void) throws {
        let cache = FlatCache()
        let key = try #require(CodingUserInfoKey(rawValue: "context"))
        weak var left: Context?
        do {
            let context = Context()
            left = context
            let decoder = JSONDecoder()
            decoder.userInfo[key] = context
            store(cache, try decoder.decode(Root.self, from: Data(json.utf8)))
        }
        #expect(left == nil, "\(Root.self)")
    }

    private func decode<Root: Decodable & Sendable>(_ type: Root.Type, _ json: String) throws {
        try decode(json) { (cache, payload: Payload<Root>) in cache.store(payload) }
    }

    @Test("What reads a payload is released with the decoder, also if types refer to each other")
    func payloads() throws {
        let remark = #"{"id": "r", "text": "R", "writer": {"id": 7, "name": "W"}, "replies": [{"id": "s"}]}"#
        try decode(Remark.self, remark)
        try decode([Remark].self, "[\(remark), 5]")
        try decode([Remark].self, "[]")
        try decode([String: Remark?].self, #"{"a": \#(remark), "b": null}"#)
        try decode(Story.self, #"{"id": "1", "writer": 7, "remarks": [\#(remark)]}"#)
        try decode(AnnotatedStructureTests.Thread.self, #"{"title": "T", "stories": [{"id": "1"}]}"#)
        try decode(ProfileResponse.self, #"{"id": "1", "name": "B"}"#)
        try decode(#"{"stories": [{"id": "1", "writer": {"id": 7}}], "remarks": [\#(remark)]}"#) {
            (cache, payload: FlatPayload<Story, Remark>) in cache.store(payload)
        }
        try decode(
            """
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "A"},
             "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}]}
            """
        ) { (cache, document: JSONAPI.Document<[Article], Person, Note>) in cache.store(document) }
    }
}
