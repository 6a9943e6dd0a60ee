public import Observation

/// The answer of a query in sections by a key.
///
///     let byAuthor = cache.query(FlatCache.Query(Post.self).sorted(by: \.createdAt)).grouped(by: \.authorID)
///     for section in byAuthor.sections { show(section.key, section.values) }
///     byAuthor.observe { result in … }      // and whenever a commit changes it
///
/// Create groups with ``CachedQuery/grouped(by:)``. The entities of a section are in the order of the query. Sections are
/// in the order of their first entities. So if the query is first sorted by the key, sections are in the order of their keys.
/// Sections are those of the entities that remain after `offset` and `limit`.
///
/// ## Observation
///
/// ``observe(_:)`` and ``updates`` keep the sections current. A commit that changes *k* entities takes O(*k* log *m*) for *m*
/// matches of the query, independent of the number of stored entities. Each result has the difference to the result before.
/// A SwiftUI view that reads ``sections`` is updated when they change, and finds them ready when it reads them again.
///
/// In a ``FlatCache/read(_:)`` or ``FlatCache/transaction(_:)``, the sections are those of the state which the body reads.
///
/// ## Thread safety
///
/// All members can be used from any thread. Groups don't keep their cache alive. After the cache is deallocated, there are no
/// sections.
public final class CachedGroups<Key: Hashable & Sendable, Value: Cachable>: Sendable {
    private let reading: QueryReading<Value, QuerySections<Key, Value>, GroupedResult<Key, Value>>

    init(
        _ query: FlatCache.Query<Value>,
        _ identity: QueryIdentity,
        of origin: CachedQuery<Value>,
        by names: @escaping @Sendable () -> GroupNames
    ) {
        reading = QueryReading(
            of: query,
            identity,
            in: origin.reference,
            compute: { QuerySections(QueryGroups(of: $0.allMatches, in: query.order, by: names()).ordered) },
            follow: {
                let groups = GroupedAnswer<Value>(in: query.order, by: names())
                return { result in
                    let steps = groups.apply(result)
                    if steps.isEmpty && !result.isInitial { return nil }
                    return GroupedResult(
                        sections: QuerySections(steps.new),
                        difference: GroupedDifference(steps),
                        revision: result.revision,
                        isInitial: result.isInitial,
                        commitOrigins: result.commitOrigins
                    )
                }
            },
            current: \.sections
        )
    }

    /// The cache, or `nil` after it is deallocated.
    public var cache: FlatCache? { reading.reference.object }

    /// The sections of the current answer, in order.
    ///
    /// - Complexity: As ``CachedQuery/values``.
    public var sections: QuerySections<Key, Value> { reading.now }

    /// Calls a closure with the sections, and again whenever a commit changes them.
    ///
    ///     let subscription = byAuthor.observe { result in show(result.sections) }
    ///
    /// The first call is made before this method returns. Each result is that of one state of the cache, which is newer than
    /// the state before, and has the difference to the result before. Commits that arrive while the closure runs are folded
    /// into one call. The closure runs on a thread that commits, with no lock held, and may read, write, subscribe and cancel.
    ///
    /// - Parameter onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    /// - Complexity: As ``CachedQuery/observe(_:)``.
    public func observe(_ onChange: @escaping @Sendable (GroupedResult<Key, Value>) -> Void) -> CacheSubscription {
        reading.observe(onChange)
    }

    /// Calls a closure on the main actor with the sections, and again whenever a commit changes them.
    ///
    ///     subscription = byAuthor.observe(on: MainActor.shared) { [weak self] result in self?.show(result) }
    ///
    /// If this method is called on the main actor, the first call is made before it returns. A commit on the main actor
    /// calls the closure before the commit returns. After commits on other threads, one task calls the closure with the
    /// newest sections. After the subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    public func observe(
        on mainActor: MainActor,
        _ onChange: @escaping @MainActor (GroupedResult<Key, Value>) -> Void
    ) -> CacheSubscription {
        reading.observe(on: mainActor, onChange)
    }

    /// A sequence of answers: the current one, then each new one.
    ///
    ///     for await result in byAuthor.updates { show(result.sections) }
    ///
    /// If commits are faster than the iterator, it skips to the newest answer. The difference is always to the last element
    /// of the same iterator. The sequence doesn't keep the cache alive, and ends when the cache is deallocated.
    public var updates: CacheUpdates<GroupedResult<Key, Value>> { reading.updates }
}

#if canImport(Combine)
extension CachedGroups {
    /// A publisher of sections: the current ones, then each new ones.
    public var publisher: CachePublisher<QuerySections<Key, Value>> {
        CachePublisher(in: reading.reference) { self.sections }
    }
}
#endif

extension CachedGroups: Observable {}

extension CachedQuery {
    /// The answer in sections of entities whose property has the same value.
    ///
    ///     cache.query(FlatCache.Query(Post.self).sorted(by: \.authorID).sorted(by: \.createdAt)).grouped(by: \.authorID)
    ///
    /// Sections are in the order of their first entities. Entities whose property is `nil` are a section, and so are those
    /// whose property isn't equal to itself, as NaN.
    ///
    /// - Parameter property: The property. It may read the cache.
    /// - Returns: An object that reads and observes the sections.
    /// - Complexity: O(1).
    public func grouped<Key: Hashable & Sendable>(
        by property: any KeyPath<Value, Key> & Sendable
    ) -> CachedGroups<Key, Value> {
        let projection = query.projecting(property)
        return CachedGroups(projection.query, projection.identity(.sections), of: self) {
            GroupNames(projection) { $0 }
        }
    }

    /// The different values of a property in the answer, in the order of the first entities that have them.
    ///
    ///     posts.distinct(\.authorID).value
    ///
    /// - Parameter property: The property. It may read the cache.
    /// - Returns: An object that reads and observes the values. Another order of the values is a change, too.
    /// - Complexity: O(1).
    public func distinct<Property: Hashable & Sendable>(
        _ property: any KeyPath<Value, Property> & Sendable
    ) -> CachedAggregate<Value, DistinctValues<Property>> {
        let projection = query.projecting(property)
        return distinct(in: projection.query, projection.identity(.different)) { GroupNames(projection) { $0 } }
    }

    /// The different values of an optional property in the answer, in the order of the first entities that have them.
    ///
    /// - Parameter property: The property. It may read the cache. Entities without a value are left out.
    /// - Returns: An object that reads and observes the values. Another order of the values is a change, too.
    /// - Complexity: O(1).
    public func distinct<Property: Hashable & Sendable>(
        _ property: any KeyPath<Value, Property?> & Sendable
    ) -> CachedAggregate<Value, DistinctValues<Property>> {
        let projection = query.projecting(property)
        return distinct(in: projection.query, projection.identity(.different)) { GroupNames(projection) { $0 } }
    }

    func distinct<Property: Hashable & Sendable>(
        in query: FlatCache.Query<Value>,
        _ identity: QueryIdentity,
        by names: @escaping @Sendable () -> GroupNames
    ) -> CachedAggregate<Value, DistinctValues<Property>> {
        CachedAggregate(query, identity, of: self) {
            DistinctValues(QueryGroups(of: $0.allMatches, in: query.order, by: names()).ordered)
        } follow: {
            let groups = GroupedAnswer<Value>(in: query.order, by: names())
            return { result in
                let steps = groups.apply(result)
                return steps.sections.isEmpty && !result.isInitial ? nil : DistinctValues(steps.new)
            }
        }
    }
}

/// The groups of one observer.
private final class GroupedAnswer<Value: Cachable>: @unchecked Sendable {  // Used by the thread with the turn alone.
    private var groups: QueryGroups
    private let order: QueryOrder
    private let names: GroupNames

    init(in order: QueryOrder, by names: GroupNames) {
        self.order = order
        self.names = names
        groups = QueryGroups(in: order, by: names)
    }

    /// Applies the difference of an answer, or groups the first answer.
    func apply(_ result: QueryResult<Value>) -> GroupSteps {
        if result.isInitial {
            groups = QueryGroups(of: result.values.allMatches, in: order, by: names)
            return GroupSteps(old: groups.ordered, new: groups.ordered)
        }
        return groups.make(result.matchChanges)
    }
}

extension CachedGroups: CustomStringConvertible, CustomReflectable {
    /// A line with the property and the query: `CachedGroups<Blog.Post>: by \Post.authorID, limit 20`.
    public var description: String { reading.description("CachedGroups") }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
