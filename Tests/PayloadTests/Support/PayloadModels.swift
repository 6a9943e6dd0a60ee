import FlatCache
import Foundation

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

/// The changes that an observer has seen.
final class Changes: @unchecked Sendable {  // The observer is called by one thread.
    private(set) var all: [(Int, Bool)] = []

    func append(_ change: (Int, Bool)) { all.append(change) }
}

extension Writer {
    /// The body of a response with writers.
    static func response(_ names: KeyValuePairs<Int, String>) -> Data {
        Data("[\(names.map { #"{"id": \#($0), "name": "\#($1)"}"# }.joined(separator: ","))]".utf8)
    }
}
