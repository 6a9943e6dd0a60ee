extension FetchQueueState {
    /// Puts announced tickets into the open batch; each batch that is full becomes a call.
    mutating func add(_ tickets: [FetchTicket<Value>], _ effects: inout FetchEffects<Value>) {
        var refused: [FetchTicket<Value>] = []
        for ticket in tickets {
            guard ticket.phase == .announcing else {
                // Nobody wants it any more; who has announced it says that it isn't loading.
                effects.ended.append(ticket)
                continue
            }
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
    /// - Returns: The batch to which the caller must give a turn; `nil` when there is none, or a timer does it.
    mutating func schedule(_ effects: inout FetchEffects<Value>) -> ScheduledTurn? {
        guard let fetcher, let batch, batch.scheduledPriority.map({ $0 < batch.priority }) ?? true else { return nil }
        let isFirst = batch.scheduledPriority == nil
        self.batch?.scheduledPriority = batch.priority
        guard let window = fetcher.batchWindow else { return ScheduledTurn(batch: batch.number, batch.priority) }
        if isFirst {
            effects.timers.append((batch.number, window, batch.priority))
        } else if let timer = batch.timer {
            effects.escalations.append((timer, batch.priority))
        }
        return nil
    }

    /// Makes calls of the open batch.
    mutating func dispatch(_ effects: inout FetchEffects<Value>) {
        guard let batch, let fetcher else { return }
        self.batch = nil
        if let timer = batch.timer { effects.cancelled.append(timer) }
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
    private func outcomeWithoutCall(of ticket: FetchTicket<Value>) -> FetchOutcome? {
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
            for waiter in ticket.waiters.values {
                guard let caller = waiter.caller else { continue }
                // The call has not begun, so that it waits for nobody.
                if call.add(waiter, of: caller) { waiter.awaited.append(call) }
            }
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
            for ticket in call.tickets where outstanding[ticket.id] === ticket { outstanding[ticket.id] = nil }
        }
        if let new {
            batch?.scheduledPriority = nil
            if let count = batch?.count, count >= new.batchLimit { dispatch(&effects) }
        } else if let tickets = batch?.tickets.filter({ $0.phase == .waiting }) {
            fail(tickets, &effects) { .noFetcher($0) }
            effects.ended += tickets
        }
    }
}

/// A turn of an executor, at the end of which a batch becomes a call.
struct ScheduledTurn {
    let batch: Int
    let priority: TaskPriority

    init(batch: Int, _ priority: TaskPriority) {
        self.batch = batch
        self.priority = priority
    }
}
