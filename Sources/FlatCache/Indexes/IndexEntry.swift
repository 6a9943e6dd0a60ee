/// A part of an index, stored like an entity.
@usableFromInline
protocol IndexContents: InternalEntity {
    /// Creates a part without entities.
    init(id: ID)

    /// Whether it has no entities.
    var isEmpty: Bool { get }
}

/// The entities with one key in an index, stored like an entity.
///
/// So readers, snapshots, transactions and observers treat an index like entities: a commit changes it together with the
/// entities, a body reads the state that it reads of all else, and a transaction that reads the entities of one key
/// doesn't conflict with changes of others.
@frozen @usableFromInline
struct IndexEntry<Value: Cachable, Key: Hashable & Sendable>: IndexContents {
    @usableFromInline let id: IndexKey<Key>
    /// The entities, in the order of their insertion.
    @usableFromInline var members = ListTree<IndexMember<Value.ID>>()

    /// Creates an entry without entities.
    @inlinable init(id: IndexKey<Key>) {
        self.id = id
    }

    @inlinable var isEmpty: Bool { members.isEmpty }
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

    static var parts: [Any.Type] { [Key.self] }
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
    @inlinable func make<Value, Key>(in entry: inout IndexEntry<Value, Key>, of table: Table<Value>)
    where Value.ID == ID {
        for (id, ordinal) in removed { entry.remove(id, ordinal, of: table) }
        for (id, ordinal) in moved.sorted(by: { $0.ordinal < $1.ordinal }) { entry.insert(id, ordinal, of: table) }
        entry.append(inserted.sorted { $0.order < $1.order }.map { $0.id })
    }
}

/// An entity in an entry of an index.
@frozen @usableFromInline
struct IndexMember<ID: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline let id: ID
    /// The place of the entity in the order of insertion, or 0 if it wasn't known when the entry was made.
    @usableFromInline let ordinal: UInt64

    @inlinable init(id: ID, ordinal: UInt64) {
        self.id = id
        self.ordinal = ordinal
    }

    @inlinable static func == (lhs: IndexMember, rhs: IndexMember) -> Bool { lhs.id == rhs.id }

    @inlinable func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension IndexEntry {
    /// The identifiers of the entities, in the order of their insertion.
    @inlinable var ids: [Value.ID] { members.map { $0.id } }

    /// Removes an entity, if it is a member.
    @inlinable mutating func remove(_ id: Value.ID, _ ordinal: UInt64, of table: Table<Value>) {
        let (found, _) = place(of: id, ordinal, of: table)
        if let found { members.remove(at: found) }
    }

    /// Adds a stored entity at its place in the order of insertion, if it isn't a member.
    @inlinable mutating func insert(_ id: Value.ID, _ ordinal: UInt64, of table: Table<Value>) {
        let (found, index) = place(of: id, ordinal, of: table)
        if found == nil { members.insert([IndexMember(id: id, ordinal: ordinal)], at: index) }
    }

    /// Adds new entities in their order.
    @inlinable mutating func append(_ ids: [Value.ID]) {
        members.insert(ids.map { IndexMember(id: $0, ordinal: 0) }, at: members.count)
    }

    /// The place of an entity, or `nil` if it isn't a member; and the place where it belongs.
    @inlinable func place(
        of id: Value.ID,
        _ ordinal: UInt64,
        of table: Table<Value>
    ) -> (found: Int?, index: Int) {
        // Usually the last entity is the newest.
        if let last = members.last, Self.ordinal(of: last, in: table) < ordinal { return (nil, members.count) }
        let index = members.partition { Self.ordinal(of: $0, in: table) < ordinal }
        var found = index
        while found < members.count {
            if members[found].id == id { return (found, index) }
            // Two processes can have given two entities one place.
            if Self.ordinal(of: members[found], in: table) != ordinal { break }
            found += 1
        }
        return (nil, index)
    }

    /// The place of a member in the order of insertion.
    ///
    /// If it is another one than before because a commit has changed the entity meanwhile, that commit has also changed the
    /// entry, and the changes are made again.
    @inlinable static func ordinal(of member: IndexMember<Value.ID>, in table: Table<Value>) -> UInt64 {
        member.ordinal == 0 ? table.ordinal(of: member.id) : member.ordinal
    }
}
