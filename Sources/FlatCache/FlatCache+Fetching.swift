extension FlatCache {
    public func fetch<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        policy: FetchPolicy = .cacheFirst,
        maxAge: Duration? = nil,
        replacesNewerWrites: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Value {
        guard let value = get(Value.self, id: id) else { throw .notCached([FlatCacheKey(Value.self, id: id)]) }
        return value
    }

    public func fetch<Value: Cachable>(
        _ type: Value.Type = Value.self,
        ids: some Sequence<Value.ID>,
        policy: FetchPolicy = .cacheFirst,
        maxAge: Duration? = nil,
        replacesNewerWrites: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> [Value] {
        get(Value.self, ids: ids)
    }
}

extension Cached {
    public func fetch(
        _ policy: FetchPolicy = .cacheFirst,
        maxAge: Duration? = nil,
        replacesNewerWrites: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Value {
        guard let cache else { throw .cacheGone(key) }
        return try await cache.fetch(
            Value.self,
            id: id,
            policy: policy,
            maxAge: maxAge,
            replacesNewerWrites: replacesNewerWrites
        )
    }
}
