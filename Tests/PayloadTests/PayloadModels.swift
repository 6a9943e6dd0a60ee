import FlatCache

/// The models of the payload tests, with tables as the plugin generates them.
struct Story: Cachable, Codable, Equatable {
    let id: String
    var title: String
    var summary: String?
    let writerID: Writer.ID
    var editorID: Writer.ID?
    var remarkIDs: [Remark.ID]
    var tags: [String]?
}

extension Story: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("title", \.title), .init("summary", \.summary),
            .init("writerID", \.writerID, Writer.self, "writerId", "writer"),
            .init("editorID", \.editorID, Writer.self, "editorId", "editor"),
            .init("remarkIDs", \.remarkIDs, Remark.self, "remarkIds", "remarks"), .init("tags", \.tags),
        ]
    }
}

struct Writer: Cachable, Codable, Equatable {
    let id: Int
    var name: String
    var bio: String?
}

extension Writer: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [.init(id: "id", \.id), .init("name", \.name), .init("bio", \.bio)]
    }
}

struct Remark: Cachable, Codable, Equatable {
    let id: String
    let text: String
    let writerID: Writer.ID?
    var replyIDs: [Remark.ID]?
}

extension Remark: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("text", \.text),
            .init("writerID", \.writerID, Writer.self, "writerId", "writer"),
            .init("replyIDs", \.replyIDs, Remark.self, "replyIds", "replies"),
        ]
    }
}
