/// A name for one entity at a time, such as the account that is signed in.
///
///     let currentUser = cache.name("currentUser", of: Account.self)
///     currentUser.set(account)               // stores the account, and names it, in one commit
///     currentUser.value?.displayName         // what the cache holds of that account now
///     currentUser.id = nil                   // names nothing; the account stays in the cache
///
/// The name is in the cache, under itself and the type of what it names, so that all who ask for it share it, and it is
/// part of transactions, reads and observation as entities are. It may be observed before it names anything.
///
/// Two names are equal when they are of the same name and type in the same cache. A name that you hold doesn't keep its
/// cache alive. Once the cache is gone it names nothing, and writes have no effect. Everything can be called from any
/// thread.
public struct CachedName<Value: Cachable>: Hashable, Sendable {
    private let entry: Cached<NameContents<Value>>

    /// Creates a name, which names nothing unless that was set before.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of what it names; can be left out where the context tells it.
    ///   - cache: The cache that stores the name and the entity.
    /// - Complexity: O(1) on average.
    public init(_ name: String, of type: Value.Type = Value.self, in cache: FlatCache = .current) {
        entry = Cached(id: name, in: cache)
    }

    /// The name itself.
    public var name: String { entry.id }

    /// The cache that stores the name; `nil` once it is gone.
    public var cache: FlatCache? { entry.cache }

    /// The identifier of the entity that is named, stored or not; `nil` when none is.
    ///
    /// Setting it to `nil` names nothing; the entity that was named stays in the cache. Once the cache is gone, setting it has
    /// no effect.
    ///
    /// - Complexity: O(1).
    public var id: Value.ID? {
        get { entry.value?.target }
        nonmutating set {
            if let newValue {
                cache?.set(NameContents<Value>(id: name, target: newValue))
            } else {
                entry.remove()
            }
        }
    }

    /// The entity that is named; `nil` when none is, or it isn't stored.
    ///
    /// The value is a copy and knows no cache: its accessors read the ``FlatCache/current`` one. Those of the ``handle`` read the
    /// cache of the name.
    ///
    /// - Complexity: O(1) on average.
    public var value: Value? {
        cache?.tracked { cache in
            cache.readTogether { entry.current.flatMap { cache.get(Value.self, id: $0.target) } }
        }
    }

    /// Stores an entity and names it, in one commit.
    ///
    /// The entity that was named before stays in the cache. Once the cache is gone, this has no effect.
    ///
    /// - Parameter value: The entity.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the entity and the name.
    public func set(_ value: Value) {
        guard let cache else { return }
        cache.commitTogether {
            cache.set(value)
            cache.set(NameContents<Value>(id: name, target: value.id))
        }
    }

    /// A live handle to the entity that is named, stored or not; `nil` when none is.
    ///
    /// The handle stays with its entity when the name goes to another.
    public var handle: Cached<Value>? {
        guard let cache, let id else { return nil }
        return Cached(id: id, in: cache)
    }

    /// Calls a closure with the entity that is named, now and whenever that is another one, or has changed.
    ///
    /// Everything else is as for ``FlatCache/observe(_:onChange:)-(()->Value,_)``.
    ///
    /// - Parameter onChange: What to call.
    /// - Returns: The subscription. The closure is called until it is cancelled or released, or until the cache goes.
    public func observe(_ onChange: @escaping @Sendable (Value?) -> Void) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe({ value }, onChange: onChange)
    }

    /// The entity that is named over time: that of now, then each other state.
    ///
    /// The sequence doesn't keep the cache alive. It ends when the cache goes.
    public var updates: DerivedUpdates<Value?> {
        DerivedUpdates(in: entry.reference) { value }
    }
}

/// What a name stands for.
private struct NameContents<Value: Cachable>: Bookkeeping, Equatable {
    let id: String
    let target: Value.ID
}

extension FlatCache {
    /// Returns a name for one entity at a time, which names nothing unless that was set before.
    ///
    ///     let currentUser = cache.name("currentUser", of: Account.self)
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of what it names; one name may stand for an entity of each type.
    /// - Complexity: O(1) on average.
    public func name<Value: Cachable>(_ name: String, of type: Value.Type = Value.self) -> CachedName<Value> {
        CachedName(name, of: type, in: self)
    }
}

extension CachedName: CustomStringConvertible {
    /// The type, the name, and what it stands for: `CachedName<Blog.Account>("currentUser"), "7"`.
    public var description: String {
        let target = id.map { String(reflecting: $0) } ?? "nothing"
        return "CachedName<\(String(reflecting: Value.self))>(\(String(reflecting: name))), \(target)"
    }
}
