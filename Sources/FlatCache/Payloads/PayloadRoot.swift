/// The root value of a payload.
class PayloadRoot<Value>: @unchecked Sendable {  // Subclasses have only constants.
    /// The value as it is stored in a cache now, or `nil` if it could not be decoded or isn't stored.
    func value(in cache: FlatCache) -> Value? { nil }

    /// The key of the entity that the root is, or `nil` if it is another value.
    var entityKey: FlatCacheKey? { nil }
}

/// A value that isn't an entity, as it was decoded.
final class PlainRoot<Value>: PayloadRoot<Value>, @unchecked Sendable {
    private let decoded: Value

    init(_ decoded: Value) {
        self.decoded = decoded
    }

    override func value(in cache: FlatCache) -> Value? { decoded }
}

/// A value that is made when it is asked for.
final class LazyRoot<Value>: PayloadRoot<Value>, @unchecked Sendable {
    private let make: @Sendable () -> Value?

    init(_ make: @escaping @Sendable () -> Value?) {
        self.make = make
    }

    override func value(in cache: FlatCache) -> Value? { make() }
}

final class EntityRoot<Entity: Cachable>: PayloadRoot<Entity>, @unchecked Sendable {
    private let id: Entity.ID

    init(_ id: Entity.ID) {
        self.id = id
    }

    override func value(in cache: FlatCache) -> Entity? { cache.get(Entity.self, id: id) }

    override var entityKey: FlatCacheKey? { FlatCacheKey(Entity.self, id: id) }
}

final class OptionalRoot<Wrapped>: PayloadRoot<Wrapped?>, @unchecked Sendable {
    private let wrapped: PayloadRoot<Wrapped>

    init(_ wrapped: PayloadRoot<Wrapped>) {
        self.wrapped = wrapped
    }

    override func value(in cache: FlatCache) -> Wrapped?? { wrapped.value(in: cache) }

    override var entityKey: FlatCacheKey? { wrapped.entityKey }
}

final class ArrayRoot<Entity: Cachable>: PayloadRoot<[Entity]>, @unchecked Sendable {
    private let ids: [Entity.ID]

    init(_ ids: [Entity.ID]) {
        self.ids = ids
    }

    override func value(in cache: FlatCache) -> [Entity]? { cache.get(Entity.self, ids: ids) }
}

final class DictionaryRoot<Key: Hashable, Entity: Cachable>: PayloadRoot<[Key: Entity]>, @unchecked Sendable {
    private let ids: [Key: Entity.ID]

    init(_ ids: [Key: Entity.ID]) {
        self.ids = ids
    }

    override func value(in cache: FlatCache) -> [Key: Entity]? {
        cache.read { ids.compactMapValues { cache.get(Entity.self, id: $0) } }
    }
}
