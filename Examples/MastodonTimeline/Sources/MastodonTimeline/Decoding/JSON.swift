import Foundation

/// A JSON document in which looking for what isn't there gives `nil` or nothing, never an error.
///
/// Servers of many kinds and ages answer in Mastodon's format. `Decodable` structs would refuse a whole response for one
/// unexpected null; this takes what is there.
enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The value of a member, or null when this is no object or has no such member.
    subscript(name: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The elements, or none when this is no array.
    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The same object with another value of a member; what is no object stays as it is.
    func replacing(_ name: String, with value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    var integer: Int? {
        switch self {
        case .integer(let integer): integer
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// An identifier: a string that isn't empty or, on some servers, a number.
    var identifier: String? {
        switch self {
        case .string(let string): string.isEmpty ? nil : string
        case .integer(let integer): String(integer)
        default: nil
        }
    }

    /// A point in time, written with or without fractions of a second.
    var date: Date? {
        guard let string else { return nil }
        return (try? Date(string, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(string, strategy: .iso8601))
    }

    /// Whether this is an object that has all of several members, null or not.
    func hasMembers(_ names: Set<String>) -> Bool {
        guard case .object(let members) = self else { return false }
        return names.allSatisfy { members[$0] != nil }
    }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let members = try? container.decode([String: JSON].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSON].self) {
            self = .array(elements)
        } else {
            // What remains is a number, or can't be read: a string that isn't Unicode, for example. A null in its place
            // would be a loss that nobody sees.
            self = .number(try container.decode(Double.self))
        }
    }
}
