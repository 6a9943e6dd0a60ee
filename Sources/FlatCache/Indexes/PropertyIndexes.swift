internal import Synchronization

/// The indexes of a table.
final class PropertyIndexes<Value: Cachable>: MaintainedIndexes<Value>, @unchecked Sendable {
    let list: [PropertyIndex<Value>]
    private unowned let table: Table<Value>

    init(_ list: [PropertyIndex<Value>], of table: Table<Value>, _ code: IndexingCode<Value>) {
        self.list = list
        self.table = table
        let comparisons = list.compactMap { $0.comparison }
        super.init(code, list.map { $0.preparation }, comparisons.count == list.count ? comparisons : nil)
    }

    override func areKept(from old: Value?, to new: Value) -> Bool {
        guard let old else { return false }
        var place = 0
        while place < list.count {
            if !list[place].isKept(from: old, to: new) { return false }
            place += 1
        }
        return true
    }

    override func write(_ changes: [IndexedChange<Value>], isCleared: Bool, in transaction: Transaction) {
        // Several indexes can have their entries in one table.
        for index in list { index.dropChanges(isCleared: isCleared, in: transaction) }
        let built = transaction.table(table).builtIndex
        for index in list where built == nil || built === index { index.write(changes, in: transaction) }
    }
}

/// Reads the entities with some identifiers in a snapshot.
typealias IndexReader<Value: Cachable> =
    @Sendable (
        ListTree<IndexMember<Value.ID>>, Snapshot, Table<Value>
    ) -> [StoredEntity<Value>]

/// An index of a table, without the type of its keys.
class PropertyIndex<Value: Cachable>: @unchecked Sendable {  // Its variable is atomic.
    let property: any AnyKeyPath & Sendable
    /// Whether it has the entities in the order of their keys, and not by key.
    let isOrdered: Bool
    /// Makes the ordered index of the same property, or `nil` if the keys have no order.
    let inOrder: IndexMaker<Value>?
    /// The revision from which on the index has all entities, or the maximum while it is being built.
    let completeRevision = Atomic(UInt64.max)

    /// The comparison of keys under a lock, or `nil` if it may run user code.
    let comparison: KeyComparison?
    /// Prepares the changes of the entries by a commit of one entity.
    let preparation: EntryPreparation<Value>

    init(
        _ property: any AnyKeyPath & Sendable,
        isOrdered: Bool,
        inOrder: IndexMaker<Value>?,
        _ comparison: KeyComparison?,
        _ preparation: @escaping EntryPreparation<Value>
    ) {
        self.property = property
        self.isOrdered = isOrdered
        self.inOrder = inOrder
        self.comparison = comparison
        self.preparation = preparation
    }

    /// Whether an entity has the same keys before and after a commit.
    func isKept(from old: Value, to new: Value) -> Bool { false }

    /// Drops what was written into a transaction.
    func dropChanges(isCleared: Bool, in transaction: Transaction) {}

    /// Writes changes of entities into a transaction.
    func write(_ changes: [IndexedChange<Value>], in transaction: Transaction) {}

    /// The entities with a key as a body sees them, or `nil` if the key has another type, if the index isn't complete in
    /// the state that a `read` reads, or if the code of a key asks while the index updates itself.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - snapshot: The state that the body reads.
    ///   - read: Reads entities of the snapshot, in code that is specialized for the type.
    func entities(
        with key: any Hashable & Sendable,
        in snapshot: Snapshot,
        _ read: IndexReader<Value>
    ) -> [StoredEntity<Value>]? { nil }

    /// The entities with a key, for an observer, or `nil` if the key has another type, or if the index isn't complete.
    func members(with key: any Hashable & Sendable) -> ObservedMembers<Value>? { nil }

    /// The entities in the order of their keys as a body sees them, or `nil` if the index has no order, isn't complete in
    /// the state that the body reads, or is asked by the code of a key while it updates itself.
    func entitiesInOrder(in snapshot: Snapshot) -> EntitiesInOrder<Value>? { nil }

    final func isComplete(at revision: UInt64) -> Bool { revision >= completeRevision.load(ordering: .acquiring) }
}

/// Makes an index in a cache.
@usableFromInline
struct IndexMaker<Value: Cachable>: Sendable {
    let property: any AnyKeyPath & Sendable
    let isOrdered: Bool
    /// The steps of commits.
    let code: IndexingCode<Value>
    let make: @Sendable (FlatCache) -> PropertyIndex<Value>

    init(
        _ property: any AnyKeyPath & Sendable,
        isOrdered: Bool,
        _ code: IndexingCode<Value>,
        make: @escaping @Sendable (FlatCache) -> PropertyIndex<Value>
    ) {
        self.property = property
        self.isOrdered = isOrdered
        self.code = code
        self.make = make
    }
}

/// The number of indexes that were made in the process, which numbers them.
private let indexCount = Atomic(0)

/// An index of a table whose entries have one type.
class EntryIndex<Value: Cachable, Entry: IndexContents>: PropertyIndex<Value>, @unchecked Sendable {  // Constant.
    final let number: Int
    unowned final let table: Table<Value>
    unowned final let entries: Table<Entry>
    private let code: IndexCode<Value, Entry>

    init(
        _ property: any AnyKeyPath & Sendable,
        isOrdered: Bool,
        inOrder: IndexMaker<Value>?,
        _ code: IndexCode<Value, Entry>,
        in cache: FlatCache
    ) {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let entries = cache.registry.table(of: Entry.self).takeUnretainedValue()
        let number = indexCount.wrappingAdd(1, ordering: .relaxed).newValue
        self.table = table
        self.entries = entries
        self.number = number
        self.code = code
        super.init(property, isOrdered: isOrdered, inOrder: inOrder, code.areStoredEqual) {
            [unowned table, unowned entries] change in code.prepare(change, number, table, entries)
        }
    }

    override func isKept(from old: Value, to new: Value) -> Bool { code.areEqual(old, new) }

    override func dropChanges(isCleared: Bool, in transaction: Transaction) {
        transaction.table(entries).dropChanges(isCleared: isCleared)
    }

    override func write(_ changes: [IndexedChange<Value>], in transaction: Transaction) {
        code.write(changes, number, table, entries, transaction)
    }
}

/// The steps by which commits change the entries of an index, as closures, because closures are specialized for the types
/// where the index is declared, and methods of a generic object aren't.
@frozen @usableFromInline
struct IndexCode<Value: Cachable, Entry: IndexContents>: Sendable {
    /// Returns whether two entities in memory have equal keys, or is `nil` if that may run user code.
    @usableFromInline let areStoredEqual: KeyComparison?
    /// Returns whether two entities have equal keys.
    ///
    /// It may be `false` although they have.
    @usableFromInline let areEqual: @Sendable (Value, Value) -> Bool
    /// Writes changes of entities into a transaction, for the index with a number.
    @usableFromInline let write: Writer
    /// Prepares the changes of the entries by a commit of one entity, for the index with a number.
    @usableFromInline let prepare: Preparer

    @usableFromInline typealias Writer =
        @Sendable ([IndexedChange<Value>], _ number: Int, Table<Value>, Table<Entry>, Transaction) -> Void

    @usableFromInline typealias Preparer =
        @Sendable (IndexedChange<Value>, _ number: Int, Table<Value>, Table<Entry>) -> EntryWrites?

    @inlinable init(
        areStoredEqual: KeyComparison?,
        areEqual: @escaping @Sendable (Value, Value) -> Bool,
        write: @escaping Writer,
        prepare: @escaping Preparer
    ) {
        self.areStoredEqual = areStoredEqual
        self.areEqual = areEqual
        self.write = write
        self.prepare = prepare
    }
}

/// An index of a table by keys of one type.
final class KeyedIndex<Value: Cachable, Key: Hashable & Sendable>: EntryIndex<Value, IndexEntry<Value, Key>>,
    @unchecked Sendable
{
    private let keys: FlatCache.Index<Value>.Keys<Key>

    init(
        _ property: any AnyKeyPath & Sendable,
        _ keys: FlatCache.Index<Value>.Keys<Key>,
        inOrder: IndexMaker<Value>?,
        _ code: IndexCode<Value, IndexEntry<Value, Key>>,
        in cache: FlatCache
    ) {
        self.keys = keys
        super.init(property, isOrdered: false, inOrder: inOrder, code, in: cache)
    }

    override func entities(
        with key: any Hashable & Sendable,
        in snapshot: Snapshot,
        _ read: IndexReader<Value>
    ) -> [StoredEntity<Value>]? {
        guard let key = key as? Key else { return nil }
        let id = IndexKey(index: number, key: key)
        guard let transaction = snapshot.transaction else {
            if !isComplete(at: snapshot.revision) { return nil }
            let members = snapshot.value(of: id, HashedID(id), in: entries)?.members
            return members.map { read($0, snapshot, table) } ?? []
        }
        let changes = transaction.table(table)
        // Removals alone store nothing.
        let changed = changes.insertionCount == 0 ? [] : changedPlaces(with: key, of: changes, in: snapshot)
        guard let changed else { return nil }
        var found: [StoredEntity<Value>] = []
        if !isComplete(at: snapshot.revision) {
            let members = changes.isCleared ? [] : earlierMembers(of: changes, in: snapshot).ids[key] ?? []
            found = members.compactMap { changes.unchangedEntity(of: $0, in: snapshot) }
        } else if !changes.isCleared,
            let entry = transaction.table(entries).value(of: id, HashedID(id), in: snapshot)
        {
            found = entry.members.compactMap { changes.unchangedEntity(of: $0.id, in: snapshot) }
        }
        return found + changed.compactMap { changes.newEntity(at: $0, in: snapshot) }
    }

    /// The places of the entities with a key among those that a transaction has changed, or `nil` if this is called by the
    /// code of a key.
    private func changedPlaces(
        with key: Key,
        of changes: TableTransaction<Value>,
        in snapshot: Snapshot
    ) -> [Int]? {
        let changed = changes.changed(of: self) { ChangedKeys<Value, Key>() }
        return changed.places(with: key, of: changes, in: snapshot, keys)
    }

    /// The entities by key in a state from before the index was complete.
    ///
    /// They are determined once in a transaction, in time for all entities.
    private func earlierMembers(
        of changes: TableTransaction<Value>,
        in snapshot: Snapshot
    ) -> EarlierMembers<Value, Key> {
        if let known = changes.earlierKeys[ObjectIdentifier(self)] as? EarlierMembers<Value, Key> { return known }
        changes.noteReadOfAll(in: snapshot)
        var stored: [StoredEntity<Value>] = []
        snapshot.forEachPiece(in: table) {
            $0.entity(of: Value.self, at: snapshot.revision)
        } _: {
            stored += $0
        }
        let members = EarlierMembers<Value, Key>()
        for entity in stored.sorted(by: { $0.ordinal < $1.ordinal }) {
            let id = entity.value.id
            for key in keys.distinct(entity.value) where key == key { members.ids[key, default: []].append(id) }
        }
        changes.earlierKeys[ObjectIdentifier(self)] = members
        return members
    }

    override func members(with key: any Hashable & Sendable) -> ObservedMembers<Value>? {
        guard let key = key as? Key, isComplete(at: .max - 1) else { return nil }
        return EntryMembers(
            of: IndexKey(index: number, key: key),
            in: entries,
            of: table,
            { $0.members },
            id: { $0.id }
        )
    }
}

/// The identifiers of entities by key, in one state.
private final class EarlierMembers<Value: Cachable, Key: Hashable & Sendable> {
    var ids = KeyedValues<Key, [Value.ID]>()
}

extension TableTransaction {
    /// Writes the change of an entry of an index.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - change: Changes the stored entry. It may be called several times.
    @inlinable func writeEntry(_ id: Value.ID, _ change: @escaping (inout Value) -> Void) where Value: IndexContents {
        mergingEntry = { $0.mergeEntry(at: $1) }
        isOfIndex = true
        write(id, HashedID(id)) { stored in
            var entry = stored ?? Value(id: id)
            change(&entry)
            return entry
        }
    }

    /// Determines the entry of an index, which is removed if it is empty.
    @inlinable func mergeEntry(at place: Int) where Value: IndexContents {
        merge(at: place)
        guard entity(at: place)?.isEmpty == true else { return }
        var value: Value?
        exchangeEntity(at: place, &value)
    }

    /// The stored entity with an identifier, or `nil` if the transaction has changed it or it isn't stored.
    func unchangedEntity(of id: Value.ID, in snapshot: Snapshot) -> StoredEntity<Value>? {
        var place = -1
        entries.makeRoom()
        return table.withSlot(for: id, HashedID(id)) { slot in
            committedValue(of: slot, in: snapshot, &place).flatMap { _ in
                slot.confirmedEntity(of: Value.self, at: snapshot.revision)
            }
        }
    }
}

extension Snapshot {
    /// Whether the body reads confirmed entities that other readers don't see, and which indexes don't have.
    func readsBelowLayers<Value: Cachable>(of table: Table<Value>) -> Bool {
        guard transaction != nil, table.mayHaveLayers else { return false }
        // A commit of the snapshot can be about to add layers.
        settle([table])
        return table.hadLayers(after: revision)
    }

    /// The stored entity with an identifier, which a body observes from now on if its reads are observed.
    @inlinable func entity<Value: Cachable>(of id: Value.ID, in table: Table<Value>) -> StoredEntity<Value>? {
        let hash = HashedID(id)
        if isWatched { return watchedEntity(of: id, hash, in: table) }
        switch table.lockedSlotToRead(for: id, hash) {
        case .missing: return nil
        case .elsewhere: return watchedEntity(of: id, hash, in: table)
        case .found(let slot):
            defer { table.shards[hash].unlock() }
            return slot.entity(of: Value.self, at: revision)
        }
    }

    /// The stored entity with an identifier, on the slow path.
    @usableFromInline func watchedEntity<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> StoredEntity<Value>? {
        if dependencies != nil {
            return table.withSlot(for: id, hash) { slot in
                _ = notedValue(of: slot, in: table)
                return slot.entity(of: Value.self, at: revision)
            }
        }
        let (entity, reads) = table.withSlotToRead(for: id, hash) { slot, shard in
            // The place in the order of insertion of an entity that isn't in its slot yet is nowhere else.
            shard.waitForLargeCommit(publishedUpTo: revision)
            let reads = isTracked ? trackedReads(noting: slot, in: shard) : nil
            return (slot.entity(of: Value.self, at: revision), reads)
        }
        reads?.access()
        return entity
    }
}

extension Table {
    /// The place of an entity in the order of insertion, or 0 if it isn't stored.
    @inlinable func ordinal(of id: Value.ID) -> UInt64 {
        let hash = HashedID(id)
        switch lockedSlotToRead(for: id, hash) {
        case .missing: return 0
        case .elsewhere: return otherOrdinal(of: id, hash)
        case .found(let slot):
            defer { shards[hash].unlock() }
            return slot.isStored ? slot.ordinal : 0
        }
    }

    @usableFromInline func otherOrdinal(of id: Value.ID, _ hash: HashedID) -> UInt64 {
        withExistingSlot(for: id, hash) { slot, _ in slot.map { $0.isStored ? $0.ordinal : 0 } ?? 0 }
    }
}
