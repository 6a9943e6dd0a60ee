/// A request for one entity, from the first `fetch` that asks for it until everybody who waits for it knows the outcome.
final class FetchTicket<Value: Cachable>: @unchecked Sendable {  // Everything variable is guarded by the queue's lock.
    /// Grows from request to request of a type.
    let number: UInt64
    /// Keeps the slot, whose revision tells whether the entity was written or removed since.
    let handle: Cached<Value>
    /// The commit after which the entity was asked for; later writes are not overwritten.
    var since: UInt64
    var phase = Phase.announcing
    /// Who waits, and at which place the entity is among what that one waits for.
    var waiters: [ObjectIdentifier: (request: FetchRequest<Value>, position: Int)] = [:]
    /// Whether the entity is wanted although nobody waits.
    var isRefresh = false
    /// Whether the fetcher must be asked even if somebody stores the entity before.
    var needsCall = false
    var replacesNewerWrites = false
    var priority: TaskPriority
    var call: FetchCall<Value>?

    enum Phase {
        /// Not to be called for yet: observers are being notified that the entity is loading.
        case announcing
        /// In the open batch.
        case waiting
        /// The fetcher is running.
        case called
        /// The outcome is known, or nobody wants to know it any more.
        case ended
    }

    init(number: UInt64, handle: Cached<Value>, since: UInt64, priority: TaskPriority) {
        self.number = number
        self.handle = handle
        self.since = since
        self.priority = priority
    }

    deinit {
        ErasedFetchQueue.checkUnlocked()
    }

    var id: Value.ID { handle.id }

    var isWanted: Bool { isRefresh || !waiters.isEmpty }

    /// Under which circumstances an answer to this request is stored.
    var condition: WriteCondition {
        WriteCondition(since: since, replacesNewerWrites: replacesNewerWrites, isPinned: true)
    }
}

/// How a request for one entity has ended that lets its waiters wait for others.
enum TicketOutcome {
    case success
    case notFound
    case removed
}

extension Cached {
    /// Identifies the entity in its table, for as long as any handle of it lives.
    var slotIdentity: ObjectIdentifier { ObjectIdentifier(slot) }
}
