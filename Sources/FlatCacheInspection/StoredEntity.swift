import FlatCacheReports
import FlatCacheStore
import Foundation

/// An entity of a store.
struct StoredEntity {
    /// The entity as a JSON document.
    ///
    /// The article on inspecting stores describes its members.
    let json: String
    /// The reason why its members can't be read, or `nil` if they can.
    let problem: String?

    /// Reads an entity.
    ///
    /// - Parameters:
    ///   - record: The record of the entity.
    ///   - type: The stored name of its type.
    ///   - place: Its place in the order of insertion.
    ///   - schema: What is needed to read its members.
    init(_ record: StoredRecord, of type: String, place: Int, _ schema: StoredSchema?) {
        let header = EntityHeader(record.value)
        let isStale = header.map { $0.stamp <= schema?.invalidation ?? 0 }
        let (members, problem) = Self.members(of: record, schema)
        let document = JSONValue.object([
            ("type", .string(type)),
            ("id", (try? RecordText.json(record.key, shapes: ShapeTable())).map { .text($0) } ?? .null),
            ("version", .number(header?.version)),
            ("written", header?.milliseconds.map { .string(Self.time($0)) } ?? .null),
            ("isStale", isStale.map { .boolean($0) } ?? .null),
            ("place", .number(place)),
            ("entity", members.map { .text($0) } ?? .null),
        ])
        json = document.text.escapedAsJSON
        self.problem = problem.map { "the entity can't be read: \($0)" }
    }

    private static func members(of record: StoredRecord, _ schema: StoredSchema?) -> (json: String?, problem: String?) {
        guard record.value.count >= EntityHeader.size else { return (nil, "its record is too short") }
        do {
            let shapes = schema?.shapes ?? ShapeTable()
            return (try RecordText.json(record.value.dropFirst(EntityHeader.size), shapes: shapes), nil)
        } catch DecodingError.dataCorrupted(let context) {
            return (nil, context.debugDescription.withLowercasedFirstLetter)
        } catch {
            return (nil, "\(error)")
        }
    }

    /// A time in the format of ISO 8601.
    private static func time(_ milliseconds: UInt64) -> String {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(format)
    }
}
