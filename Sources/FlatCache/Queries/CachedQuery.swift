public import Observation

/// A ``FlatCache/Query`` in a cache, which reads its current answer.
///
///     let posts = cache.query(FlatCache.Query(Post.self).sorted(by: \.createdAt, .descending).limit(20))
///     posts.values                          // the answer now
///     posts.observe { result in … }         // and whenever a commit changes it
///
/// ## Observation
///
/// ``observe(_:)`` and ``updates`` keep the answer current. A commit costs time for the entities that it changes,
/// independent of the number of stored entities. Each result has the difference to the result before. A SwiftUI view that
/// reads ``values`` is updated when the answer changes. Later reads find the answer ready, also through other objects with
/// equal queries. Observers of equal queries in one cache share the work.
///
/// Conditions of changed entities are evaluated on the thread that commits, after all locks are released, or for
/// ``updates`` on the thread that waits for the next element. A commit that changes no entity of the type, or none with
/// the key of the index that the query uses, costs nothing.
///
/// An observed query keeps its matches, also those outside of the limit, so that an entity can come in when another one
/// leaves: about 140 bytes and a copy of the structure for each. So an observation of `sorted(by:).limit(20)` begins
/// with a read of all entities, also if an index has them in this order.
///
/// A function that reads the answer with tracking, such as the body of a view, doesn't tell when it ends. So the cache
/// keeps the answer until it has changed and changes again without having been read in between. It keeps at least 1,000
/// and at most about 2,000 such answers. The readers of older ones are notified, and read again if they still exist.
///
/// In a ``FlatCache/read(_:)`` or ``FlatCache/transaction(_:)``, the answer is that of the state which the body reads,
/// including changes of the transaction. The result of a transaction that reads a query depends on all entities of the
/// type, or on those with the key if an index answers the query. If it reads an index in order, it depends on the entities
/// that it has read, and on the indexed property of all. If another thread changes any of this meanwhile, the body runs
/// again.
///
/// ## Thread safety
///
/// All members can be used from any thread. A query doesn't keep its cache alive. After the cache is deallocated, the
/// answer is empty.
public final class CachedQuery<Value: Cachable>: Sendable {
    /// The query.
    public let query: FlatCache.Query<Value>

    private let reading: QueryReading<Value, QueryValues<Value>, QueryResult<Value>>

    /// Connects a query with a cache.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - cache: The cache.
    public init(_ query: FlatCache.Query<Value>, in cache: FlatCache = .current) {
        self.query = query
        reading = QueryReading(
            of: query,
            QueryIdentity([]),
            in: cache.reference,
            compute: { $0 },
            follow: { { $0.difference.isEmpty && !$0.isInitial ? nil : $0 } },
            current: \.values
        )
    }

    var reference: WeakReference<FlatCache> { reading.reference }

    /// The cache, or `nil` after it is deallocated.
    public var cache: FlatCache? { reference.object }

    /// The entities of the answer, in order.
    ///
    /// - Complexity: O(*n* log *m*) for *n* stored entities of the type and *m* matches, or for the *n* entities that an index
    ///   finds. O(*m* log *n*) for a limited answer of *m* entities in the order of an index. O(1) if a view has read it
    ///   before.
    public var values: QueryValues<Value> { reading.now }

    /// The identifiers of the answer, in order.
    ///
    /// - Complexity: As ``values``.
    public var ids: [Value.ID] { values.ids }

    /// The first entity of the answer, or `nil` if it is empty.
    ///
    /// - Complexity: As ``values``.
    public var first: Value? { values.first }

    /// The number of entities in the answer.
    ///
    /// - Complexity: As ``values``.
    public var count: Int { values.count }

    /// Whether the answer has no entities.
    ///
    /// - Complexity: As ``values``.
    public var isEmpty: Bool { values.isEmpty }

    /// Whether all entities of the type that were stored and not removed are in memory, so that the answer misses none.
    ///
    /// It is the current state, as ``FlatCache/isComplete(_:)`` describes. After the cache is deallocated, it is `true`.
    ///
    /// - Complexity: O(1).
    public var isComplete: Bool { cache?.isComplete(Value.self) ?? true }

    /// Removes all entities of the answer from the cache, in one commit.
    ///
    /// - Returns: The removed entities, in order.
    /// - Complexity: As ``values``, and O(*n*) for *n* entities and the observers of their keys.
    @discardableResult
    public func removeAll() -> [Value] {
        guard let cache else { return [] }
        return cache.commitTogether { cache.remove(Value.self, ids: cache.answer(of: query).ids) }
    }
}

extension CachedQuery {
    /// Calls a closure with the answer, and again whenever a commit changes it.
    ///
    ///     let subscription = posts.observe { result in show(result.values) }
    ///
    /// The first call is made before this method returns. Each result is that of one state of the cache, which is newer
    /// than the state before, and has the difference to the result before. Commits that arrive while the closure runs are
    /// folded into one call. The closure runs on a thread that commits, with no lock held, and may read, write, subscribe
    /// and cancel. Writing an equal value of an `Equatable` type doesn't notify.
    ///
    /// - Parameter onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    /// - Complexity: O(*n* log *m*) for *n* stored entities of the type and *m* matches.
    public func observe(_ onChange: @escaping @Sendable (QueryResult<Value>) -> Void) -> CacheSubscription {
        reading.observe(onChange)
    }

    /// Calls a closure on the main actor with the answer, and again whenever a commit changes it.
    ///
    ///     subscription = posts.observe(on: MainActor.shared) { [weak self] result in self?.show(result) }
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest answer. After the subscription is cancelled on the main actor, the closure is not called again. Conditions
    /// and sort keys run on the main actor too.
    ///
    /// - Parameters:
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    public func observe(
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (QueryResult<Value>) -> Void
    ) -> CacheSubscription {
        reading.observe(on: mainActor, onChange)
    }

    /// A sequence of answers: the current one, then each new one.
    ///
    ///     for await result in posts.updates { show(result.values) }
    ///
    /// If commits are faster than the iterator, it skips to the newest answer. The difference is always to the last element
    /// of the same iterator. The sequence doesn't keep the cache alive, and ends when the cache is deallocated.
    public var updates: CacheUpdates<QueryResult<Value>> { reading.updates }
}

#if canImport(Combine)
extension CachedQuery {
    /// A publisher of answers: the current one, then each new one.
    public var publisher: CachePublisher<QueryValues<Value>> { CachePublisher(in: reference) { self.values } }
}
#endif

extension CachedQuery: Observable {}

extension CachedQuery: Hashable {
    /// Returns whether two objects have equal queries and the same cache.
    public static func == (lhs: CachedQuery, rhs: CachedQuery) -> Bool {
        lhs.reference === rhs.reference && lhs.query == rhs.query
    }

    /// Feeds the query into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(query) }
}

extension CachedQuery: CustomStringConvertible, CustomReflectable {
    /// A line with the query, which isn't answered: `CachedQuery<Blog.Post>: \Post.likes in 3..., limit 20`.
    ///
    /// - Complexity: O(*n*) for *n* conditions and sort keys, and the time of printing their operands.
    public var description: String { Summary.line(Summary.name("CachedQuery", of: Value.self), nil, query.facts) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FlatCache {
    /// Connects a query with this cache.
    ///
    ///     let newest = cache.query(FlatCache.Query(Post.self).sorted(by: \.createdAt, .descending).limit(20))
    ///     for post in newest.values { … }
    ///
    /// - Parameter query: The query.
    /// - Returns: An object that reads and observes the answer.
    /// - Complexity: O(1).
    public func query<Value: Cachable>(_ query: Query<Value>) -> CachedQuery<Value> { CachedQuery(query, in: self) }
}
