import RelationshipGenerator

/// A JSON value whose objects keep the order of their members.
package indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case number(Int)
    case string(String)
    case array([JSONValue])
    case object([(String, JSONValue)])
    /// The text of a JSON value.
    case text(String)

    /// A string, or `null` for `nil`.
    static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// The document, indented by two spaces and ended by a line end.
    package var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes, indentation: 0)
        bytes.append(Byte.lineFeed)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8], indentation: Int) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += String(value).utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let values):
            Self.write(values.map { (nil, $0) }, between: ("[", "]"), to: &bytes, indentation)
        case .object(let members):
            Self.write(members.map { ($0.0, $0.1) }, between: ("{", "}"), to: &bytes, indentation)
        case .text(let text): bytes += text.utf8
        }
    }

    private static func write(
        _ members: [(name: String?, value: JSONValue)],
        between brackets: (open: String, close: String),
        to bytes: inout [UInt8],
        _ indentation: Int
    ) {
        bytes += brackets.open.utf8
        for (index, member) in members.enumerated() {
            bytes += (index == 0 ? "\n" : ",\n").utf8
            bytes += repeatElement(Byte.space, count: indentation + 2)
            if let name = member.name {
                write(name, to: &bytes)
                bytes += ": ".utf8
            }
            member.value.write(to: &bytes, indentation: indentation + 2)
        }
        if !members.isEmpty {
            bytes.append(Byte.lineFeed)
            bytes += repeatElement(Byte.space, count: indentation)
        }
        bytes += brackets.close.utf8
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        for byte in text.utf8 {
            switch byte {
            case Byte.quote, Byte.backslash: bytes += [Byte.backslash, byte]
            case Byte.lineFeed: bytes += "\\n".utf8
            case Byte.carriageReturn: bytes += "\\r".utf8
            case ..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
            case ..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(Byte.quote)
    }
}

extension Byte {
    fileprivate static let space = UInt8(ascii: " ")
}
