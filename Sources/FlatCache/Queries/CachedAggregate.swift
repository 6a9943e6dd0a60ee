public import Observation

/// A value that is computed from the answer of a query, such as a sum.
///
///     let likes = cache.query(FlatCache.Query(Post.self).filter(\.authorID, equals: "7")).sum(of: \.likes)
///     likes.value                           // the sum now
///     likes.observe { sum in … }            // and whenever a commit changes it
///
/// Create aggregates with `min(of:)`, `max(of:)`, `sum(of:)` and `distinct(_:)` of a ``CachedQuery``. An aggregate is computed
/// from the entities that remain after `offset` and `limit`. Entities whose property is `nil` are left out.
///
/// ## Observation
///
/// ``observe(_:)`` and ``updates`` deliver a new value only if it differs from the one before. A commit that changes *k*
/// entities takes O(*k* log *m*) for *m* matches of the query, independent of the number of stored entities. A SwiftUI view
/// that reads ``value`` is updated when the value changes, and finds it ready when it reads it again.
///
/// In a ``FlatCache/read(_:)`` or ``FlatCache/transaction(_:)``, the value is that of the state which the body reads.
///
/// ## Thread safety
///
/// All members can be used from any thread. An aggregate doesn't keep its cache alive. After the cache is deallocated, the
/// value is that of no entities.
public final class CachedAggregate<Value: Cachable, Result: Sendable>: Sendable {
    private let reading: QueryReading<Value, Result, Result>

    init(
        _ query: FlatCache.Query<Value>,
        _ identity: QueryIdentity,
        of origin: CachedQuery<Value>,
        compute: @escaping @Sendable (QueryValues<Value>) -> Result,
        follow: @escaping @Sendable () -> QueryFold<Value, Result>
    ) {
        reading = QueryReading(
            of: query,
            identity,
            in: origin.reference,
            compute: compute,
            follow: follow,
            current: { $0 }
        )
    }

    /// Creates an aggregate that is folded from the matches, in any order.
    convenience init(
        _ query: FlatCache.Query<Value>,
        _ identity: QueryIdentity,
        of origin: CachedQuery<Value>,
        _ fold: @escaping @Sendable () -> AggregateFold<Result>
    ) {
        self.init(query, identity, of: origin) {
            fold()([], $0.allMatches).result
        } follow: {
            let fold = fold()
            return { result in
                let changes = result.matchChanges
                let (new, isChanged) = fold(changes.compactMap { $0.old }, changes.compactMap { $0.new })
                return isChanged || result.isInitial ? new : nil
            }
        }
    }

    /// The cache, or `nil` after it is deallocated.
    public var cache: FlatCache? { reading.reference.object }

    /// The value of the current answer.
    ///
    /// - Complexity: As ``CachedQuery/values``, and O(*n* log *n*) for *n* entities of the answer. O(1) if a view has read it
    ///   before.
    public var value: Result { reading.now }

    /// Calls a closure with the value, and again whenever a commit changes it.
    ///
    ///     let subscription = likes.observe { sum in show(sum) }
    ///
    /// The first call is made before this method returns. Each value is that of one state of the cache, which is newer than
    /// the state before. Commits that arrive while the closure runs are folded into one call. The closure runs on a thread
    /// that commits, with no lock held, and may read, write, subscribe and cancel.
    ///
    /// - Parameter onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    /// - Complexity: As ``value``.
    public func observe(_ onChange: @escaping @Sendable (Result) -> Void) -> CacheSubscription {
        reading.observe(onChange)
    }

    /// Calls a closure on the main actor with the value, and again whenever a commit changes it.
    ///
    ///     subscription = likes.observe(on: MainActor.shared) { [weak self] sum in self?.show(sum) }
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest value. After the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    public func observe(
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (Result) -> Void
    ) -> CacheSubscription {
        reading.observe(on: mainActor, onChange)
    }

    /// A sequence of values: the current one, then each new one.
    ///
    ///     for await sum in likes.updates { show(sum) }
    ///
    /// If commits are faster than the iterator, it skips to the newest value. The sequence doesn't keep the cache alive, and
    /// ends when the cache is deallocated.
    public var updates: CacheUpdates<Result> { reading.updates }
}

#if canImport(Combine)
extension CachedAggregate {
    /// A publisher of values: the current one, then each new one.
    public var publisher: CachePublisher<Result> { CachePublisher(in: reading.reference) { self.value } }
}
#endif

extension CachedAggregate: Observable {}

/// Computes an aggregate after matches have left the answer and others have entered it.
///
/// It has the state of one observer, and returns the new value and whether that differs from the one before.
typealias AggregateFold<Result> =
    @Sendable (_ removed: [AnyQueryMatch], _ added: [AnyQueryMatch]) -> (
        result: Result, isChanged: Bool
    )

extension CachedAggregate: CustomStringConvertible, CustomReflectable {
    /// A line with the computation and the query: `CachedAggregate<Blog.Post>: sum of \Post.likes, limit 20`.
    public var description: String { reading.description("CachedAggregate") }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
