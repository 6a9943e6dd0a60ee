/// A named list of identifiers in an order, which reads the current entities from the cache.
///
///     let home = cache.list("home", of: Post.self)
///     home.append(contentsOf: page)          // stores the posts, and lists those that aren't yet, in one commit
///     home.values                            // [Post]: what the cache holds of them now, in order
///
/// Use lists for results that a server sends in pages and in an order of its own, such as a timeline, search results or
/// the members of a group. The cache stores the list under its name and the type of its entities, so all users of the
/// name share it. Lists are part of transactions, reads and observation, as entities are. A list is empty until
/// identifiers are added.
///
/// A list has each identifier once. If an identifier is removed from the list, its entity stays in the cache.
///
/// ## Removed entities
///
/// If an entity is removed from the cache, its identifier stays in the list and is one of the ``missingIDs``. A list that
/// is written with `dropsRemoved` loses the identifier in the commit that removes the entity:
///
///     let home = cache.list("home", of: Post.self, dropsRemoved: true)
///     home.append(contentsOf: page)
///     cache.remove(Post.self, id: "1")       // home.ids has no "1"
///
/// The cache keeps this choice with the list, from the first write with it until ``removeAll()``. Then the list drops removed
/// entities by whatever reference it is written. As with delete rules, ``FlatCache/removeAll()`` and an `update` that
/// changes the identifier of an entity drop nothing. Such a list has an index of its identifiers, so a removal takes time for
/// the lists with the entity, not for all lists. The first write with `dropsRemoved` in a transaction that has removed entities
/// runs the body again.
///
/// ## Observation
///
/// ``observe(initial:_:)`` notifies when the order or a listed entity changes, once per commit. A SwiftUI view and the
/// closures of ``FlatCache/observe(initial:_:onChange:)`` are notified of changes to the properties that they read:
/// ``values`` depends on the order and the entities, ``ids`` and ``count`` depend only on the order.
///
/// ## Identity and life time
///
/// Two lists are equal if they have the same name, type and cache. A list doesn't keep its cache alive. After the cache
/// is deallocated the list is empty, and writes have no effect.
///
/// ## Thread safety
///
/// All members can be used from any thread. Each method is atomic.
public struct CachedList<Value: Cachable>: Hashable, Sendable {
    @usableFromInline let handle: Cached<ListContents<Value>>
    /// Whether the list drops removed entities from the next write on.
    @usableFromInline let dropsRemoved: Bool
    /// The number of protected entities from the next write on, or `nil` for no change.
    @usableFromInline let keeps: Int?

    /// Creates a reference to the list with a name, which is empty until identifiers are added.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - type: The type of its entities; can be omitted if it is inferred.
    ///   - cache: The cache that stores the list and its entities.
    ///   - dropsRemoved: Whether the list loses the identifiers of entities that are removed, from the next write by this
    ///     reference on.
    ///   - keeps: The number of entities at the beginning of the list that a limit doesn't evict, from the next write by this
    ///     reference on, or `nil` to leave it as it is. It is that of the limit, until one is named.
    /// - Complexity: O(1) on average.
    public init(
        _ name: String,
        of type: Value.Type = Value.self,
        in cache: FlatCache = .current,
        dropsRemoved: Bool = false,
        keeps: Int? = nil
    ) {
        handle = Cached(id: name, in: cache)
        self.dropsRemoved = dropsRemoved
        self.keeps = keeps.map { max($0, 0) }
    }

    /// The name of the list.
    public var name: String { handle.id }

    /// The cache that stores the list, or `nil` after it is deallocated.
    public var cache: FlatCache? { handle.cache }

    /// Returns whether two references are to the same list.
    public static func == (lhs: CachedList, rhs: CachedList) -> Bool { lhs.handle == rhs.handle }

    /// Feeds the name, the type and the cache into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(handle) }
}

extension FlatCache {
    /// Returns the list with a name, which is empty until identifiers are added.
    ///
    ///     let home = cache.list("home", of: Post.self)
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - type: The type of its entities. Lists with the same name and different types are different lists.
    ///   - dropsRemoved: Whether the list loses the identifiers of entities that are removed, from the next write by the
    ///     returned reference on.
    ///   - keeps: The number of entities at the beginning of the list that a limit doesn't evict, from the next write by the
    ///     returned reference on, or `nil` to leave it as it is. It is that of the limit, until one is named.
    /// - Complexity: O(1) on average.
    public func list<Value: Cachable>(
        _ name: String,
        of type: Value.Type = Value.self,
        dropsRemoved: Bool = false,
        keeps: Int? = nil
    ) -> CachedList<Value> {
        CachedList(name, of: type, in: self, dropsRemoved: dropsRemoved, keeps: keeps)
    }
}

extension CachedList: CustomStringConvertible, CustomReflectable {
    /// A line with the type of the entities, the name and the count: `CachedList<Blog.Post>("home"): 40 entities`.
    public var description: String {
        let count = cache?.withoutWatching { handle.current?.order.count ?? 0 }
        return Summary.line(
            Summary.name("CachedList", of: Value.self),
            String(reflecting: name),
            [count.map(Summary.entities) ?? "the cache is deallocated"]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
