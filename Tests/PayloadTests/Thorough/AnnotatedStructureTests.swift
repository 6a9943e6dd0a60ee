import FlatCache
import Foundation
import Testing

/// Identifiers with a relationship in structures that aren't entities.
@Suite("Structures with relationships")
struct AnnotatedStructureTests {
    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    /// A structure around entities, with tables as the plugin generates them.
    struct Thread: Decodable, Equatable, FlatCache.PayloadOwner {
        let title: String
        let storyIDs: [Story.ID]
        let pinnedID: Story.ID?

        static var payloadKeys: [_PayloadKey] {
            [
                .init("storyIDs", to: Story.self, "storyIds", "stories"),
                .init("pinnedID", to: Story.self, "pinnedId", "pinned"),
            ]
        }
    }

    @Test("A structure around entities has their identifiers, also of incomplete entities, and all are stored")
    func envelope() throws {
        cache.set(Story(id: "2", title: "B", writerID: 8, remarkIDs: []))
        let payload = try decode(
            Thread.self,
            """
            {"title": "T", "stories": [{"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "remarks": []},
             {"id": "2", "summary": "S"}, {"id": "3"}, "4"], "pinned": {"id": 5}}
            """
        )
        let stored = cache.store(payload)
        #expect(stored.value == Thread(title: "T", storyIDs: ["1", "2", "3", "4"], pinnedID: nil))
        #expect(cache.get(Story.self, id: "1")?.writerID == 7)
        #expect(cache.get(Story.self, id: "2") == Story(id: "2", title: "B", summary: "S", writerID: 8, remarkIDs: []))
        #expect(stored.ids(of: Story.self) == ["1", "2", "3"])
        #expect(cache.get(Writer.self, id: 7)?.name == "W")
        #expect(stored.problems.map { $0.codingPath.first?.stringValue } == ["pinned", "stories"])
    }

    /// An entity with a part that refers to another entity.
    struct Post: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        var quote: Quote?

        struct Quote: Decodable, Equatable, FlatCache.PayloadOwner {
            let state: String
            let postID: Post.ID?

            static var payloadKeys: [_PayloadKey] { [.init("postID", to: Post.self, "postId", "post")] }
        }

        static var payloadKeys: [_PayloadKey] { [.init("id", \.id), .init("quote", \.quote)] }
    }

    @Test("A part of an entity has identifiers of nested entities, in cycles as well")
    func part() throws {
        let payload = try decode(
            [Post].self,
            """
            [{"id": "1", "quote": {"state": "accepted", "post": {"id": "2", "quote": {"state": "shallow", "postID": "1"}}}},
             {"id": "3", "quote": {"state": "pending", "post": null}}, {"id": "4", "quote": null}, {"id": "2"}]
            """
        )
        let stored = cache.store(payload)
        #expect(stored.problems.isEmpty)
        #expect(stored.ids(of: Post.self) == ["2", "1", "3", "4"])
        #expect(stored.value?.map(\.quote?.postID) == ["2", nil, nil, "1"])
        #expect(stored.value?.map(\.quote?.state) == ["accepted", "pending", nil, "shallow"])
    }

    /// A patch that links an account to a picture.
    struct PictureChange: Decodable, EntityPatch, FlatCache.PayloadOwner {
        let id: String
        let pictureID: Picture.ID

        func apply(to account: inout Account) { account.pictureID = pictureID }

        static var payloadKeys: [_PayloadKey] {
            [.init("pictureID", to: Picture.self, "pictureId", "picture")]
        }
    }

    @Test("A patch has identifiers of nested entities", arguments: [#"{"id": 3, "address": "/3"}"#, "3"])
    func patch(picture: String) throws {
        cache.set(Account(id: "a", name: "A"))
        let stored = cache.store(try decode(PictureChange.self, #"{"id": "a", "picture": \#(picture)}"#))
        #expect(stored.problems.isEmpty)
        #expect(cache.get(Account.self, id: "a")?.pictureID == 3)
        #expect(cache.contains(Picture.self, id: 3) == (picture != "3"))
    }

    /// A structure that decodes a patch with its own decoder.
    struct Union: Decodable, FlatCache.PayloadOwner {
        let visit: PictureChange
        let writerID: Writer.ID?

        enum CodingKeys: String, CodingKey { case writerID }

        init(from decoder: any Decoder) throws {
            visit = try PictureChange(from: decoder)
            writerID = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
                Writer.ID.self,
                forKey: .writerID
            )
        }

        static var payloadKeys: [_PayloadKey] { [.init("writerID", to: Writer.self, "writer")] }
    }

    @Test("A patch that a structure decodes with its own decoder is applied")
    func union() throws {
        cache.set(Account(id: "a", name: "A"))
        let stored = cache.store(
            try decode(
                Union.self,
                #"{"id": "a", "picture": {"id": 3, "address": "/3"}, "writer": {"id": 7, "name": "W"}}"#
            )
        )
        #expect(stored.problems.isEmpty)
        #expect(cache.get(Account.self, id: "a")?.pictureID == 3)
        #expect(stored.value?.writerID == 7)
        #expect(cache.contains(Writer.self, id: 7))
    }
}
