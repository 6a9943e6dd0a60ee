extension FlatCache {
    /// A question about the entities of a type: conditions, an order, and a part of the answer.
    ///
    ///     let newest = FlatCache.Query(Post.self)
    ///         .filter(\.authorID, equals: "7")
    ///         .filter { $0.likes > 10 }
    ///         .sorted(by: \.createdAt, .descending)
    ///         .limit(20)
    ///     let posts = cache.query(newest)
    ///     posts.values                      // the answer now
    ///
    /// A query is a value that refers to no cache. ``FlatCache/query(_:)`` connects it with one. Each method returns a
    /// query with one more part, and leaves the original unchanged.
    ///
    /// ## Conditions
    ///
    /// An entity matches if it meets all conditions. A condition that compares a property is equal to every condition
    /// with the same property and operand. A closure is equal only to its copies, unless
    /// ``filter(id:_:)`` gives it an identity. Two queries are equal if all their parts are.
    ///
    /// A condition or sort key may read the cache, for example `{ $0.author?.isVerified == true }`. It reads the state
    /// that the query answers. Observers of the query are also notified if such a read has another result. In the answer of the
    /// query itself it finds nothing, also by way of other queries.
    ///
    /// The reads of each entity are recorded, which costs memory, and only entities whose reads have changed are asked
    /// again. A debug build says once, on standard error, that a query reads its own answer.
    ///
    /// Conditions and sort keys should have no effects, and their results should depend only on the entity and the cache.
    /// They may be called any number of times, on any thread. No lock is held meanwhile.
    ///
    /// ## Order
    ///
    /// Entities are sorted by the first sort key, those with equal keys by the second, and so on. Entities with equal keys,
    /// or all entities if there are no keys, are in the order of their insertion. That is the order of the commits that
    /// stored them when they were missing, and the order within the commit. An entity keeps its place when it is
    /// overwritten, and gets a new one when it is stored after a removal. A transaction that removes an entity and stores it
    /// again overwrites it, if the entity was stored before the transaction.
    public struct Query<Value: Cachable>: Sendable {
        var conditions: [QueryCondition<Value>] = []
        @usableFromInline var order = QueryOrder()
        let code: QueryCode<Value>

        /// Creates a query that all entities of a type match.
        ///
        /// - Parameter type: The type of the entities; can be omitted if it is inferred.
        public init(_ type: Value.Type = Value.self) {
            self.init(QueryCode())
        }

        init(_ code: QueryCode<Value>) {
            self.code = code
        }

        /// The direction of a sort key.
        public enum Order: Hashable, Sendable {
            /// Smaller values come first.
            case ascending
            /// Greater values come first.
            case descending
        }

        /// The place of entities whose sort key is `nil`, independent of the direction.
        public enum NilPlacement: Hashable, Sendable {
            /// They come before all others.
            case first
            /// They come after all others.
            case last
        }

        /// Returns the query without the first entities of the answer.
        ///
        /// Entities are skipped before they are limited, whatever the order of the calls is. The last call counts.
        ///
        /// - Parameter count: The number of entities to skip. A negative number is 0.
        public func offset(_ count: Int) -> Query {
            var query = self
            query.order.skipped = Swift.max(count, 0)
            return query
        }

        /// Returns the query with at most a number of entities in the answer.
        ///
        /// The last call counts.
        ///
        /// - Parameter count: The maximum number of entities. A negative number is 0.
        public func limit(_ count: Int) -> Query {
            var query = self
            query.order.longest = Swift.max(count, 0)
            return query
        }
    }
}

extension FlatCache.Query: Hashable {
    /// Returns whether two queries have equal conditions, sort keys and parts of the answer.
    public static func == (lhs: FlatCache.Query<Value>, rhs: FlatCache.Query<Value>) -> Bool {
        lhs.conditions == rhs.conditions && lhs.order == rhs.order
    }

    /// Feeds the conditions, sort keys and the part of the answer into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(conditions)
        hasher.combine(order)
    }
}

extension FlatCache.Query {
    /// Whether conditions or sort keys can read a cache.
    var mayRead: Bool { conditions.contains { $0.mayRead } || order.mayRead }

    /// The match of an entity, or `nil` if it doesn't meet all conditions, which may run user code.
    func match(_ entity: StoredEntity<Value>) -> AnyQueryMatch? {
        for condition in conditions where !condition.isMet(entity.value) { return nil }
        let match = QueryMatch(entity.value, of: entity.slot, entity.revision, entity.ordinal)
        order.computeKeys(of: match)
        return match
    }

    /// The matches among entities, which may run user code.
    func matches(among entities: [StoredEntity<Value>]) -> [AnyQueryMatch] {
        let matches = code.matches(entities, conditions)
        for match in matches { order.computeKeys(of: match) }
        return matches
    }

    /// The match of the new entity of a change, or `nil` if it doesn't meet all conditions, which may run user code.
    func match(_ change: SlotChange) -> AnyQueryMatch? {
        guard let match = code.match(change, conditions) else { return nil }
        order.computeKeys(of: match)
        return match
    }
}

/// The steps of a query that use the type of the entity, as closures.
struct QueryCode<Value: Cachable>: Sendable {
    /// The match of the new entity of a change, or `nil` if it doesn't meet all conditions.
    let match: @Sendable (SlotChange, [QueryCondition<Value>]) -> AnyQueryMatch?
    /// The matches among entities, in their order.
    let matches: @Sendable ([StoredEntity<Value>], [QueryCondition<Value>]) -> [AnyQueryMatch]
    /// Reads the entities that an index finds.
    let read: IndexReader<Value>
    /// Calls a closure with all entities of a snapshot, in pieces.
    let forEachPiece: @Sendable (Snapshot, Table<Value>, ([StoredEntity<Value>]) -> Void) -> Void

    init(
        match: @escaping @Sendable (SlotChange, [QueryCondition<Value>]) -> AnyQueryMatch?,
        matches: @escaping @Sendable ([StoredEntity<Value>], [QueryCondition<Value>]) -> [AnyQueryMatch],
        read: @escaping IndexReader<Value>,
        forEachPiece: @escaping @Sendable (Snapshot, Table<Value>, ([StoredEntity<Value>]) -> Void) -> Void
    ) {
        self.match = match
        self.matches = matches
        self.read = read
        self.forEachPiece = forEachPiece
    }

    init() {
        self.init { change, conditions in
            guard let value = change.entity(of: Value.self) else { return nil }
            for condition in conditions where !condition.isMet(value) { return nil }
            return QueryMatch(value, of: change.slot, change.revision, change.ordinals.new)
        } matches: { entities, conditions in
            var matches: [AnyQueryMatch] = []
            for entity in entities where conditions.allSatisfy({ $0.isMet(entity.value) }) {
                matches.append(QueryMatch(entity.value, of: entity.slot, entity.revision, entity.ordinal))
            }
            return matches
        } read: { members, snapshot, table in
            members.compactMap { snapshot.entity(of: $0.id, in: table) }
        } forEachPiece: { snapshot, table, piece in
            snapshot.forEachPiece(in: table, piece)
        }
    }
}

/// An entity that meets the conditions of a query, in one state of the cache, without its static type.
@usableFromInline
class AnyQueryMatch: @unchecked Sendable {  // Constant, after the keys are set by the creator.
    final let slot: SlotIdentity
    /// The revision of the commit that stored the entity.
    final let revision: UInt64
    /// The place of the entity in the order of insertion.
    final let ordinal: UInt64
    /// The sort keys that aren't stored properties, because they may change while the entity doesn't.
    final fileprivate(set) var keys: [AnyQueryKey] = []

    /// The key of ``FlatCache/Query/projecting(_:)``, if it is computed.
    final var projectedKey: AnyQueryKey? { keys.last }

    init(_ slot: SlotIdentity, _ revision: UInt64, _ ordinal: UInt64) {
        self.slot = slot
        self.revision = revision
        self.ordinal = ordinal
    }
}

/// An entity that meets the conditions of a query.
@_fixed_layout @usableFromInline
final class QueryMatch<Value: Cachable>: AnyQueryMatch, @unchecked Sendable {  // Constant.
    let value: Value

    init(_ value: Value, of slot: SlotIdentity, _ revision: UInt64, _ ordinal: UInt64) {
        self.value = value
        super.init(slot, revision, ordinal)
    }
}

extension AnyQueryMatch {
    /// The entity, whose type the caller knows.
    @usableFromInline final func value<Value: Cachable>(as type: Value.Type) -> Value {
        unsafeDowncast(self, to: QueryMatch<Value>.self).value
    }
}

extension QueryOrder {
    /// Sets the computed sort keys of a new match, which may run user code.
    func computeKeys(of match: AnyQueryMatch) {
        if mayRead { match.keys = sortKeys.compactMap { $0.key?(match) } }
    }
}

extension FlatCache.Query: CustomStringConvertible, CustomReflectable {
    /// A line with the conditions and the order: `FlatCache.Query<Blog.Post>: \Post.likes in 3..., limit 20`.
    ///
    /// Of conditions that are closures, it has only the identifiers.
    ///
    /// - Complexity: O(*n*) for *n* conditions and sort keys, and the time of printing their operands.
    public var description: String { Summary.line(Summary.name("FlatCache.Query", of: Value.self), nil, facts) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FlatCache.Query {
    /// The conditions, the order and the part of the answer, as texts.
    var facts: [String?] { conditions.map { $0.text } + order.facts }
}
