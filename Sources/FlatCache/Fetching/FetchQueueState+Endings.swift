extension FetchQueueState {
    /// Ends a ticket with an outcome that lets its waiters wait for their other entities.
    mutating func end(_ ticket: FetchTicket<Value>, _ outcome: FetchOutcome, _ effects: inout FetchEffects<Value>) {
        guard retire(ticket, &effects) else { return }
        let waiters = ticket.waiters
        ticket.waiters = [:]
        for waiter in waiters.values {
            waiter.note(outcome, of: ticket.id)
            if waiter.remaining == 0 { leave(waiter, waiter.summary, &effects) }
        }
    }

    /// Ends tickets with an error, which their waiters get at once, whatever else they wait for.
    ///
    /// - Parameter error: Makes the error of a waiter, which names those entities that it waits for.
    mutating func fail(
        _ tickets: [FetchTicket<Value>],
        _ effects: inout FetchEffects<Value>,
        _ error: ([FlatCacheKey]) -> FetchError
    ) {
        var failed: [ObjectIdentifier: (waiter: FetchWaiter<Value>, ids: Set<Value.ID>)] = [:]
        for ticket in tickets where retire(ticket, &effects) {
            for (identity, waiter) in ticket.waiters { failed[identity, default: (waiter, [])].ids.insert(ticket.id) }
        }
        for (waiter, ids) in failed.values { leave(waiter, .failure(error(waiter.keys(of: ids))), &effects) }
    }

    /// Ends the wait of one call of `fetch`; what nobody else wants is given up.
    mutating func leave(
        _ waiter: FetchWaiter<Value>,
        _ outcome: Result<Void, FetchError>,
        _ effects: inout FetchEffects<Value>
    ) {
        guard waiter.outcome == nil else { return }
        effects.end(waiter, outcome)
        let tickets = waiter.tickets
        waiter.tickets = []
        for ticket in tickets {
            let isOver = ticket.waiters.removeValue(forKey: ObjectIdentifier(waiter)) == nil
            if !isOver && !ticket.isWanted { abandon(ticket, &effects) }
        }
        effects.released.append(tickets)
    }

    /// Gives up a ticket that nobody wants any more.
    ///
    /// One that is being called for stays for others to join, as long as somebody wants something of the call.
    private mutating func abandon(_ ticket: FetchTicket<Value>, _ effects: inout FetchEffects<Value>) {
        switch ticket.phase {
        case .announcing:
            retire(ticket, &effects)
        case .waiting:
            retire(ticket, &effects)
            effects.ended.append(ticket)
        case .called:
            if let call = ticket.call { loseInterest(in: call, &effects) }
        case .ended:
            break
        }
    }

    /// Takes a ticket out of everything that it is in.
    ///
    /// - Returns: Whether it was in anything.
    @discardableResult
    private mutating func retire(_ ticket: FetchTicket<Value>, _ effects: inout FetchEffects<Value>) -> Bool {
        guard ticket.phase != .ended else { return false }
        effects.released.append(ticket)
        if outstanding[ticket.id] === ticket { outstanding[ticket.id] = nil }
        if ticket.phase == .waiting { leaveBatch(&effects) }
        ticket.phase = .ended
        if let call = ticket.call {
            effects.released.append(call)
            ticket.call = nil
            if ticket.isWanted { loseInterest(in: call, &effects) }
        }
        return true
    }

    private mutating func leaveBatch(_ effects: inout FetchEffects<Value>) {
        batch?.count -= 1
        guard let empty = batch, empty.count == 0 else { return }
        if let timer = empty.timer { effects.cancelled.append(timer) }
        effects.released.append(empty.tickets)
        batch = nil
    }

    /// Notes that one of the entities of a call isn't wanted any more, and cancels the call when that was the last.
    private mutating func loseInterest(in call: FetchCall<Value>, _ effects: inout FetchEffects<Value>) {
        call.wantedCount -= 1
        guard call.wantedCount == 0, conclude(call, &effects) else { return }
        call.isCancelled = true
        if let task = call.task { effects.cancelled.append(task) }
        let tickets = call.tickets
        call.tickets = []
        for ticket in tickets where retire(ticket, &effects) { effects.ended.append(ticket) }
    }

    /// Forgets a call.
    ///
    /// - Returns: Whether it was awaited until now.
    @discardableResult
    mutating func conclude(_ call: FetchCall<Value>, _ effects: inout FetchEffects<Value>) -> Bool {
        effects.released.append(call)
        return calls.removeValue(forKey: ObjectIdentifier(call)) != nil
    }

    /// Ends everything, because the cache is gone.
    mutating func close(_ effects: inout FetchEffects<Value>) {
        if let fetcher { effects.released.append(fetcher) }
        fetcher = nil
        for call in calls.values {
            call.isCancelled = true
            if let task = call.task { effects.cancelled.append(task) }
        }
        let tickets = calls.values.flatMap(\.tickets) + (batch?.tickets ?? []) + outstanding.values
        for call in calls.values { conclude(call, &effects) }
        // Whoever waits keeps the cache; this is for those that the compiler lets go early.
        fail(tickets, &effects) { .cancelled($0) }
    }
}
