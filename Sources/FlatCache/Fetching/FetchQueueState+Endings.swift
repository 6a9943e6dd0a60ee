extension FetchQueueState {
    /// Ends a ticket with an outcome that lets its waiters wait for their other entities.
    mutating func end(_ ticket: FetchTicket<Value>, _ outcome: TicketOutcome, _ effects: inout FetchEffects<Value>) {
        for (request, position) in retire(ticket, &effects) {
            request.note(outcome, at: position)
            if request.remaining == 0 { leave(request, request.summary, &effects) }
        }
    }

    /// Ends tickets with an error, which their waiters get at once, whatever else they wait for.
    ///
    /// - Parameter error: Makes the error of a waiter, which names those entities that it waits for.
    mutating func fail(
        _ tickets: [FetchTicket<Value>],
        _ effects: inout FetchEffects<Value>,
        _ error: @escaping @Sendable ([FlatCacheKey]) -> FetchError
    ) {
        var failed: [ObjectIdentifier: (request: FetchRequest<Value>, positions: [Int])] = [:]
        for ticket in tickets {
            for (request, position) in retire(ticket, &effects) {
                failed[ObjectIdentifier(request), default: (request, [])].positions.append(position)
            }
        }
        for (request, positions) in failed.values { leave(request, .failure(at: positions, error), &effects) }
    }

    /// Ends the wait of one call of `fetch`; what nobody else wants is given up.
    mutating func leave(
        _ request: FetchRequest<Value>,
        _ outcome: FetchOutcome,
        _ effects: inout FetchEffects<Value>
    ) {
        guard request.outcome == nil else { return }
        effects.end(request, outcome)
        let tickets = request.tickets
        request.tickets = []
        effects.released.append(tickets)
        for ticket in tickets where ticket.waiters.removeValue(forKey: ObjectIdentifier(request)) != nil {
            endWait(of: request, for: ticket)
            if !ticket.isWanted { abandon(ticket, &effects) }
        }
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
    /// - Returns: Those who have waited for it.
    @discardableResult
    private mutating func retire(
        _ ticket: FetchTicket<Value>,
        _ effects: inout FetchEffects<Value>
    ) -> [(request: FetchRequest<Value>, position: Int)] {
        guard ticket.phase != .ended else { return [] }
        effects.released.append(ticket)
        forget(ticket)
        if ticket.phase == .waiting { leaveBatch(&effects) }
        ticket.phase = .ended
        let waiters = Array(ticket.waiters.values)
        for (request, _) in waiters { endWait(of: request, for: ticket) }
        let wasWanted = ticket.isWanted
        ticket.waiters = [:]
        if let call = ticket.call {
            effects.released.append(call)
            ticket.call = nil
            if wasWanted { loseInterest(in: call, &effects) }
        }
        return waiters
    }

    /// Notes that a call of a fetcher doesn't wait for an entity any more.
    private func endWait(of request: FetchRequest<Value>, for ticket: FetchTicket<Value>) {
        if let caller = request.caller, let call = ticket.call { caller.endWait(for: call.node) }
    }

    private mutating func leaveBatch(_ effects: inout FetchEffects<Value>) {
        batch?.removeOne(&effects)
        guard var empty = batch, empty.count == 0 else { return }
        empty.stopTimer(&effects)
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
        effects.released.append(tickets)
        for ticket in tickets where ticket.phase != .ended {
            retire(ticket, &effects)
            effects.ended.append(ticket)
        }
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
        invalidations.insertAll(0, &effects)
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
