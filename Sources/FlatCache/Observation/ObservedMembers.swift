/// The entities that a stored entry names, such as a key of an index or a list, which an observer follows.
class ObservedMembers<Value: Cachable>: @unchecked Sendable {  // It has no variables; the subclass guards its own.
    /// Begins to observe the entry.
    ///
    /// - Parameter observer: The observer of the entry and the entities. It owns this object.
    /// - Returns: The registration of the observer at the entry.
    func begin(_ observer: any MultiKeyObserver) -> (any Registration)? { nil }

    /// Whether a change is that of the entry, and not of an entity.
    func isChange(_ change: SlotChange) -> Bool { false }

    /// Observes the entities that the entry names in a state, and no others any more.
    ///
    /// The observer also receives the changes that other commits have made since. It may still receive changes of entities
    /// that aren't observed any more.
    ///
    /// - Parameter snapshot: The state.
    /// - Returns: The entities that weren't observed before, the identifiers of those that aren't stored, and the slots of those
    ///   that aren't observed any more.
    func update(to snapshot: Snapshot) -> Update { ([], [], []) }

    typealias Update = (
        entered: [StoredEntity<Value>], missing: [Value.ID], left: [(id: Value.ID, slot: SlotIdentity)]
    )

    /// Whether the entity of a slot is observed.
    func contains(_ slot: SlotIdentity) -> Bool { false }

    /// The entities that the entry names in a state, all of which are observed from now on.
    func all(in snapshot: Snapshot) -> [StoredEntity<Value>] { [] }

    /// Ends the observation of the entities.
    func finish() {}
}

/// The entities that an entry of another table names.
///
/// `Member` is what the entry has of each entity: the identifier, alone or with more.
final class EntryMembers<Value: Cachable, Entry: Cachable, Member: Hashable & Sendable>:
    ObservedMembers<Value>, @unchecked Sendable
{
    // `observer` is set before other threads can access the object. The thread with the turn of the observer uses `known`
    // and `slots`. The lock guards the registrations.
    private let table: Table<Value>
    private let entries: Table<Entry>
    private let slot: Slot
    private let members: @Sendable (Entry) -> ListTree<Member>
    private let memberID: @Sendable (Member) -> Value.ID
    @exclusivity(unchecked) private weak var observer: (any MultiKeyObserver)?
    @exclusivity(unchecked) private(set) var known = ListTree<Member>()
    @exclusivity(unchecked) private var slots = KeyedValues<Value.ID, SlotIdentity>()
    private let lock = Lock()
    @exclusivity(unchecked) private var registrations: [SlotIdentity: any Registration] = [:]
    @exclusivity(unchecked) private var isFinished = false

    /// Pins an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - entries: The table of the entry.
    ///   - table: The table of the entities.
    ///   - members: Returns the entities in an entry, without use of user code.
    ///   - memberID: Returns the identifier of an entity.
    init(
        of id: Entry.ID,
        in entries: Table<Entry>,
        of table: Table<Value>,
        _ members: @escaping @Sendable (Entry) -> ListTree<Member>,
        id memberID: @escaping @Sendable (Member) -> Value.ID
    ) {
        self.table = table
        self.entries = entries
        self.members = members
        self.memberID = memberID
        slot = entries.pinnedSlot(for: id, HashedID(id))
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

    override func isChange(_ change: SlotChange) -> Bool { change.slot == SlotIdentity(slot) }

    override func contains(_ slot: SlotIdentity) -> Bool { lock.withLock { registrations[slot] != nil } }

    override func update(to snapshot: Snapshot) -> Update {
        let entry = entries.withSlot(slot) { slot.value(of: Entry.self, at: snapshot.revision) }
        let members = entry.map(members) ?? ListTree()
        if members.root === known.root { return ([], [], []) }
        let (left, entered) = members.difference(from: known)
        known = members
        let ended = left.compactMap { member in
            let id = memberID(member)
            return slots.removeValue(forKey: id).map { (id: id, slot: $0) }
        }
        let registrations = lock.withLock { ended.compactMap { self.registrations.removeValue(forKey: $0.slot) } }
        for registration in registrations { registration.remove() }
        var update: Update = ([], [], ended)
        for member in entered {
            let id = memberID(member)
            if let entity = observe(id, from: snapshot) {
                update.entered.append(entity)
            } else {
                update.missing.append(id)
            }
        }
        return update
    }

    /// Whether the entry names an entity.
    func names(_ id: Value.ID) -> Bool { slots[id] != nil }

    /// Observes an entity again, whose observers observe the one that has replaced it.
    ///
    /// - Returns: The entity in a state, or `nil` if it isn't stored there.
    func observeAgain(_ id: Value.ID, from snapshot: Snapshot) -> StoredEntity<Value>? {
        let slot = slots[id]
        let old = lock.withLock { slot.flatMap { registrations.removeValue(forKey: $0) } }
        old?.remove()
        return observe(id, from: snapshot)
    }

    override func all(in snapshot: Snapshot) -> [StoredEntity<Value>] {
        _ = update(to: snapshot)
        return known.compactMap { snapshot.entity(of: memberID($0), in: table) }
    }

    /// Observes an entity.
    ///
    /// - Returns: The entity in a state, or `nil` if it isn't stored there.
    private func observe(_ id: Value.ID, from snapshot: Snapshot) -> StoredEntity<Value>? {
        guard let observer else { return nil }
        let (entity, observed, registration) = table.observe(id, from: snapshot, by: observer)
        slots[id] = observed
        // There is an earlier registration if identifiers break the rules of `Hashable`.
        let unused = lock.withLock {
            isFinished ? registration : registrations.updateValue(registration, forKey: observed)
        }
        unused?.remove()
        return entity
    }

    override func finish() {
        let registrations = lock.withLock {
            isFinished = true
            defer { self.registrations = [:] }
            return self.registrations
        }
        for registration in registrations.values { registration.remove() }
    }
}

extension Table {
    /// Begins to observe an entity, which protects it from no limit.
    ///
    /// The observer also receives the changes that commits have made since a state.
    ///
    /// - Returns: The entity in that state, or `nil` if it isn't stored there, and its slot.
    func observe(
        _ id: Value.ID,
        from snapshot: Snapshot,
        by observer: any MultiKeyObserver
    ) -> (entity: StoredEntity<Value>?, slot: SlotIdentity, registration: any Registration) {
        var replaced: (any Sendable)?
        let observed: (StoredEntity<Value>?, SlotIdentity, any Registration) = withSlot(for: id, HashedID(id)) { slot in
            // A list or a query protects only the beginning of its entities.
            let subscription = KeySubscription(of: observer, keepsEntity: false)
            let registration = SlotRegistration(adding: subscription, to: slot, of: self)
            let entity = slot.entity(of: Value.self, at: snapshot.revision)
            if slot.revision > snapshot.revision {
                let change = SlotChange(
                    of: slot,
                    layout,
                    from: layout.entity(of: slot, at: snapshot.revision),
                    oldOrdinal: entity?.ordinal,
                    origins: CommitOrigins(.unknown),
                    isEviction: slot.isEvicted
                )
                replaced = observer.post(GatheredChanges([change]))
            }
            return (entity, SlotIdentity(slot), registration)
        }
        withExtendedLifetime(replaced) {}
        return observed
    }
}

/// The entities that any of several entries name, each by at most one.
final class JoinedMembers<Value: Cachable>: ObservedMembers<Value>, @unchecked Sendable {  // Constant.
    private let parts: [ObservedMembers<Value>]

    init(_ parts: [ObservedMembers<Value>]) {
        self.parts = parts
    }

    override func begin(_ observer: any MultiKeyObserver) -> (any Registration)? {
        Registrations(all: parts.compactMap { $0.begin(observer) })
    }

    private struct Registrations: Registration {
        let all: [any Registration]

        func remove() {
            for registration in all { registration.remove() }
        }
    }

    override func isChange(_ change: SlotChange) -> Bool { parts.contains { $0.isChange(change) } }

    override func update(to snapshot: Snapshot) -> Update {
        var all: Update = ([], [], [])
        for part in parts {
            let (entered, missing, left) = part.update(to: snapshot)
            all.entered += entered
            all.missing += missing
            all.left += left
        }
        // An entity can go from one entry to another.
        all.left.removeAll { contains($0.slot) }
        return all
    }

    override func contains(_ slot: SlotIdentity) -> Bool { parts.contains { $0.contains(slot) } }

    override func all(in snapshot: Snapshot) -> [StoredEntity<Value>] { parts.flatMap { $0.all(in: snapshot) } }

    override func finish() {
        for part in parts { part.finish() }
    }
}
