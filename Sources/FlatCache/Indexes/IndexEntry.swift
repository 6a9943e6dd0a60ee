/// The entities with one key in an index, stored like an entity.
///
/// So readers, snapshots, transactions and observers treat an index like entities: a commit changes it together with the
/// entities, a body reads the state that it reads of all else, and a transaction that reads the entities of one key
/// doesn't conflict with changes of others.
@frozen @usableFromInline
struct IndexEntry<Value: Cachable, Key: Hashable & Sendable>: InternalEntity {
    @usableFromInline let id: IndexKey<Key>
    /// The identifiers of the entities, in the order of their insertion.
    @usableFromInline var members = ListTree<Value.ID>()

    /// Creates an entry without entities.
    @inlinable init(id: IndexKey<Key>) {
        self.id = id
    }
}

/// A key in one of the indexes of a table.
@frozen @usableFromInline
struct IndexKey<Key: Hashable & Sendable>: Hashable, Sendable, ComposedID {
    /// The number of the index.
    @usableFromInline let index: Int
    @usableFromInline let key: Key

    @inlinable init(index: Int, key: Key) {
        self.index = index
        self.key = key
    }

    @usableFromInline static var parts: [Any.Type] { [Key.self] }
}

/// The changes of the entities with one key.
@frozen @usableFromInline
struct IndexEntryChange<ID: Hashable & Sendable> {
    /// Entities that leave, each with its place in the order of insertion.
    @usableFromInline var removed: [(id: ID, ordinal: UInt64)] = []
    /// Stored entities that enter, each with its place in the order of insertion.
    @usableFromInline var moved: [(id: ID, ordinal: UInt64)] = []
    /// New entities, each with its place among those of the transaction.
    @usableFromInline var inserted: [(id: ID, order: UInt32)] = []

    @inlinable init() {}

    /// Makes the changes.
    ///
    /// A change that was already made has no effect.
    ///
    /// - Parameters:
    ///   - members: The identifiers of the entities.
    ///   - ordinal: Returns the place of an entity in the order of insertion. If it returns another one because a commit
    ///     has changed the entity meanwhile, that commit has also changed the members, and the changes are made again.
    @inlinable func make(in members: inout ListTree<ID>, _ ordinal: (ID) -> UInt64) {
        for (id, place) in removed {
            if let index = Self.place(of: id, place, in: members, ordinal).found { members.remove(at: index) }
        }
        for (id, place) in moved.sorted(by: { $0.ordinal < $1.ordinal }) {
            let (found, index) = Self.place(of: id, place, in: members, ordinal)
            if found == nil { members.insert([id], at: index) }
        }
        members.insert(inserted.sorted { $0.order < $1.order }.map(\.id), at: members.count)
    }

    /// The place of an identifier, or `nil` if it isn't there; and the place where it belongs.
    @inlinable static func place(
        of id: ID,
        _ place: UInt64,
        in members: ListTree<ID>,
        _ ordinal: (ID) -> UInt64
    ) -> (found: Int?, index: Int) {
        // Usually the last entity is the newest.
        if let last = members.last, ordinal(last) < place { return (nil, members.count) }
        let index = members.partition { ordinal($0) < place }
        return (index < members.count && members[index] == id ? index : nil, index)
    }
}
