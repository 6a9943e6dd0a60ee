// The decoded value of a property with a property wrapper is the wrapper, whose type no key path gives.

extension FlatCache.PayloadKey {
    /// Creates the key of a property with a property wrapper.
    ///
    /// - Parameters:
    ///   - name: The coding key.
    ///   - property: The wrapped value. If it can be set, a payload without the key keeps it.
    ///   - wrapper: The type of the property wrapper, or `nil` to learn it from the first complete entity.
    public init<Value>(
        _ name: StaticString,
        wrapped property: any KeyPath<Entity, Value> & Sendable,
        as wrapper: (any Any.Type)? = nil
    ) {
        self.init(name, WrappedProperty(property, as: wrapper), nil)
    }

    /// Creates the key of a relationship with a property wrapper, whose related entities can be nested in a payload.
    ///
    /// - Parameters:
    ///   - name: The coding key.
    ///   - property: The wrapped value, which holds an identifier, or a collection of identifiers.
    ///   - wrapper: The type of the property wrapper, or `nil` to learn it from the first complete entity.
    ///   - related: The type of the related entities.
    ///   - alternatives: The other keys at which an identifier or a related entity can be, in the order of precedence.
    public init<Value, Related: Cachable & Decodable>(
        _ name: StaticString,
        wrapped property: any KeyPath<Entity, Value> & Sendable,
        as wrapper: (any Any.Type)? = nil,
        _ related: Related.Type,
        _ alternatives: StaticString...
    ) where Related.ID: Decodable {
        self.init(
            name,
            WrappedProperty(property, as: wrapper),
            NestedRelation<Related>(name, alternatives, to: related)
        )
    }

    /// Creates the key of a relationship with a property wrapper, whose related entities can't be decoded.
    ///
    /// - Parameters:
    ///   - name: The coding key.
    ///   - property: The wrapped value, which holds an identifier, or a collection of identifiers.
    ///   - wrapper: The type of the property wrapper, or `nil` to learn it from the first complete entity.
    ///   - related: The type of the related entities.
    ///   - alternatives: The other keys at which an identifier can be, in the order of precedence.
    @_disfavoredOverload
    public init<Value, Related: Cachable>(
        _ name: StaticString,
        wrapped property: any KeyPath<Entity, Value> & Sendable,
        as wrapper: (any Any.Type)? = nil,
        _ related: Related.Type,
        _ alternatives: StaticString...
    ) {
        self.init(
            name,
            WrappedProperty(property, as: wrapper),
            PayloadRelation(name, alternatives, to: related)
        )
    }

    /// Creates the key of a property with ``Omittable``.
    ///
    /// - Parameters:
    ///   - name: The coding key.
    ///   - property: The value. If it can be set, a payload without the key keeps it.
    public init<Value>(_ name: StaticString, omittable property: any KeyPath<Entity, Value?> & Sendable) {
        self.init(name, OmittableProperty(property), nil)
    }

    /// Creates the key of a relationship with ``Omittable``, whose related entities can be nested in a payload.
    ///
    /// - Parameters:
    ///   - name: The coding key.
    ///   - property: The value, which holds an identifier, or a collection of identifiers.
    ///   - related: The type of the related entities.
    ///   - alternatives: The other keys at which an identifier or a related entity can be, in the order of precedence.
    public init<Value, Related: Cachable & Decodable>(
        _ name: StaticString,
        omittable property: any KeyPath<Entity, Value?> & Sendable,
        _ related: Related.Type,
        _ alternatives: StaticString...
    ) where Related.ID: Decodable {
        self.init(name, OmittableProperty(property), NestedRelation<Related>(name, alternatives, to: related))
    }

    /// Creates the key of a relationship with ``Omittable``, whose related entities can't be decoded.
    ///
    /// - Parameters:
    ///   - name: The coding key.
    ///   - property: The value, which holds an identifier, or a collection of identifiers.
    ///   - related: The type of the related entities.
    ///   - alternatives: The other keys at which an identifier can be, in the order of precedence.
    @_disfavoredOverload
    public init<Value, Related: Cachable>(
        _ name: StaticString,
        omittable property: any KeyPath<Entity, Value?> & Sendable,
        _ related: Related.Type,
        _ alternatives: StaticString...
    ) {
        self.init(name, OmittableProperty(property), PayloadRelation(name, alternatives, to: related))
    }
}
