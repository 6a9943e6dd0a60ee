/// An index of a table that has the entities in the order of keys of one type.
final class OrderedIndex<Value: Cachable, Key: Sendable>: EntryIndex<Value, OrderEntry<Value, Key>>, @unchecked Sendable
{
    // Its constants are set before other threads can access it.
    private let order: KeyOrder<Value, Key>
    private let read: OrderReader<Value, Key>

    init(
        _ property: any AnyKeyPath & Sendable,
        _ order: KeyOrder<Value, Key>,
        _ code: IndexCode<Value, OrderEntry<Value, Key>>,
        _ read: @escaping OrderReader<Value, Key>,
        in cache: FlatCache
    ) {
        self.order = order
        self.read = read
        super.init(property, isOrdered: true, inOrder: nil, code, in: cache)
    }

    override func entitiesInOrder(in snapshot: Snapshot) -> EntitiesInOrder<Value>? {
        guard isComplete(at: snapshot.revision) else { return nil }
        guard let changes = snapshot.transaction?.table(table) else {
            let entry = snapshot.value(of: number, HashedID(number), in: entries) ?? OrderEntry(id: number)
            // Keys without a consistent order can leave an entity at several places.
            let canRepeat = order.areStoredEqual == nil
            return EntitiesInOrderOfKeys(entry, order, canRepeat: canRepeat) { [read, table] in
                read($0, entry, snapshot, table)
            }
        }
        let state = changes.changed(of: self) { ChangedOrder<Value, Key>(of: number) }
        let stored =
            changes.isCleared
            ? nil : snapshot.value(of: number, HashedID(number), in: entries) ?? OrderEntry(id: number)
        guard state.update(to: changes, in: snapshot, stored: stored, order) else { return nil }
        let unchanged = changes.isCleared ? OrderEntry(id: number) : state.unchanged ?? OrderEntry(id: number)
        let changed = state.changed
        let entities = EntitiesInOrderOfKeys(changed, order, canRepeat: true) {
            changed.members.elements(in: $0).compactMap {
                state.place(of: $0).flatMap { changes.newEntity(at: $0, in: snapshot) }
            }
        }
        return EntitiesInOrderOfKeys(unchanged, order, canRepeat: true, changed: changed.isEmpty ? nil : entities) {
            unchanged.members.elements(in: $0).compactMap { changes.unchangedEntity(of: $0.id, in: snapshot) }
        }
    }
}

/// Reads the entities at places of an entry in a snapshot.
@usableFromInline typealias OrderReader<Value: Cachable, Key: Sendable> =
    @Sendable (
        Range<Int>, OrderEntry<Value, Key>, Snapshot, Table<Value>
    ) -> [StoredEntity<Value>]

extension IndexMaker {
    /// Makes an ordered index.
    @inlinable init<Key>(_ property: any AnyKeyPath & Sendable, _ order: KeyOrder<Value, Key>) {
        // These closures are specialized for the types.
        let code = IndexCode<Value, OrderEntry<Value, Key>>(areStoredEqual: order.areStoredEqual) {
            order.compare(order.key($0), order.key($1)) == 0
        } write: {
            order.write($0, $1, $2, $3, $4)
        } prepare: {
            order.prepare($0, $1, $2, $3)
        }
        self.init(property, order, code, IndexingCode()) { order.read($0, of: $1, in: $2, $3) }
    }

    @usableFromInline init<Key>(
        _ property: any AnyKeyPath & Sendable,
        _ order: KeyOrder<Value, Key>,
        _ entryCode: IndexCode<Value, OrderEntry<Value, Key>>,
        _ code: IndexingCode<Value>,
        _ read: @escaping OrderReader<Value, Key>
    ) {
        self.init(property, isOrdered: true, code) { OrderedIndex(property, order, entryCode, read, in: $0) }
    }
}

/// The entities of an ordered index in the state that a body reads.
class EntitiesInOrder<Value: Cachable> {
    /// The entities that the transaction of the body has changed, which aren't among the others; or `nil` if there are none.
    let changed: EntitiesInOrder?

    fileprivate init(changed: EntitiesInOrder?) {
        self.changed = changed
    }

    /// The number of entities.
    var count: Int { 0 }

    /// The places of the entities whose keys are in ranges, or of all that have a key if there are no ranges.
    ///
    /// - Parameter bounds: The ``QueryBounds`` of the ranges.
    /// - Returns: The places, or `nil` for bounds of another type.
    func places(in bounds: [any Sendable]) -> Range<Int>? { nil }

    /// The place of the first entity that has an equal key.
    func firstPlace(withKeyAt place: Int) -> Int { place }

    /// The place after the last entity that has an equal key.
    func endPlace(withKeyAt place: Int) -> Int { place + 1 }

    /// The entities at places.
    func read(_ places: Range<Int>) -> [StoredEntity<Value>] { [] }
}

private final class EntitiesInOrderOfKeys<Value: Cachable, Key: Sendable>: EntitiesInOrder<Value> {
    private let entry: OrderEntry<Value, Key>
    private let order: KeyOrder<Value, Key>
    private let reader: (Range<Int>) -> [StoredEntity<Value>]
    /// The entities that were read, or `nil` if none can be found twice.
    private var known: Set<SlotIdentity>?

    /// Creates the entities of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - order: The order of the keys.
    ///   - canRepeat: Whether an entity can be at several places.
    ///   - changed: The entities that the transaction has changed.
    ///   - reader: Returns the entities at places of the entry.
    init(
        _ entry: OrderEntry<Value, Key>,
        _ order: KeyOrder<Value, Key>,
        canRepeat: Bool,
        changed: EntitiesInOrder<Value>? = nil,
        _ reader: @escaping (Range<Int>) -> [StoredEntity<Value>]
    ) {
        self.entry = entry
        self.order = order
        self.reader = reader
        known = canRepeat ? [] : nil
        super.init(changed: changed)
    }

    override var count: Int { entry.members.count }

    override func places(in bounds: [any Sendable]) -> Range<Int>? {
        var places = order.places(entry, nil)
        for bounds in bounds { places = order.places(entry, bounds).flatMap { places?.clamped(to: $0) } }
        return places
    }

    override func firstPlace(withKeyAt place: Int) -> Int {
        let key = entry.members[place].key
        if place == 0 || order.compare(entry.members[place - 1].key, key) != 0 { return place }
        return min(place, entry.members.partition { order.compare($0.key, key) < 0 })
    }

    override func endPlace(withKeyAt place: Int) -> Int {
        let key = entry.members[place].key
        return max(place + 1, entry.members.partition { order.compare($0.key, key) <= 0 })
    }

    override func read(_ places: Range<Int>) -> [StoredEntity<Value>] {
        let entities = reader(places)
        return known == nil ? entities : entities.filter { known?.insert($0.slot).inserted == true }
    }
}
