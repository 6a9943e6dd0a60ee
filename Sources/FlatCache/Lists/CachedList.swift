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
/// ## Pages from a server
///
/// A loader, which `setLoader` sets, loads the list page by page; see <doc:ListsThatLoad>. There is one call for each
/// place: the first page, the pages at the beginning and at the end, and each side of a gap.
///
/// - All who ask for a place while it is loaded join its call. A request that an observer makes when it is notified of
///   a page begins a new call.
/// - If a task that waits is cancelled, it throws a `CancellationError`, and the call goes on while others wait. If
///   nobody waits any more, the call is cancelled, and its error isn't shown.
/// - A request after ``invalidate()`` makes a new call. Those who wait for an older call wait for the new one.
/// - A call has no effect, and those who wait receive `false`, if a refresh begins meanwhile. The same happens if the
///   app replaces all identifiers, even by the same ones, empties or removes the list, empties the cache, or calls
///   `removeAll(of:)` or `replaceAll(of:with:)` for the type. An `update` that leaves at least one of the identifiers
///   isn't a replacement.
/// - A page doesn't join either if so many entities of the type were removed meanwhile, thousands, that the cache
///   doesn't remember whether one of the page was among them.
/// - An error of the loader, also a `CancellationError` that it throws by itself, is thrown to all who wait. ``error``
///   shows it until the next success. Nothing else is remembered: the next request calls the loader again. To retry, do
///   so in the loader.
/// - A loader can't wait for a page of its own list; see ``ListError/cyclic(_:)``.
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
    let dropsRemoved: Bool
    /// The number of protected entities from the next write on, or `nil` for no change.
    let keeps: Int?

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
