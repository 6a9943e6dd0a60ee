/// The requests for entities of one type: a plain value, changed under the lock of the queue.
///
/// A request is a ticket. It is announced to observers, waits in the open batch, and belongs to a call of the fetcher, until
/// it has an outcome or nobody wants it any more. Nothing here runs user code; what there is to do outside of the lock goes
/// into the effects.
struct FetchQueueState<Value: Cachable> {
    var fetcher: Fetcher<Value>?
    /// The newest request for each entity, as long as others may join it.
    var outstanding: [Value.ID: FetchTicket<Value>] = [:]
    /// The requests for the next call.
    var batch: FetchBatch<Value>?
    /// The calls whose answers are awaited.
    var calls: [ObjectIdentifier: FetchCall<Value>] = [:]
    var invalidations = Invalidations<Value>()
    private var lastTicket: UInt64 = 0
    var lastBatch = 0

    /// Joins or makes the tickets of a request.
    ///
    /// - Returns: The new tickets, to be announced; an error when the request can't be made.
    mutating func register(
        _ request: FetchRequest<Value>,
        in cache: FlatCache,
        _ effects: inout FetchEffects<Value>
    ) -> Result<[FetchTicket<Value>], FetchError> {
        if case .failure(let error) = request.waiter?.outcome { return .failure(error) }
        guard fetcher != nil else { return .failure(.noFetcher(request.keys)) }
        if let waiter = request.waiter {
            let cyclic = noteCaller(of: waiter, &effects)
            if !cyclic.isEmpty {
                let error = FetchError.cyclic(waiter.keys(of: cyclic))
                effects.end(waiter, .failure(error))
                return .failure(error)
            }
        }
        var new: [FetchTicket<Value>] = []
        for id in request.waiter?.ids ?? [] {
            let ticket = joinable(id) ?? makeTicket(id, request, in: cache, &new)
            join(ticket, request, &effects)
        }
        for id in request.refreshed {
            let ticket = joinable(id) ?? makeTicket(id, request, in: cache, &new)
            join(ticket, request, isRefresh: true, &effects)
        }
        return .success(new)
    }

    /// Tells the running calls that a waiter is going to join that a fetcher waits with it.
    ///
    /// - Returns: The entities whose calls wait for that fetcher themselves.
    private func noteCaller(of waiter: FetchWaiter<Value>, _ effects: inout FetchEffects<Value>) -> Set<Value.ID> {
        guard let caller = waiter.caller else { return [] }
        var cyclic: Set<Value.ID> = []
        for id in waiter.ids {
            guard let call = joinable(id)?.call else { continue }
            if call.add(waiter, of: caller) { waiter.awaited.append(call) } else { cyclic.insert(id) }
        }
        return cyclic
    }

    /// The request for an entity that a new one may join: nobody has removed or invalidated the entity since it was made.
    private func joinable(_ id: Value.ID) -> FetchTicket<Value>? {
        guard let ticket = outstanding[id], !ticket.handle.slotState.isFenced(since: ticket.since) else { return nil }
        if let call = ticket.call, invalidations.declared(id) > call.since { return nil }
        return ticket
    }

    private mutating func makeTicket(
        _ id: Value.ID,
        _ request: FetchRequest<Value>,
        in cache: FlatCache,
        _ new: inout [FetchTicket<Value>]
    ) -> FetchTicket<Value> {
        lastTicket += 1
        let handle = Cached(Value.self, id: id, in: cache)
        // A removal or invalidation that the older request doesn't survive is no reason to drop the answer to this one.
        let since = outstanding[id] == nil ? request.since : handle.table.history.lastRevision
        let ticket = FetchTicket(number: lastTicket, handle: handle, since: since, priority: request.priority)
        outstanding[id] = ticket
        new.append(ticket)
        return ticket
    }

    private mutating func join(
        _ ticket: FetchTicket<Value>,
        _ request: FetchRequest<Value>,
        isRefresh: Bool = false,
        _ effects: inout FetchEffects<Value>
    ) {
        if let call = ticket.call {
            if !ticket.isWanted { call.wantedCount += 1 }
            escalate(call, to: request.priority, &effects)
        } else if ticket.phase == .waiting {
            batch?.raise(to: request.priority)
        }
        ticket.priority = max(ticket.priority, request.priority)
        if isRefresh {
            ticket.isRefresh = true
        } else if let waiter = request.waiter {
            ticket.waiters[ObjectIdentifier(waiter)] = waiter
            waiter.tickets.append(ticket)
            waiter.remaining += 1
        }
        if isRefresh || request.options.policy == .networkOnly { ticket.needsCall = true }
        if request.options.replacesNewerWrites { ticket.replacesNewerWrites = true }
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

/// What one call of `fetch` asks the queue for.
struct FetchRequest<Value: Cachable> {
    /// Who waits, and for what; `nil` when nobody does.
    let waiter: FetchWaiter<Value>?
    /// The entities that are fetched without anybody who waits.
    let refreshed: [Value.ID]
    /// The last commit before the caller looked what is missing.
    let since: UInt64
    let options: FetchOptions
    let priority: TaskPriority

    var keys: [FlatCacheKey] {
        ((waiter?.ids ?? []) + refreshed).map { FlatCacheKey(Value.self, id: $0) }
    }
}

/// The requests that the next call of a fetcher will be for.
struct FetchBatch<Value: Cachable> {
    let number: Int
    /// The requests, with those that have ended since.
    var tickets: [FetchTicket<Value>] = []
    /// The number of those that have not.
    var count = 0
    private(set) var priority = TaskPriority.background
    /// The priority with which the end of the batch is scheduled; `nil` while it is not.
    var scheduledPriority: TaskPriority?
    /// Waits for the end of the batch window.
    var timer: Task<Void, Never>?

    init(number: Int) {
        self.number = number
    }

    mutating func append(_ ticket: FetchTicket<Value>) {
        tickets.append(ticket)
        count += 1
        raise(to: ticket.priority)
    }

    mutating func raise(to priority: TaskPriority) {
        self.priority = max(self.priority, priority)
    }
}
