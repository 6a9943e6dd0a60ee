import FlatCacheStore
import Foundation

/// An identifier as it is written on the command line: a text, or JSON.
struct WrittenID {
    private let text: String
    /// The text as a JSON string.
    private let quoted: String?
    /// The text in the one form of equal JSON objects and arrays, or `nil` if it is none of these.
    private let sorted: String?

    init(_ text: String) {
        self.text = text
        quoted = (try? RecordKey.bytes(of: text)).flatMap { Self.json(of: $0[...]) }
        sorted = Self.sorted(text)
    }

    /// Whether the key of a record is of this identifier.
    func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        guard let json = Self.json(of: key) else { return false }
        return json == text || json == quoted || sorted != nil && Self.sorted(json) == sorted
    }

    private static func json(of key: ArraySlice<UInt8>) -> String? {
        try? RecordText.json(key, shapes: ShapeTable())
    }

    /// Returns a JSON object or array without spaces, and with sorted members.
    private static func sorted(_ json: String) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(json.utf8)),
            let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
