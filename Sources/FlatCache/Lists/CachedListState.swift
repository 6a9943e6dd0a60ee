/// The contents of a ``CachedList`` in one state of the cache.
///
/// It is a value, which later commits don't affect.
@frozen  // Code that creates and reads it handles many entities, and is specialized for their type.
public struct CachedListState<Value: Cachable>: Sendable {
    /// The identifiers in order, including identifiers of missing entities.
    public let ids: CachedListIDs<Value.ID>

    @usableFromInline let entities: ListedEntities<Value>

    /// The state of a list after its cache is deallocated.
    @usableFromInline init() {
        ids = []
        entities = ListedEntities([], missingIDs: [])
    }

    @inlinable init(ids: CachedListIDs<Value.ID>, _ cache: FlatCache) {
        self.ids = ids
        entities = ListedEntities(ids) { cache.get(Value.self, id: $0) }
    }

    /// Creates the state of an observed list.
    init(ids: CachedListIDs<Value.ID>, _ entities: ListedEntities<Value>.ByID) {
        self.ids = ids
        self.entities = ListedEntities(entities)
    }

    /// The listed entities that are stored, in order.
    ///
    /// - Complexity: O(*n*) on average for *n* identifiers when the entities of an observed list are read for the first time,
    ///   otherwise O(1).
    @inlinable public var values: [Value] { entities.inOrder(of: ids).values }

    /// The identifiers of missing entities, in order.
    ///
    /// - Complexity: As ``values``.
    @inlinable public var missingIDs: [Value.ID] { entities.inOrder(of: ids).missingIDs }
}

extension CachedListState: PartialEquality where Value: PartialEquality {}

extension CachedListState: Equatable where Value: Equatable {
    /// Returns whether two states have the same identifiers and equal entities.
    ///
    /// - Complexity: O(*n*) for *n* identifiers.
    @inlinable public static func == (lhs: CachedListState, rhs: CachedListState) -> Bool {
        lhs.ids == rhs.ids && lhs.missingIDs == rhs.missingIDs && lhs.values == rhs.values
    }
}

extension CachedListState: Hashable where Value: Hashable {
    /// Feeds the identifiers and the entities into a hasher.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(ids)
        hasher.combine(values)
    }
}

/// The entities of a list in one state.
///
/// The state of an observed list finds them by identifier, and shares them with other states. They are put in order when they
/// are read for the first time.
@usableFromInline
final class ListedEntities<Value: Cachable>: @unchecked Sendable {
    // The lock guards `ordered`.
    private let lock = Lock()
    private var ordered: InOrder?
    @usableFromInline let byID: ByID

    @usableFromInline typealias ByID = IDTrie<Value.ID, ListedEntity<Value>>

    @usableFromInline typealias InOrder = (values: [Value], missingIDs: [Value.ID])

    @usableFromInline init(_ values: [Value], missingIDs: [Value.ID]) {
        ordered = (values, missingIDs)
        byID = IDTrie()
    }

    @inlinable convenience init(_ ids: CachedListIDs<Value.ID>, _ entity: (Value.ID) -> Value?) {
        let (values, missingIDs) = Self.inOrder(ids, entity)
        self.init(values, missingIDs: missingIDs)
    }

    init(_ byID: ByID) {
        self.byID = byID
    }

    /// The entities and the identifiers of missing ones, in the order of the list.
    @inlinable func inOrder(of ids: CachedListIDs<Value.ID>) -> InOrder {
        known ?? keep(Self.inOrder(ids) { byID[$0]?.value })
    }

    @inlinable static func inOrder(_ ids: CachedListIDs<Value.ID>, _ entity: (Value.ID) -> Value?) -> InOrder {
        var values: [Value] = []
        var missingIDs: [Value.ID] = []
        values.reserveCapacity(ids.count)
        for id in ids {
            if let value = entity(id) { values.append(value) } else { missingIDs.append(id) }
        }
        return (values, missingIDs)
    }

    @usableFromInline var known: InOrder? { lock.withLock { ordered } }

    /// Keeps the order, unless another thread has determined it meanwhile.
    @usableFromInline func keep(_ new: InOrder) -> InOrder {
        lock.withLock {
            let kept = ordered ?? new
            ordered = kept
            return kept
        }
    }
}

/// An entity that states of a list share.
@_fixed_layout @usableFromInline
final class ListedEntity<Value: Cachable>: Sendable {
    @usableFromInline let value: Value
    /// The revision of the commit that stored the entity.
    @usableFromInline let revision: UInt64

    @inlinable init(_ value: Value, _ revision: UInt64) {
        self.value = value
        self.revision = revision
    }

    /// Whether the entity and another one are equal, as far as they can be compared.
    func isEqual(to other: Value, _ equality: ValueEquality?) -> Bool {
        guard let equality else { return false }
        return withUnsafePointer(to: value) { first in
            withUnsafePointer(to: other) { second in
                equality.areEqual(UnsafeRawPointer(first), UnsafeRawPointer(second))
            }
        }
    }
}

extension CachedListState: CustomStringConvertible, CustomReflectable {
    /// A line with the type of the entities and the count: `CachedListState<Blog.Post>: 40 entities`.
    public var description: String {
        Summary.line(Summary.name("CachedListState", of: Value.self), nil, [Summary.entities(ids.count)])
    }

    /// The identifiers.
    public var customMirror: Mirror { Mirror(self, children: ["ids": ids]) }
}
