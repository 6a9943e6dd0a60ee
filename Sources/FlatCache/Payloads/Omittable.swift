/// A decoded property that a response or a request can leave out, so that absent and null differ.
///
///     struct ProfileChange: Codable {
///         let id: String
///         @Omittable var note: String?
///     }
///
///     switch change.$note {
///     case .absent: …             // {"id": "7"}
///     case .null: …               // {"id": "7", "note": null}
///     case .value(let note): …    // {"id": "7", "note": "On leave"}
///     }
///
/// The property itself is `nil` if it is absent or null. `$note` is its ``State``. Synthesized `init(from:)` and
/// `encode(to:)` decode and encode it: absent writes nothing, and null writes null. So the same type can be the body of
/// a PATCH request.
///
/// The initial value is absent unless it has a value. The memberwise initializer can't distinguish `note: nil` from an
/// omitted argument, so both are absent. Assigning `nil` means null, in initializers that you write, too:
///
///     var change = ProfileChange(id: "7")     // note is absent
///     change.note = nil                       // note is null
///     change.$note = .absent
///
/// In an entity, a payload without the key keeps the state of the stored property. If the entity is not `Encodable`,
/// absent can become null. If a structure in an entity is not `Encodable`, a null in it can't be merged, and is a
/// problem.
///
/// An `init(from:)` or `encode(to:)` that you write gets the same results from `container.decode(Omittable<String>.self,
/// forKey: .note)` and `container.encode(_note, forKey: .note)`. Elements of arrays and dictionaries can't be absent. An
/// absent one is encoded as null.
///
/// Leave an identifier that is in the address of a request out of its body with an `encode(to:)` that encodes only the
/// other properties.
///
/// Property lists have no null. Foundation's encoder writes the text `$null` instead, and its decoder reads it as null.
@propertyWrapper
public struct Omittable<Value> {
    /// Whether a value is absent, null or there.
    @frozen public enum State {
        /// The key is absent.
        case absent
        /// The value is null.
        case null
        /// The value is present.
        case value(Value)
    }

    /// The state of the property.
    public var projectedValue: State

    /// Creates a property with an initial value, which is absent if it is `nil`.
    public init(wrappedValue: Value?) {
        projectedValue = wrappedValue.map { .value($0) } ?? .absent
    }

    fileprivate init(state: State) {
        projectedValue = state
    }

    /// The value, or `nil` if it is absent or null.
    ///
    /// Assigning `nil` makes it null.
    public var wrappedValue: Value? {
        get { if case .value(let value) = projectedValue { value } else { nil } }
        set { projectedValue = newValue.map { .value($0) } ?? .null }
    }
}

extension Omittable.State {
    /// Assigns a value, or `nil` for null, to a property, which keeps its value if the state is absent.
    ///
    ///     $note.assign(to: &account.note)
    ///
    /// - Parameter property: The property.
    public func assign(to property: inout Value?) {
        switch self {
        case .absent: break
        case .null: property = nil
        case .value(let value): property = value
        }
    }
}

/// A decoded property that can be absent.
protocol OmittableType {
    var isAbsent: Bool { get }
}

extension Omittable: OmittableType {
    var isAbsent: Bool { if case .absent = projectedValue { true } else { false } }
}

extension Omittable: Sendable where Value: Sendable {}
extension Omittable: Equatable where Value: Equatable {}
extension Omittable: Hashable where Value: Hashable {}
extension Omittable.State: Sendable where Value: Sendable {}
extension Omittable.State: Equatable where Value: Equatable {}
extension Omittable.State: Hashable where Value: Hashable {}

extension Omittable: Decodable where Value: Decodable {
    /// Decodes a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(state: container.decodeNil() ? .null : .value(try container.decode(Value.self)))
    }
}

extension Omittable: Encodable where Value: Encodable {
    /// Encodes the value, or null if it is null or absent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a property that can be absent.
    ///
    /// Synthesized initializers call this method for properties with ``Omittable``.
    public func decode<Value: Decodable>(_ type: Omittable<Value>.Type, forKey key: Key) throws -> Omittable<Value> {
        if let value = try decodeIfPresent(Value.self, forKey: key) { return Omittable(state: .value(value)) }
        return Omittable(state: contains(key) ? .null : .absent)
    }
}

extension KeyedEncodingContainer {
    /// Encodes a property that can be absent, which then encodes nothing.
    ///
    /// Synthesized `encode(to:)` calls this method for properties with ``Omittable``.
    public mutating func encode<Value: Encodable>(_ property: Omittable<Value>, forKey key: Key) throws {
        switch property.projectedValue {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

extension Omittable: CustomStringConvertible {
    /// The state: `absent`, `null` or `value("new")`.
    public var description: String { "\(projectedValue)" }
}
