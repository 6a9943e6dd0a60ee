/// A JSON value.
enum JSON: Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    init(_ value: some Any) {
        switch value {
        case let value as JSON: self = value
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .int(value)
        case let value as String: self = .text(value)
        case let value as Mood: self = .text(value.rawValue)
        case let value as any Structure: self = .object(value.snapshot)
        case .photo(let url, let caption) as Media:
            self = .object(["photo": .object(["url": .text(url), "caption": JSON(caption as Any)])])
        case .text(let text) as Media: self = .object(["text": .object(["_0": .text(text)])])
        case let value as [String: Int]: self = .object(value.mapValues { .int($0) })
        case let value as [Any]: self = .array(value.map { JSON($0) })
        default:
            let mirror = Mirror(reflecting: value)
            self = mirror.displayStyle == .optional ? mirror.children.first.map { JSON($0.value) } ?? .null : .text("?")
        }
    }

    var isNull: Bool { self == .null }

    /// The value as JSON.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ","))}"
        }
    }
}

enum Mood: String, Codable, Sendable, CaseIterable { case calm, happy }

enum Media: Codable, Sendable, Equatable {
    case photo(url: String, caption: String?)
    case text(String)
}
