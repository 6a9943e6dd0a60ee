/// The requests for entities of one type, changed under the lock of the queue.
///
/// A request for an entity is a ticket. It is announced to observers, waits in the open batch, and belongs to a call of the
/// fetcher, until it has an outcome or nobody wants it any more. Nothing here runs or releases user code; what there is to
/// do outside of the lock goes into the effects. Entities are known by their slots, which the tickets keep.
struct FetchQueueState<Value: Cachable> {
    var fetcher: Fetcher<Value>?
    /// The newest request for each entity, as long as others may join it.
    var outstanding: [ObjectIdentifier: FetchTicket<Value>] = [:]
    /// The requests for the next call.
    var batch: FetchBatch<Value>?
    /// The calls whose answers are awaited.
    var calls: [ObjectIdentifier: FetchCall<Value>] = [:]
    var invalidations = Invalidations<Value>()
    private var lastRequest: UInt64 = 0
    private var lastTicket: UInt64 = 0
    var lastBatch = 0
    var lastTimer = 0

    /// Joins or makes the tickets of a request.
    ///
    /// - Returns: The outcome if there is one already, and the tickets that have not been announced, by this request or by
    ///   another whose caller is still notifying observers.
    mutating func register(
        _ request: FetchRequest<Value>,
        _ effects: inout FetchEffects<Value>
    ) -> (outcome: FetchOutcome?, unannounced: [FetchTicket<Value>]) {
        if let outcome = request.outcome { return (outcome, []) }
        lastRequest += 1
        request.number = lastRequest
        guard fetcher != nil else { return (.failure(at: nil) { .noFetcher($0) }, []) }
        let joined = request.awaited.map(joinable)
        if let caller = request.caller {
            let cyclic = caller.wait(for: joined.compactMap { $0?.call?.node })
            if !cyclic.isEmpty {
                let places = joined.indices.filter {
                    joined[$0]?.call.map { cyclic.contains(ObjectIdentifier($0.node)) } ?? false
                }
                return (.failure(at: places) { .cyclic($0) }, [])
            }
        }
        var unannounced: [FetchTicket<Value>] = []
        for (position, handle) in request.awaited.enumerated() {
            let ticket = joined[position] ?? makeTicket(handle, request)
            join(ticket, request, at: position, &effects)
            if ticket.phase == .announcing { unannounced.append(ticket) }
        }
        for handle in request.refreshed {
            let ticket = joinable(handle) ?? makeTicket(handle, request)
            join(ticket, request, at: nil, &effects)
            if ticket.phase == .announcing { unannounced.append(ticket) }
        }
        return (nil, unannounced)
    }

    /// The request for an entity that a new one may join: nobody has removed or invalidated the entity since it was made.
    private func joinable(_ handle: Cached<Value>) -> FetchTicket<Value>? {
        guard let ticket = outstanding[handle.slotIdentity], !handle.slotState.isFenced(since: ticket.since) else {
            return nil
        }
        if let call = ticket.call, invalidations.declared(handle) > call.since { return nil }
        return ticket
    }

    private mutating func makeTicket(_ handle: Cached<Value>, _ request: FetchRequest<Value>) -> FetchTicket<Value> {
        lastTicket += 1
        let older = outstanding[handle.slotIdentity]
        // A removal or invalidation that the older request doesn't survive is no reason to drop the answer to this one.
        let since = older == nil ? request.since : handle.table.history.lastRevision
        let ticket = FetchTicket(number: lastTicket, handle: handle, since: since, priority: request.priority)
        outstanding[handle.slotIdentity] = ticket
        return ticket
    }

    /// Adds a request to those of a ticket.
    ///
    /// - Parameter position: The place of the entity among what is waited for; `nil` when nobody waits.
    private mutating func join(
        _ ticket: FetchTicket<Value>,
        _ request: FetchRequest<Value>,
        at position: Int?,
        _ effects: inout FetchEffects<Value>
    ) {
        if let call = ticket.call {
            if !ticket.isWanted { call.wantedCount += 1 }
            escalate(call, to: request.priority, &effects)
        } else if ticket.phase == .waiting {
            batch?.raise(to: request.priority)
        }
        ticket.priority = max(ticket.priority, request.priority)
        if let position {
            ticket.waiters[ObjectIdentifier(request)] = (request, position)
            request.tickets.append(ticket)
            request.remaining += 1
        } else {
            ticket.isRefresh = true
        }
        if position == nil || request.policy.source == .networkOnly { ticket.needsCall = true }
        if request.policy.replacesNewerWrites { ticket.replacesNewerWrites = true }
    }

    private func escalate(
        _ call: FetchCall<Value>,
        to priority: TaskPriority,
        _ effects: inout FetchEffects<Value>
    ) {
        guard priority > call.priority else { return }
        call.priority = priority
        // A call whose task isn't made yet gets the priority when it is.
        if let task = call.task { effects.escalations.append((task, priority)) }
    }
}
