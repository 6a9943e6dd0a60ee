/// A decoded property of an entity type, without its static type.
class PayloadProperty<Entity>: @unchecked Sendable {  // Subclasses have only constants.
    /// Whether the property can be set.
    var isVariable: Bool { false }

    /// Copies the property from one entity to another.
    ///
    /// - Returns: Whether the property can be set.
    func copy(from source: Entity, to entity: inout Entity) -> Bool { false }

    /// Sets the property to a value.
    ///
    /// - Returns: Whether the property can be set, and the value has its type.
    func set(_ value: Any, in entity: inout Entity) -> Bool { false }

    /// The value of the property, or `nil` if it can't be read.
    func value(of entity: Entity) -> Any? { nil }

    /// The type of the decoded value, or `nil` if it isn't known.
    var valueType: (any Decodable.Type)? { nil }

    /// Another type as which the value can be decoded, or `nil` if there is none.
    var otherValueType: (any Decodable.Type)? { nil }

    /// Whether the decoded value is a property wrapper, which can distinguish more than the property.
    var isWrapped: Bool { false }
}

/// A property that can be read.
class ReadableProperty<Entity, Value>: PayloadProperty<Entity>, @unchecked Sendable {
    private let property: any KeyPath<Entity, Value> & Sendable
    /// The same, or `nil` if the property can't be set.
    private let variable: WritableKeyPath<Entity, Value>?

    init(_ property: any KeyPath<Entity, Value> & Sendable) {
        self.property = property
        variable = property as? WritableKeyPath<Entity, Value>
    }

    override var isVariable: Bool { variable != nil }

    override func copy(from source: Entity, to entity: inout Entity) -> Bool {
        guard let variable else { return false }
        entity[keyPath: variable] = source[keyPath: variable]
        return true
    }

    override func set(_ value: Any, in entity: inout Entity) -> Bool {
        guard let variable, let value = value as? Value else { return false }
        entity[keyPath: variable] = value
        return true
    }

    override func value(of entity: Entity) -> Any? { entity[keyPath: property] }

    override var valueType: (any Decodable.Type)? { Value.self as? any Decodable.Type }
}

/// A property with a property wrapper, whose decoded value is the wrapper.
final class WrappedProperty<Entity, Value>: ReadableProperty<Entity, Value>, @unchecked Sendable {
    private let wrapper: (any Decodable.Type)?

    init(_ property: any KeyPath<Entity, Value> & Sendable, as wrapper: (any Any.Type)?) {
        self.wrapper = wrapper as? any Decodable.Type
        super.init(property)
    }

    override var isWrapped: Bool { true }

    override var valueType: (any Decodable.Type)? { wrapper }

    /// An extension of the containers can decode the value itself and make the wrapper of it, as that of ``Omittable``.
    override var otherValueType: (any Decodable.Type)? { wrapper == nil ? nil : Value.self as? any Decodable.Type }
}

/// A property with ``Omittable``, whose value is decoded as that of an optional property.
final class OmittableProperty<Entity, Value>: ReadableProperty<Entity, Value?>, @unchecked Sendable {
    override var isWrapped: Bool { true }
}

/// A property of which only the type is known, from a table or a decoding.
final class LearntProperty<Entity>: PayloadProperty<Entity>, @unchecked Sendable {
    private let type: any Decodable.Type
    /// The type that another decoding has asked for, such as that of another case of an enumeration.
    private let otherType: (any Decodable.Type)?

    init(_ type: any Decodable.Type, or otherType: (any Decodable.Type)? = nil) {
        self.type = type
        self.otherType = otherType
    }

    override var valueType: (any Decodable.Type)? { type }

    override var otherValueType: (any Decodable.Type)? { otherType }
}
