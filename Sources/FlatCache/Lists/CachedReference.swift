/// A named reference to one entity at a time, such as the account that is signed in.
///
///     let currentUser = cache.reference("currentUser", of: Account.self)
///     currentUser.set(account)               // stores the account and refers to it, in one commit
///     currentUser.value?.displayName         // what the cache holds of that account now
///     currentUser.id = nil                   // refers to nothing; the account stays in the cache
///
/// The cache stores the reference under its name and the type of the entity, so all users of the name share it.
/// References are part of transactions, reads and observation, as entities are. A reference can be observed before it
/// refers to an entity.
///
/// If the entity is removed from the cache, the reference keeps its identifier. A reference that is set with `dropsRemoved`
/// refers to nothing from the commit on that removes the entity:
///
///     let currentUser = cache.reference("currentUser", of: Account.self, dropsRemoved: true)
///
/// The cache keeps this choice with the reference until its identifier is set to `nil`. As with delete rules,
/// ``FlatCache/removeAll()`` and an `update` that changes the identifier of an entity drop nothing.
///
/// Two references are equal if they have the same name, type and cache. A reference doesn't keep its cache alive. After
/// the cache is deallocated, the reference refers to nothing, and writes have no effect. All members can be used from
/// any thread.
public struct CachedReference<Value: Cachable>: Hashable, Sendable {
    private let entry: Cached<ReferenceContents<Value>>
    let dropsRemoved: Bool

    /// Creates a reference with a name, which refers to nothing until an identifier is set.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - cache: The cache that stores the reference and the entity.
    ///   - dropsRemoved: Whether the reference loses the identifier of an entity that is removed, from the next write by
    ///     this value on.
    /// - Complexity: O(1) on average.
    public init(
        _ name: String,
        of type: Value.Type = Value.self,
        in cache: FlatCache = .current,
        dropsRemoved: Bool = false
    ) {
        entry = Cached(id: name, in: cache)
        self.dropsRemoved = dropsRemoved
    }

    /// The name of the reference.
    public var name: String { entry.id }

    /// The cache that stores the reference, or `nil` after it is deallocated.
    public var cache: FlatCache? { entry.cache }

    /// Returns whether two values are the same reference.
    public static func == (lhs: CachedReference, rhs: CachedReference) -> Bool { lhs.entry == rhs.entry }

    /// Feeds the name, the type and the cache into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(entry) }

    /// The identifier of the entity, or `nil` if the reference refers to nothing.
    ///
    /// The entity need not be stored. If the identifier is set to `nil`, the entity stays in the cache. After the cache
    /// is deallocated, setting the identifier has no effect.
    ///
    /// - Complexity: O(1).
    public var id: Value.ID? {
        get { entry.value?.target }
        nonmutating set {
            guard let newValue else {
                entry.remove()
                return
            }
            if let cache { refer(to: newValue, in: cache) }
        }
    }

    private func refer(to target: Value.ID, in cache: FlatCache) {
        cache.commitTogether {
            let drops = entry.current?.dropsRemoved == true
            if dropsRemoved && !drops { ReferenceContents<Value>.dropRemoved(in: cache) }
            cache.set(ReferenceContents<Value>(id: name, target: target, dropsRemoved: dropsRemoved || drops))
        }
        cache.noteProtection(of: Value.self) { _ in [target] }
    }

    /// The current entity, or `nil` if the reference refers to nothing or the entity isn't stored.
    ///
    /// The value is a copy without a cache. Its accessors read the ``FlatCache/current`` cache. Accessors of the
    /// ``handle`` read the cache of the reference.
    ///
    /// - Complexity: O(1) on average.
    public var value: Value? {
        cache?.tracked { cache in
            cache.readTogether { entry.current.flatMap { cache.get(Value.self, id: $0.target) } }
        }
    }

    /// Stores an entity and refers to it, in one commit.
    ///
    /// The previous entity stays in the cache. After the cache is deallocated, this has no effect.
    ///
    /// - Parameter value: The entity.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the entity and the reference.
    public func set(_ value: Value) {
        guard let cache else { return }
        cache.commitTogether {
            cache.set(value)
            refer(to: value.id, in: cache)
        }
    }

    /// A live handle to the entity, or `nil` if the reference refers to nothing.
    ///
    /// The entity need not be stored. The handle keeps its entity if the reference is set to another one.
    public var handle: Cached<Value>? {
        guard let cache, let id else { return nil }
        return Cached(id: id, in: cache)
    }

    /// Calls a closure with the entity of the reference, and again whenever the entity or the reference changes.
    ///
    /// The first call is made before this method returns. The closure is called once per commit, and each call has a
    /// newer state than the call before. Commits that arrive while the closure runs are folded into one call. The
    /// closure runs on a thread that commits, with no lock held, and may read, write, subscribe and cancel.
    ///
    /// - Parameters:
    ///   - initial: Whether to begin with a call for the current state.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is
    ///   deallocated.
    public func observe(
        initial: Bool = true,
        _ onChange: @escaping @Sendable (Value?) -> Void
    ) -> CacheSubscription {
        guard let cache else { return CacheSubscription() }
        return cache.observe(initial: initial, { value }, onChange: onChange)
    }

    /// A sequence of the values of the entity: the current one, then each new one.
    ///
    /// The element is `nil` while the reference refers to nothing or the entity isn't stored. The sequence doesn't keep
    /// the cache alive. It ends when the cache is deallocated.
    public var updates: CacheUpdates<Value?> {
        CacheUpdates(computing: { value }, in: entry.reference)
    }
}

/// The identifier that a reference holds.
struct ReferenceContents<Value: Cachable>: InternalEntity, Equatable {
    let id: String
    let target: Value.ID
    /// Whether the reference is removed with its entity.
    let dropsRemoved: Bool

    /// Removes references with their entities from now on.
    static func dropRemoved(in cache: FlatCache) {
        let keys = FlatCache.Index<Self>.Keys<Value.ID> {
            $0.dropsRemoved ? [$0.target] : []
        } areEqual: {
            $0 == $1
        }
        let index = FlatCache.Index(\Self.target, keys, isUnique: false)
        cache.addDeleteRule(of: Value.self, index) { reference, removed in
            reference.dropsRemoved && removed.contains(reference.target)
        } drop: { _, _ in
            nil
        }
    }
}

extension FlatCache {
    /// Returns the reference with a name, which refers to nothing until an identifier is set.
    ///
    ///     let currentUser = cache.reference("currentUser", of: Account.self)
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of the entity. References with the same name and different types are different references.
    ///   - dropsRemoved: Whether the reference loses the identifier of an entity that is removed, from the next write by the
    ///     returned value on.
    /// - Complexity: O(1) on average.
    public func reference<Value: Cachable>(
        _ name: String,
        of type: Value.Type = Value.self,
        dropsRemoved: Bool = false
    ) -> CachedReference<Value> {
        CachedReference(name, of: type, in: self, dropsRemoved: dropsRemoved)
    }
}

extension CachedReference: CustomStringConvertible, CustomReflectable {
    /// A line with the type, the name and the identifier: `CachedReference<Blog.Account>("currentUser"): "7"`.
    public var description: String {
        let target = cache.map { cache in cache.withoutWatching { entry.current?.target } }
        let text = target.map { $0.map { String(reflecting: $0) } ?? "nothing" }
        return Summary.line(
            Summary.name("CachedReference", of: Value.self),
            String(reflecting: name),
            [text ?? "the cache is deallocated"]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
