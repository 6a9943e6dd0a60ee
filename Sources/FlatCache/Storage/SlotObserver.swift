/// An observer in the list of a slot.
protocol SlotObserver: Observer {
    /// The place in the list of the slot, which the lock of the slot's shard guards.
    var position: Int { get set }

    /// Whether the thread that commits may call the observer with a change that isn't stored. Then the observer must be
    /// an ``EntityObserver``.
    var isCalledDirectly: Bool { get }

    /// Whether the entity must not be evicted while it is observed.
    var keepsEntity: Bool { get }

    /// Whether it observes the new key from now on, if the identifier of the entity is replaced.
    var followsReplacement: Bool { get }

    /// Whether it is notified of the replacement of an identifier without an entity, because it reads the key again then.
    var readsAgain: Bool { get }

    /// Puts a change into the mailbox, or into the posts if the observer gathers changes of several keys.
    func post(_ change: SlotChange, _ posts: inout CommitPosts)

    /// Puts the changes of a commit to a table into the posts.
    func post(_ changes: GatheredChanges, _ posts: inout CommitPosts)
}

extension SlotObserver {
    var isCalledDirectly: Bool { false }

    var keepsEntity: Bool { true }

    var followsReplacement: Bool { false }

    var readsAgain: Bool { false }
}

/// The default for observers that need no task.
extension Observer {
    func mustSchedule() -> Bool { false }

    func beginScheduled() {}
}

/// A recipient of changes, until observation ends.
protocol Observer: AnyObject, Sendable {
    /// Calls the observer with the mail in its mailbox, at most twice.
    ///
    /// - Returns: Whether mail waits although no thread has the turn.
    func deliver() -> Bool

    /// Whether the caller must create a task for the waiting mail.
    func mustSchedule() -> Bool

    /// Records that the task is running.
    func beginScheduled()

    /// Ends observation, so that no call begins any more and sequences end.
    func finish()

    /// The calls of the observer.
    var calls: ObserverCalls { get }
}

/// The observers of a slot, guarded by the lock of the slot's shard, or the observers of a table, guarded by the locks
/// of all its shards, of which any one is enough to read.
@usableFromInline
final class SlotObservers {
    @exclusivity(unchecked) private(set) var list: [any SlotObserver] = []
    /// The only observer, if the thread that commits calls it, so that its change need not be stored.
    @exclusivity(unchecked) private(set) var only: (any SlotObserver)?

    func append(_ observer: any SlotObserver) {
        observer.position = list.count
        list.append(observer)
        findOnly()
    }

    private func findOnly() {
        only = list.count == 1 && list[0].isCalledDirectly ? list[0] : nil
    }

    /// Removes an observer, to which the caller has a reference, if it is in the list.
    ///
    /// The last observer takes its place, so that a removal from a million observers takes constant time.
    func remove(_ observer: any SlotObserver) {
        let position = observer.position
        guard list.indices.contains(position), list[position] === observer else { return }
        list.swapAt(position, list.count - 1)
        list[position].position = position
        list.removeLast()
        findOnly()
    }

    /// Removes the observers that meet a condition.
    ///
    /// - Returns: The removed observers, in order.
    func remove(where isRemoved: (any SlotObserver) -> Bool) -> [any SlotObserver] {
        let removed = list.filter(isRemoved)
        if removed.isEmpty { return [] }
        list.removeAll(where: isRemoved)
        for (position, observer) in list.enumerated() { observer.position = position }
        findOnly()
        return removed
    }
}

/// An entry of an observer in the list of a slot.
@usableFromInline
protocol Registration: Sendable {
    /// Removes the entry, and the slot if it isn't needed any more.
    func remove()
}

/// The entry of an observer in the list of one slot.
struct SlotRegistration: Registration {
    private let table: EntityTable
    private let slot: Slot
    private let observer: any SlotObserver

    /// Adds an observer to the list of a slot, while the lock of the slot's shard is held.
    init(adding observer: any SlotObserver, to slot: Slot, of table: EntityTable) {
        self.table = table
        self.slot = slot
        self.observer = observer
        let observers = slot.observers ?? SlotObservers()
        observers.append(observer)
        slot.setObservers(observers)
    }

    func remove() {
        var heirs = table.withSlot(slot) { slot.remove(observer) }
        if heirs.isEmpty { return }
        // Identifiers can be replaced in a circle.
        var known: Set = [slot]
        while let heir = heirs.popLast() {
            guard known.insert(heir).inserted else { continue }
            heirs += table.withSlot(heir) { heir.remove(observer, mayHaveMoved: true) }
        }
    }
}

/// The entry of an observer in the list of all slots of a table.
struct TableRegistration: Registration {
    private let table: EntityTable
    private let observer: any SlotObserver

    /// Adds an observer to the list of a table, while the locks of all shards are held.
    init(adding observer: any SlotObserver, to table: EntityTable) {
        self.table = table
        self.observer = observer
        let watchers = table.shards[0].pointer.pointee.watchers ?? SlotObservers()
        watchers.append(observer)
        for shard in table.shards.all { shard.pointer.pointee.watchers = watchers }
    }

    func remove() {
        table.withAllShards {
            let watchers = table.shards[0].pointer.pointee.watchers
            watchers?.remove(observer)
            guard watchers?.list.isEmpty == true else { return }
            for shard in table.shards.all { shard.pointer.pointee.watchers = nil }
        }
    }
}

extension EntityTable {
    /// Adds an observer of all slots.
    func register(_ observer: any MultiKeyObserver) -> any Registration {
        let observer = KeySubscription(of: observer)
        return withAllShards { TableRegistration(adding: observer, to: self) }
    }
}
