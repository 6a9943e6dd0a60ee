extension FetchQueueState {
    /// Puts announced tickets into the open batch; each batch that is full becomes a call.
    mutating func add(_ tickets: [FetchTicket<Value>], _ effects: inout FetchEffects<Value>) {
        var refused: [FetchTicket<Value>] = []
        for ticket in tickets {
            // Nobody wants it any more: who has announced it says that it isn't loading.
            if ticket.phase == .ended { effects.ended.append(ticket) }
            // Another request may have announced it, too.
            guard ticket.phase == .announcing else { continue }
            guard let fetcher else {
                refused.append(ticket)
                continue
            }
            ticket.phase = .waiting
            if batch == nil {
                lastBatch += 1
                batch = FetchBatch(number: lastBatch)
            }
            batch?.append(ticket)
            if batch?.count ?? 0 >= fetcher.batchLimit { dispatch(&effects) }
        }
        fail(refused, &effects) { .noFetcher($0) }
        effects.ended += refused
    }

    /// Sees to it that the open batch becomes a call.
    ///
    /// - Parameter actor: Whose turn is the latest at which that happens; `nil` for that of the global executor.
    /// - Returns: The turn that the caller must give; `nil` when there is one, or a timer does it.
    mutating func schedule(for actor: ObjectIdentifier?, _ effects: inout FetchEffects<Value>) -> FetchTurn? {
        guard let fetcher else { return nil }
        guard let window = fetcher.batchWindow else { return batch?.turn(of: actor) }
        batch?.endAfter(window, &lastTimer, &effects)
        return nil
    }

    /// Makes calls of the open batch.
    mutating func dispatch(_ effects: inout FetchEffects<Value>) {
        guard var batch, let fetcher else { return }
        self.batch = nil
        batch.stopTimer(&effects)
        effects.released.append(batch.tickets)
        var called: [FetchTicket<Value>] = []
        for ticket in batch.tickets where ticket.phase == .waiting {
            // No longer counted by a batch.
            ticket.phase = .called
            if let outcome = outcomeWithoutCall(of: ticket) {
                end(ticket, outcome, &effects)
                effects.ended.append(ticket)
            } else {
                called.append(ticket)
            }
        }
        for start in stride(from: 0, to: called.count, by: fetcher.batchLimit) {
            let end = start + min(fetcher.batchLimit, called.count - start)
            call(fetcher, for: Array(called[start..<end]), &effects)
        }
    }

    /// What became of an entity since it was asked for, if that makes a call superfluous or futile.
    private func outcomeWithoutCall(of ticket: FetchTicket<Value>) -> TicketOutcome? {
        let state = ticket.handle.slotState
        if !ticket.needsCall && state.hasArrived(since: ticket.since) { return .success }
        // The answer would not be stored.
        return state.isFenced(since: ticket.since) ? .removed : nil
    }

    private mutating func call(
        _ fetcher: Fetcher<Value>,
        for tickets: [FetchTicket<Value>],
        _ effects: inout FetchEffects<Value>
    ) {
        guard let first = tickets.first else { return }
        let call = FetchCall(of: tickets, by: fetcher, since: first.handle.table.history.lastRevision)
        for ticket in tickets {
            ticket.call = call
            for (request, _) in ticket.waiters.values { request.caller?.wait(forNew: call.node) }
        }
        calls[ObjectIdentifier(call)] = call
        effects.calls.append(call)
    }

    /// Replaces the fetcher: the open batch is for the new one; calls of the old one can't be joined any more.
    mutating func setFetcher(_ new: Fetcher<Value>?, _ effects: inout FetchEffects<Value>) {
        if let fetcher { effects.released.append(fetcher) }
        fetcher = new
        for call in calls.values where !call.isReplaced {
            call.isReplaced = true
            for ticket in call.tickets { forget(ticket) }
        }
        batch?.unschedule(&effects)
        if let new {
            if let count = batch?.count, count >= new.batchLimit { dispatch(&effects) }
        } else if let tickets = batch?.tickets.filter({ $0.phase == .waiting }) {
            fail(tickets, &effects) { .noFetcher($0) }
            effects.ended += tickets
        }
    }

    /// Lets nobody join a ticket any more, which others keep.
    mutating func forget(_ ticket: FetchTicket<Value>) {
        let slot = ticket.handle.slotIdentity
        if outstanding[slot] === ticket { outstanding[slot] = nil }
    }
}
