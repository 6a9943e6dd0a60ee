internal import Synchronization

extension Cached {
    /// Returns the entity, fetched if need be.
    ///
    ///     let post = try await handle.fetch()
    ///
    /// Everything else is as for ``FlatCache/fetch(_:id:policy:maxAge:replacesNewerWrites:isolation:)``.
    ///
    /// - Parameters:
    ///   - policy: Where to take the entity from.
    ///   - maxAge: The age from which on a stored entity is stale, instead of that of the fetcher.
    ///   - replacesNewerWrites: Whether the answer replaces also what was written after this call.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity.
    /// - Throws: Why the entity could not be fetched; ``FetchError/cacheGone(_:)`` when the cache is gone.
    @discardableResult
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
            replacesNewerWrites: replacesNewerWrites,
            isolation: isolation
        )
    }

    /// Whether the entity is being fetched, by whomever.
    ///
    /// Reading it is told to the Observation framework, like ``value``. `false` when the cache is gone.
    ///
    /// - Complexity: O(1).
    public var isLoading: Bool { status?.isLoading ?? false }

    /// Why the last attempt to fetch the entity has failed; `nil` when it has not.
    ///
    /// The error stays while the next attempt is being made. The success of any fetcher that brings the entity clears it,
    /// and so does clearing the cache. Being cancelled is no failure. Reading it is told to the Observation framework, like
    /// ``value``.
    ///
    /// - Complexity: O(1).
    public var error: FetchError? { status?.error }

    /// The entity, and how fetching it goes, of one state of the cache.
    ///
    /// - Complexity: O(1).
    public var state: FetchState<Value> {
        func current() -> FetchState<Value> {
            let status = status
            return FetchState(value: value, isLoading: status?.isLoading ?? false, error: status?.error)
        }
        return cache?.read(current) ?? current()
    }

    private var status: FetchStatus<Value>? {
        if let known = statusHandle.load() { return unsafeDowncast(known, to: StatusHandle<Value>.self).handle.value }
        guard let cache else { return nil }
        let made = StatusHandle(Cached<FetchStatus<Value>>(id: id, in: cache))
        // A handle's status is of its type.
        return unsafeDowncast(statusHandle.storeIfNil(made), to: StatusHandle<Value>.self).handle.value
    }
}

/// The handle of the status of an entity, as its own handle keeps it, which can't name the type: a type would contain
/// itself without end.
class ErasedStatusHandle: @unchecked Sendable {}  // Has no state.

private final class StatusHandle<Value: Cachable>: ErasedStatusHandle, @unchecked Sendable {  // Constant.
    let handle: Cached<FetchStatus<Value>>

    init(_ handle: Cached<FetchStatus<Value>>) {
        self.handle = handle
    }
}
