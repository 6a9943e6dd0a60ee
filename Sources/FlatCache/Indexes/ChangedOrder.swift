/// The entities of an ordered index as a transaction sees them: the stored ones that it hasn't changed, and the changed ones.
///
/// It follows the log of the changes, as ``ChangedKeys``.
final class ChangedOrder<Value: Cachable, Key: Sendable> {
    private typealias Member = OrderMember<Value.ID, Key>

    /// The stored entities that aren't changed, or `nil` if they weren't needed yet.
    private(set) var unchanged: OrderEntry<Value, Key>?
    /// The changed entities, each with its place in the order of insertion as the transaction sees it.
    private(set) var changed: OrderEntry<Value, Key>
    /// The stored entity at the place of each changed one.
    private var replaced: [Int: Member] = [:]
    /// The changed entity at each place.
    private var known: [Int: Member] = [:]
    /// The places of the changed entities in the transaction by their places in the order of insertion.
    private var places: [UInt64: Int] = [:]
    /// The position in the log up to which the changes are known.
    private var position = -1
    /// Whether code of keys may be running, which can itself ask the index.
    private var isUpdating = false

    /// Creates the order of an index, by its number.
    init(of index: Int) {
        changed = OrderEntry(id: index)
    }

    /// Adds the changes that aren't known yet.
    ///
    /// It runs user code, so no lock may be held.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - snapshot: The state that the transaction reads.
    ///   - stored: The entities of the index in that state, or `nil` if the transaction has removed all of them.
    ///   - order: The order of the keys.
    /// - Returns: Whether it knows all changes. It doesn't if this is called by the code of a key.
    func update(
        to changes: TableTransaction<Value>,
        in snapshot: Snapshot,
        stored: OrderEntry<Value, Key>?,
        _ order: KeyOrder<Value, Key>
    ) -> Bool {
        if isUpdating { return false }
        isUpdating = true
        defer { isUpdating = false }
        // If a removal of all is undone, the log begins anew, so all changes replace stored entities below.
        if unchanged == nil { unchanged = stored }
        let new = changes.takeChanges(since: &position)
        if new.isEmpty { return true }
        replaceStored(by: new, of: changes, in: snapshot, order)
        updateChanged(at: new, of: changes, in: snapshot, order)
        return true
    }

    private func replaceStored(
        by places: [Int],
        of changes: TableTransaction<Value>,
        in snapshot: Snapshot,
        _ order: KeyOrder<Value, Key>
    ) {
        guard var entry = unchanged else { return }
        var (removed, inserted): ([Member], [Member]) = ([], [])
        for place in places {
            let old = replaced.isEmpty ? nil : replaced[place]
            if !changes.entries[place].isChanged {
                if let old { inserted.append(old) }
                replaced[place] = nil
            } else if old == nil, let stored = changes.storedEntity(at: place, in: snapshot) {
                let member = Member(key: order.key(stored.value), id: changes.id(at: place), ordinal: stored.ordinal)
                removed.append(member)
                replaced[place] = member
            }
        }
        if removed.isEmpty && inserted.isEmpty { return }
        order.change(&entry, removed, order.sorted(inserted), in: changes.table)
        unchanged = entry
    }

    private func updateChanged(
        at changedPlaces: [Int],
        of changes: TableTransaction<Value>,
        in snapshot: Snapshot,
        _ order: KeyOrder<Value, Key>
    ) {
        var (removed, inserted): ([Member], [Member]) = ([], [])
        for place in changedPlaces {
            let old = known.isEmpty ? nil : known[place]
            let new = changes.newEntity(at: place, in: snapshot).map { entity in
                Member(key: order.key(entity.value), id: changes.id(at: place), ordinal: entity.ordinal)
            }
            if let old, let new, old.ordinal == new.ordinal, order.compare(old.key, new.key) == 0 { continue }
            if let old {
                removed.append(old)
                if places[old.ordinal] == place { places[old.ordinal] = nil }
            }
            if let new {
                inserted.append(new)
                places[new.ordinal] = place
            }
            if old != nil || new != nil { known[place] = new }
        }
        if removed.isEmpty && inserted.isEmpty { return }
        var entry = changed
        order.change(&entry, removed, order.sorted(inserted), in: changes.table)
        changed = entry
    }

    /// The place of a changed entity in the transaction.
    func place(of member: OrderMember<Value.ID, Key>) -> Int? {
        if let place = places[member.ordinal], known[place]?.id == member.id { return place }
        // Two processes can have given two entities one place in the order of insertion.
        return known.first { $0.value.id == member.id }?.key
    }
}

extension KeyOrder {
    /// Members in their order, each of which has an ordinal.
    fileprivate func sorted(_ members: [Member]) -> [Member] {
        if members.count < 2 { return members }
        return members.sorted { first, second in
            let order = compare(first.key, second.key)
            return order == 0 ? first.ordinal < second.ordinal : order < 0
        }
    }
}

extension TableTransaction {
    /// The entity of an entry in the state that the transaction reads, or `nil` if none is stored there.
    fileprivate func storedEntity(at place: Int, in snapshot: Snapshot) -> StoredEntity<Value>? {
        let slot = entries[place].slot
        return table.withSlot(slot) { slot.entity(of: Value.self, at: snapshot.revision) }
    }

    fileprivate func id(at place: Int) -> Value.ID { entries[place].slot.id(of: Value.self) }
}
