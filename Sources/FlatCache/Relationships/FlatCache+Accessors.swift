// What generated accessors call. These members do what those without the underscore do, under names that no other code has: a
// target that declares a `get` of its own in an extension, for one of its types, would have its accessors call that.

extension FlatCache {
    /// ``tracked(_:)`` of the ``current`` cache.
    @inlinable
    public static func _tracked<Result, Failure: Error>(
        _ body: (FlatCache) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try current.tracked(body)
    }

    /// The key of an entity.
    @inlinable
    public static func _key<Value: Cachable>(of value: Value) -> FlatCacheKey { value.flatCacheKey }

    /// A live handle to an entity in this cache.
    @inlinable
    public func _handle<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Cached<Value> {
        Cached(type, id: id, in: self)
    }

    /// ``get(_:id:)``.
    @inlinable
    public func _get<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Value? { get(type, id: id) }

    /// ``get(_:ids:)``.
    @inlinable
    public func _get<Value: Cachable>(_ type: Value.Type, ids: some Sequence<Value.ID>) -> [Value] {
        get(type, ids: ids)
    }

    /// ``missingIDs(of:in:)``.
    @inlinable
    public func _missingIDs<Value: Cachable>(of type: Value.Type, in ids: some Sequence<Value.ID>) -> [Value.ID] {
        missingIDs(of: type, in: ids)
    }

    /// ``set(_:)``.
    @inlinable
    public func _set<Value: Cachable>(_ value: consuming Value) { set(value) }

    /// ``set(contentsOf:)``.
    @inlinable
    public func _set<Value: Cachable>(contentsOf values: some Sequence<Value>) { set(contentsOf: values) }

    /// ``read(_:)``.
    @inlinable
    public func _reading<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try read(body)
    }

    /// ``fetch(_:id:policy:maxAge:replacesNewerWrites:isolation:)``.
    @inlinable
    public func _fetch<Value: Cachable>(
        _ type: Value.Type,
        id: Value.ID,
        policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Value {
        try await fetch(type, id: id, policy: policy, isolation: isolation)
    }

    /// ``fetch(_:ids:policy:maxAge:replacesNewerWrites:isolation:)``.
    @inlinable
    public func _fetch<Value: Cachable>(
        _ type: Value.Type,
        ids: some Sequence<Value.ID>,
        policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Value] {
        try await fetch(type, ids: ids, policy: policy, isolation: isolation)
    }
}
