extension JSONAPI {
    /// A JSON value of any kind, in which documents have their meta information.
    ///
    ///     document.meta?["page"]?["total"]?.integer
    ///
    /// The names of members are those of the document, whatever key strategy the decoder has.
    public enum Value: Hashable, Sendable, PayloadLeaf {
        case null
        case boolean(Bool)
        case integer(Int)
        /// A number that isn't an `Int`.
        case number(Double)
        case string(String)
        case array([Value])
        case object([String: Value])
    }
}

extension JSONAPI.Value {
    /// The member of an object with a name, or `nil` if there is none or this isn't an object.
    public subscript(name: String) -> JSONAPI.Value? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The element of an array at an index, or `nil` if there is none or this isn't an array.
    public subscript(index: Int) -> JSONAPI.Value? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The Boolean value, or `nil` if this is another value.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The integer, or `nil` if this is another value.
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

    /// The number, or `nil` if this is another value.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text, or `nil` if this is another value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
}

extension JSONAPI.Value: Codable {
    /// Decodes a value of any kind.
    ///
    /// - Throws: The error of the decoder if it has no value, or a number that is no `Double`.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.remaining(in: elements))
        } else {
            // The decoder doesn't convert the keys of a dictionary.
            self = .object(try value.decode([String: JSONAPI.Value].self))
        }
    }

    private static func remaining(in elements: any UnkeyedDecodingContainer) throws -> [JSONAPI.Value] {
        var elements = elements
        var values: [JSONAPI.Value] = []
        while !elements.isAtEnd { values.append(try elements.decode(JSONAPI.Value.self)) }
        return values
    }

    /// Encodes the value.
    ///
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONAPI.Value: CustomStringConvertible, CustomReflectable {
    /// The value as JSON in one line, which is cut if it is long: `{"count": 3}`.
    ///
    /// - Complexity: O(*n* log *n*) for *n* values in it.
    public var description: String { Summary.oneLine(json, atMost: Summary.longestLine) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private var json: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.debugDescription
        case .array(let values): "[\(values.map { $0.json }.joined(separator: ", "))]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value.json)" }
                .joined(separator: ", ") + "}"
        }
    }
}
