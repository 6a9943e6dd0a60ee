/// A list of entities with a name: identifiers in an order, and live values for them.
///
///     let home = cache.list("home", of: Post.self)
///     home.append(contentsOf: page)          // stores the posts, and lists those that aren't yet, in one commit
///     home.values                            // [Post]: what the cache holds of them now, in order
///
/// A timeline, the results of a search, the members of a group: what a server gives in pages and in an order of its own.
/// The list is in the cache under its name and the type of its entities, so that all who ask for the name share it, and it
/// is part of transactions, reads and observation as entities are. It is empty until something is put into it.
///
/// A list holds each identifier once. An entity that is removed from the cache stays listed, but is none of the
/// ``values``; ``missingIDs`` names it. Entities that are removed from the list stay in the cache.
///
/// ## Observation
///
/// Observers of a list are notified when its order changes, and, if it has read values, when one of these changes: a SwiftUI view
/// that reads ``values``, the closures of ``FlatCache/observe(initial:_:onChange:)``, and ``observe(initial:_:)``, each once for a commit.
/// ``ids`` and ``count`` depend on the order alone.
///
/// ## Identity and life time
///
/// Two lists are equal when they are of the same name and type in the same cache. A list that you hold doesn't keep its
/// cache alive. Once the cache is gone the list is empty, and writes have no effect.
///
/// ## Thread safety
///
/// Everything can be called from any thread. Each method is atomic.
public struct CachedList<Value: Cachable>: Hashable, Sendable {
    @usableFromInline let handle: Cached<ListContents<Value>>

    /// Creates a list, which is empty unless something was put into the list of this name and type before.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - type: The type of its entities; can be omitted where it is inferred.
    ///   - cache: The cache that stores the list and its entities.
    /// - Complexity: O(1) on average.
    public init(_ name: String, of type: Value.Type = Value.self, in cache: FlatCache = .current) {
        handle = Cached(id: name, in: cache)
    }

    /// The name of the list.
    public var name: String { handle.id }

    /// The cache that stores the list; `nil` once it is gone.
    public var cache: FlatCache? { handle.cache }
}

extension FlatCache {
    /// Returns the list of a name, which is empty unless something was put into it before.
    ///
    ///     let home = cache.list("home", of: Post.self)
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - type: The type of its entities; lists of one name and different types are different lists.
    /// - Complexity: O(1) on average.
    public func list<Value: Cachable>(_ name: String, of type: Value.Type = Value.self) -> CachedList<Value> {
        CachedList(name, of: type, in: self)
    }
}

extension CachedList: CustomStringConvertible {
    /// The type of the entities, the name and the number: `CachedList<Blog.Post>("home"), 40 entities`.
    public var description: String {
        "CachedList<\(String(reflecting: Value.self))>(\(String(reflecting: name))), \(count) entities"
    }
}
