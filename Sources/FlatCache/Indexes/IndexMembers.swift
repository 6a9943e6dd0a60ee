/// The entities with one key of an index, which an observer follows.
class IndexMembers<Value: Cachable>: @unchecked Sendable {  // It has no variables; the subclass guards its own.
    /// Begins to observe the key.
    ///
    /// - Parameter observer: The observer of the key and the entities. It owns this object.
    /// - Returns: The entry of the observer at the key.
    func begin(_ observer: any MultiKeyObserver) -> (any Registration)? { nil }

    /// Whether a change is that of the key, and not of an entity.
    func isChange(_ change: any SlotChange) -> Bool { false }

    /// Observes the entities with the key in a state, and no others any more.
    ///
    /// The observer also receives the changes that other commits have made since. It may still receive changes of entities
    /// that aren't observed any more.
    ///
    /// - Parameter snapshot: The state.
    /// - Returns: The entities that weren't observed before, and the slots of those that aren't observed any more.
    func update(to snapshot: Snapshot) -> (entered: [StoredEntity<Value>], left: [SlotIdentity]) { ([], []) }

    /// Whether the entity of a slot is observed.
    func contains(_ slot: SlotIdentity) -> Bool { false }

    /// The entities with the key in a state, all of which are observed from now on.
    func all(in snapshot: Snapshot) -> [StoredEntity<Value>] { [] }

    /// Ends the observation of the entities.
    func finish() {}
}

/// The entities with one key of an index.
final class KeyedMembers<Value: Cachable, Key: Hashable & Sendable>: IndexMembers<Value>, @unchecked Sendable {
    // `observer` is set before other threads can access the object. The thread with the turn of the observer uses `known`
    // and `slots`. The lock guards the registrations.
    private let table: Table<Value>
    private let entries: Table<IndexEntry<Value, Key>>
    private let slot: Slot<IndexEntry<Value, Key>>
    private weak var observer: (any MultiKeyObserver)?
    private var known = ListTree<Value.ID>()
    private var slots: Set<SlotIdentity> = []
    private let lock = Lock()
    private var registrations = KeyedValues<Value.ID, (slot: SlotIdentity, entry: any Registration)?>()
    private var isFinished = false

    /// Pins the entry of a key.
    init(of key: IndexKey<Key>, in entries: Table<IndexEntry<Value, Key>>, of table: Table<Value>) {
        self.table = table
        self.entries = entries
        slot = entries.pinnedSlot(for: key, HashedID(key))
    }

    deinit {
        entries.unpin(slot)
    }

    override func begin(_ observer: any MultiKeyObserver) -> (any Registration)? {
        self.observer = observer
        return entries.withSlot(slot) {
            SlotRegistration(adding: KeySubscription(of: observer), to: slot, of: entries)
        }
    }

    override func isChange(_ change: any SlotChange) -> Bool { change.slotIdentity == SlotIdentity(slot) }

    override func contains(_ slot: SlotIdentity) -> Bool { slots.contains(slot) }

    override func update(to snapshot: Snapshot) -> (entered: [StoredEntity<Value>], left: [SlotIdentity]) {
        let members = entries.withSlot(slot) { slot.value(at: snapshot.revision)?.members } ?? ListTree()
        let (left, entered) = members.difference(from: known)
        known = members
        let removed = lock.withLock { left.compactMap { registrations.removeValue(forKey: $0) ?? nil } }
        for (slot, entry) in removed {
            slots.remove(slot)
            entry.remove()
        }
        return (entered.compactMap { observe($0, from: snapshot) }, removed.map(\.slot))
    }

    override func all(in snapshot: Snapshot) -> [StoredEntity<Value>] {
        _ = update(to: snapshot)
        return known.compactMap { snapshot.entity(of: $0, in: table) }
    }

    /// Observes an entity.
    ///
    /// - Returns: The entity in a state, or `nil` if it isn't stored there.
    private func observe(_ id: Value.ID, from snapshot: Snapshot) -> StoredEntity<Value>? {
        guard let observer else { return nil }
        var replaced: (any Sendable)?
        let (entity, registration): (StoredEntity<Value>?, (slot: SlotIdentity, entry: any Registration)) =
            table.withSlot(for: id, HashedID(id)) { slot in
                let registration = SlotRegistration(adding: KeySubscription(of: observer), to: slot, of: table)
                let entity = slot.entity(at: snapshot.revision)
                if slot.revision > snapshot.revision {
                    let change = EntityChange(
                        of: slot,
                        from: entity?.value,
                        to: slot.copy,
                        revision: slot.revision,
                        origins: CommitOrigins(.unknown),
                        isInitial: false
                    )
                    let ordinals = (entity?.ordinal ?? slot.ordinal, slot.ordinal)
                    replaced = observer.post(GatheredChanges([PendingChange(change, table.equality, ordinals)]))
                }
                return (entity, (SlotIdentity(slot), registration))
            }
        withExtendedLifetime(replaced) {}
        slots.insert(registration.slot)
        // There is an earlier registration if identifiers break the rules of `Hashable`.
        let unused: (any Registration)? = lock.withLock {
            if isFinished { return registration.entry }
            // One access, because two could find different entries.
            var earlier: (slot: SlotIdentity, entry: any Registration)? = registration
            swap(&earlier, &registrations[id, default: nil])
            return earlier?.entry
        }
        unused?.remove()
        return entity
    }

    override func finish() {
        let registrations = lock.withLock {
            isFinished = true
            defer { self.registrations = KeyedValues() }
            return self.registrations
        }
        for registration in registrations.values { registration?.entry.remove() }
    }
}
