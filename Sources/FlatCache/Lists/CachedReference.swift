/// A named reference to one entity at a time, such as the account that is signed in.
///
///     let currentUser = cache.reference("currentUser", of: Account.self)
///     currentUser.set(account)               // stores the account and refers to it, in one commit
///     currentUser.value?.displayName         // what the cache holds of that account now
///     currentUser.id = nil                   // refers to nothing; the account stays in the cache
///
/// The cache stores the reference under its name and the type of the entity. Everybody who asks for that name shares it, and
/// it is part of transactions, reads and observation as entities are. It can be observed before it refers to anything.
///
/// Two references are equal when they have the same name and type in the same cache. A reference doesn't keep its cache
/// alive. Once the cache is gone it refers to nothing, and writes have no effect. Everything can be called from any thread.
public struct CachedReference<Value: Cachable>: Hashable, Sendable {
    private let entry: Cached<ReferenceContents<Value>>

    /// Creates a reference, which refers to nothing unless that was set before.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - cache: The cache that stores the reference and the entity.
    /// - Complexity: O(1) on average.
    public init(_ name: String, of type: Value.Type = Value.self, in cache: FlatCache = .current) {
        entry = Cached(id: name, in: cache)
    }

    /// The name of the reference.
    public var name: String { entry.id }

    /// The cache that stores the reference; `nil` once it is gone.
    public var cache: FlatCache? { entry.cache }

    /// The identifier of the entity, stored or not; `nil` when the reference refers to nothing.
    ///
    /// The entity stays in the cache when it is set to `nil`. Once the cache is gone, setting it has no effect.
    ///
    /// - Complexity: O(1).
    public var id: Value.ID? {
        get { entry.value?.target }
        nonmutating set {
            if let newValue {
                cache?.set(ReferenceContents<Value>(id: name, target: newValue))
            } else {
                entry.remove()
            }
        }
    }

    /// The entity; `nil` when the reference refers to nothing, or the entity isn't stored.
    ///
    /// The value is a copy and knows no cache: its accessors read the ``FlatCache/current`` one. Those of the ``handle`` read the
    /// cache of the reference.
    ///
    /// - Complexity: O(1) on average.
    public var value: Value? {
        cache?.tracked { cache in
            cache.readTogether { entry.current.flatMap { cache.get(Value.self, id: $0.target) } }
        }
    }

    /// Stores an entity and refers to it, in one commit.
    ///
    /// The entity before it stays in the cache. Once the cache is gone, this has no effect.
    ///
    /// - Parameter value: The entity.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the entity and the reference.
    public func set(_ value: Value) {
        guard let cache else { return }
        cache.commitTogether {
            cache.set(value)
            cache.set(ReferenceContents<Value>(id: name, target: value.id))
        }
    }

    /// A live handle to the entity, stored or not; `nil` when the reference refers to nothing.
    ///
    /// The handle stays with its entity when the reference is set to another.
    public var handle: Cached<Value>? {
        guard let cache, let id else { return nil }
        return Cached(id: id, in: cache)
    }

    /// Calls a closure with the entity, now and whenever it is another one or has changed.
    ///
    /// The closure is called as that of ``FlatCache/observe(initial:_:onChange:)`` is.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the state now.
    ///   - onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    public func observe(
        initial: Bool = true,
        _ onChange: @escaping @Sendable (Value?) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe(initial: initial, { value }, onChange: onChange)
    }

    /// The entity over time: now, then each other state.
    ///
    /// The sequence doesn't keep the cache alive. It ends when the cache goes.
    public var updates: CacheUpdates<Value?> {
        CacheUpdates(computing: { value }, in: entry.reference)
    }
}

/// The identifier that a reference holds.
private struct ReferenceContents<Value: Cachable>: InternalEntity, Equatable {
    let id: String
    let target: Value.ID
}

extension FlatCache {
    /// Returns a reference to one entity at a time, which refers to nothing unless that was set before.
    ///
    ///     let currentUser = cache.reference("currentUser", of: Account.self)
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of the entity; one name can be used for each type.
    /// - Complexity: O(1) on average.
    public func reference<Value: Cachable>(_ name: String, of type: Value.Type = Value.self) -> CachedReference<Value> {
        CachedReference(name, of: type, in: self)
    }
}

extension CachedReference: CustomStringConvertible {
    /// The type, the name and the identifier: `CachedReference<Blog.Account>("currentUser"), "7"`.
    public var description: String {
        let target = id.map { String(reflecting: $0) } ?? "nothing"
        return "CachedReference<\(String(reflecting: Value.self))>(\(String(reflecting: name))), \(target)"
    }
}
