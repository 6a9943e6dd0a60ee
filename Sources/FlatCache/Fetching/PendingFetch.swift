/// An entity of any type, identified by its slot.
///
/// The static type is erased, so that the collections of the state machine are specialized. The queue, which has a
/// type, casts the handle back.
struct FetchEntity: Sendable {
    /// The identity of the slot in its table, valid while the handle lives.
    let slot: SlotIdentity
    /// The handle, which keeps the slot, whose revision shows whether the entity was written or removed.
    private let handle: any AnyObject & Sendable
    /// The pin if the entity is only marked, or `nil` if it is fetched.
    private let mark: (any AnyObject & Sendable)?

    init<Value>(_ handle: Cached<Value>) {
        slot = handle.slotIdentity
        self.handle = handle
        mark = nil
    }

    /// Creates one for a mark, which keeps the slot, but not the entity.
    init<Value>(marking handle: Cached<Value>) {
        slot = handle.slotIdentity
        self.handle = handle
        mark = MarkPin(handle)
    }

    /// The handle, for the queue of the entity's type.
    func handle<Value>(of type: Value.Type) -> Cached<Value> { unsafeDowncast(handle, to: Cached<Value>.self) }
}

/// The pin of a slot by a mark, so that a limit can evict the entity.
private final class MarkPin<Value: Cachable>: Sendable {
    private let handle: Cached<Value>

    init(_ handle: Cached<Value>) {
        self.handle = handle
        handle.table.withSlot(handle.slot) { handle.slot.noteMark(isNew: true) }
    }

    deinit {
        handle.table.withSlot(handle.slot) { handle.slot.noteMark(isNew: false) }
    }
}

/// The state of an entity in its shard at one moment.
///
/// A reading may be older than its event. This has the effect of an earlier event.
struct EntityReading: Sendable {
    let entity: FetchEntity
    let state: SlotState

    init(_ entity: FetchEntity, _ state: SlotState) {
        self.entity = entity
        self.state = state
    }

    /// Reads the state now, under the lock of the entity's shard.
    init<Value>(of handle: Cached<Value>) {
        self.init(FetchEntity(handle), handle.slotState)
    }
}

extension Cached {
    /// The identity of the entity in its table, valid while any handle of it lives.
    var slotIdentity: SlotIdentity { SlotIdentity(slot) }
}

/// The fetch of one entity, from the first request until all of its waiters have an outcome.
struct PendingFetch: Sendable {
    enum Phase {
        /// Observers are being notified that the entity is loading; the fetch isn't in a batch yet.
        case announcing
        /// The fetch is in the open batch.
        case batched
        /// The fetch is in a batch that is due, until it is known whether the entity needs a call.
        case starting
        /// The fetch is in a call of the fetcher.
        case called
        /// The outcome is known or no waiter is left; the fetch is kept until its call ends.
        case ended
    }

    /// The number of the fetch, which increases with each fetch of a type.
    let number: UInt64
    let entity: FetchEntity
    /// The revision of the last commit before the request; later writes are not overwritten.
    var since: UInt64
    var phase = Phase.announcing
    /// The waiters, each with the place of the entity among its awaited entities.
    var waiters: [UInt64: Int] = [:]
    /// Whether the entity is also wanted without a waiter.
    var isRefresh = false
    /// Whether the fetcher is called even if the entity is stored meanwhile.
    var needsCall = false
    var replacesNewerWrites = false
    var priority: TaskPriority
    /// The number of the call that has the fetch.
    var call: UInt64?
    /// The node of that call in the graph of calls that wait for each other.
    var node: FetchGraphNode?

    init(number: UInt64, _ entity: FetchEntity, since: UInt64, _ priority: TaskPriority) {
        self.number = number
        self.entity = entity
        self.since = since
        self.priority = priority
    }

    var isWanted: Bool { isRefresh || !waiters.isEmpty }

    /// Adds a request.
    ///
    /// - Parameter position: The place of the entity among the awaited ones, or `nil` if it is only refreshed.
    mutating func add(_ request: FetchRequest, at position: Int?) {
        priority = max(priority, request.priority)
        if let position { waiters[request.number] = position } else { isRefresh = true }
        if request.needsCall || position == nil { needsCall = true }
        if request.replacesNewerWrites { replacesNewerWrites = true }
    }

    /// The condition under which an answer to this fetch is stored.
    var condition: WriteCondition {
        WriteCondition(since: since, replacesNewerWrites: replacesNewerWrites, isPinned: true)
    }
}

extension Cached {
    /// The committed state of the entity, even during a large commit.
    ///
    /// This doesn't wait, because other threads may wait for the caller.
    var slotState: SlotState {
        shard.lock()
        defer { shard.unlock() }
        let clearedRevision = shard.clearedRevision
        guard
            let (revision, change) = shard.unmovedChange(of: Value.self, slot.id(of: Value.self), HashedID(slot), slot)
        else {
            return SlotState(
                isStored: slot.isStored,
                isConfirmed: slot.isConfirmed,
                isLoaded: slot.isLoaded,
                revision: slot.isEvicted ? 0 : slot.visibleRevision,
                clearedRevision: clearedRevision
            )
        }
        let isStored = change.value != nil
        return SlotState(
            isStored: isStored,
            isConfirmed: isStored,
            revision: revision,
            clearedRevision: clearedRevision
        )
    }
}
