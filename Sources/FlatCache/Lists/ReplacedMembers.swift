/// The entities that an observed list has under identifiers that were replaced.
///
/// A list can have such an identifier if the app has written it after the replacement. Its entity is the one with the new
/// identifier while none is stored under the old one.
final class ReplacedMembers<Value: Cachable>: @unchecked Sendable {
    // `observer` is set before other threads can access the object. The thread with the turn of the observer uses `missing`,
    // `followed` and `known`. The lock guards the others.
    private let table: Table<Value>
    private let replacements: Table<Forwarding<Value>>
    private weak var observer: (any MultiKeyObserver)?
    /// The listed identifiers under which no entity is stored.
    private var missing = KeyedValues<Value.ID, Void>()
    /// Those of them that may have been replaced.
    private var followed = KeyedValues<Value.ID, Void>()
    /// The observed slots of the identifiers that have replaced them.
    private var known: Set<SlotIdentity> = []
    private let lock = Lock()
    private var registrations: [any Registration] = []
    /// The registration for all replacements of the type.
    private var changes: (any Registration)?
    private var isFinished = false

    init(of table: Table<Value>, in cache: FlatCache) {
        self.table = table
        replacements = cache.registry.table(of: Forwarding<Value>.self).takeUnretainedValue()
    }

    /// Begins to observe replacements.
    ///
    /// - Parameter observer: The observer of the list. It owns this object.
    func begin(_ observer: any MultiKeyObserver) {
        self.observer = observer
        let registration = replacements.register(observer)
        lock.withLock { changes = registration }
    }

    /// The identifier whose replacement has changed, or `nil` if a change is another one.
    func replacedID(_ change: SlotChange) -> Value.ID? {
        change.isChange(in: replacements) ? change.id(of: Forwarding<Value>.self) : nil
    }

    /// Notes that no entity is stored under a listed identifier.
    func insert(_ id: Value.ID) {
        if missing[id] != nil { return }
        missing[id] = ()
        if table.mayForward { followed[id] = () }
    }

    /// Notes that an entity is stored under an identifier, or that it isn't listed any more.
    func remove(_ id: Value.ID) {
        missing[id] = nil
        followed[id] = nil
    }

    /// Whether an identifier may have been replaced, and no entity is stored under it.
    func follows(_ id: Value.ID) -> Bool { followed[id] != nil }

    /// Forgets all identifiers.
    func removeAll() {
        missing = KeyedValues()
        followed = KeyedValues()
        endObservations()
    }

    /// Follows all identifiers again, because replacements have changed.
    ///
    /// The observers of a replaced key are now those of the new key.
    func followAgain() {
        endObservations()
        followed = missing
    }

    /// Reads the entities of the replaced identifiers.
    ///
    /// - Parameters:
    ///   - snapshot: The state that the thread reads.
    ///   - cache: The cache.
    ///   - body: Receives each identifier with its entity.
    func forEach(in snapshot: Snapshot, _ cache: FlatCache, _ body: (Value.ID, StoredEntity<Value>?) -> Void) {
        if followed.isEmpty { return endObservations() }
        for id in followed.keys {
            var isReplaced = false
            var last = id
            var entity: StoredEntity<Value>?
            while entity == nil, let next = cache.get(Forwarding<Value>.self, id: last)?.target {
                isReplaced = true
                last = next
                entity = observe(next, from: snapshot)
            }
            if !isReplaced { followed[id] = nil }
            body(id, entity)
        }
    }

    /// Observes an entity, if it isn't observed.
    private func observe(_ id: Value.ID, from snapshot: Snapshot) -> StoredEntity<Value>? {
        let slot = table.withSlot(for: id, HashedID(id)) { SlotIdentity($0) }
        if known.contains(slot) { return snapshot.entity(of: id, in: table) }
        guard let observer else { return nil }
        let (entity, observed, registration) = table.observe(id, from: snapshot, by: observer)
        known.insert(observed)
        let isUsed = lock.withLock {
            if !isFinished { registrations.append(registration) }
            return !isFinished
        }
        if !isUsed { registration.remove() }
        return entity
    }

    private func endObservations() {
        if known.isEmpty { return }
        known = []
        let ended = lock.withLock {
            defer { registrations = [] }
            return registrations
        }
        for registration in ended { registration.remove() }
    }

    /// Ends the observation.
    func finish() {
        let ended = lock.withLock {
            isFinished = true
            defer {
                registrations = []
                changes = nil
            }
            return registrations + [changes].compactMap { $0 }
        }
        for registration in ended { registration.remove() }
    }
}
