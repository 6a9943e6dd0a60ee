import Foundation

/// A response, which tests write as a Swift literal.
enum JSON: Encodable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The response as a server sends it.
    var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members) { _, later in later })
    }
}

extension JSON: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByStringInterpolation {
    init(stringLiteral string: String) { self = .string(string) }
}

extension JSON: ExpressibleByIntegerLiteral {
    init(integerLiteral integer: Int) { self = .integer(integer) }
}

extension JSON: ExpressibleByBooleanLiteral {
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
}

extension JSON: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { self = .null }
}
