/// The entities of one type that an answer brings, and what is to be done about them and about those that it should have
/// brought.
final class FetchedEntities<Value: Cachable>: FetchedPart, @unchecked Sendable {  // Used by the answer's owner alone.
    var values: [Value] = []
    /// The requests that the fetcher was called for, if they are for this type.
    var requested: [FetchTicket<Value>] = []
    private var arrivals: [Arrival] = []
    private var omissions: [Omission] = []
    private var target: Target?

    /// Where the entities are stored.
    private struct Target {
        let cache: FlatCache
        let table: Table<Value>
        let queue: FetchQueue<Value>?
        /// The commit after which the fetcher was called.
        let since: UInt64
    }

    private struct Arrival {
        let value: Value
        let id: Value.ID
        let hash: HashedID
        /// `nil` if nobody can wait for entities of the type.
        let handle: Cached<Value>?
        var condition: WriteCondition
        /// The requests that this is the answer to, none for an entity that the fetcher was not asked for; several, when
        /// the entity was removed and stored again while the first of them waited for its batch.
        let tickets: [FetchTicket<Value>]
        /// A request for the same entity that another call, or a call to come, is to answer.
        var rival: FetchTicket<Value>?
        /// Whether the other request is satisfied, too.
        var satisfiesRival = false
    }

    private struct Omission {
        let ticket: FetchTicket<Value>
        let since: UInt64
        var outcome = TicketOutcome.notFound
    }

    func plan(from source: AnswerSource, in cache: FlatCache) {
        let target = Target(
            cache: cache,
            table: cache.registry.table(of: Value.self).takeUnretainedValue(),
            queue: cache.existingFetchQueue(of: Value.self),
            since: source.since
        )
        self.target = target
        // Identifiers are hashed and compared here, where no lock is held.
        let ids = values.map(\.id)
        var last: [Value.ID: Int] = [:]
        for place in ids.indices { last[ids[place]] = place }
        var tickets: [Value.ID: [FetchTicket<Value>]] = [:]
        var missing: [FetchTicket<Value>] = []
        for ticket in requested {
            if last[ticket.id] == nil { missing.append(ticket) } else { tickets[ticket.id, default: []].append(ticket) }
        }
        let extra = WriteCondition(since: source.since, replacesNewerWrites: false, isPinned: false)
        for place in ids.indices where last[ids[place]] == place {
            let answered = tickets[ids[place]] ?? []
            var handle = answered.last?.handle
            if handle == nil && target.queue != nil { handle = Cached(Value.self, id: ids[place], in: cache) }
            arrivals.append(
                Arrival(
                    value: values[place],
                    id: ids[place],
                    hash: HashedID(ids[place]),
                    handle: handle,
                    condition: extra,
                    tickets: answered
                )
            )
        }
        target.queue?.look { state in
            for index in arrivals.indices { lookUp(&arrivals[index], source, state) }
            omissions = missing.filter { $0.phase != .ended }.map { Omission(ticket: $0, since: $0.since) }
        }
    }

    /// Looks up what was asked for, while the lock of the queue is held.
    private func lookUp(_ arrival: inout Arrival, _ source: AnswerSource, _ state: FetchQueueState<Value>) {
        guard let handle = arrival.handle else { return }
        if let newest = arrival.tickets.max(by: { $0.number < $1.number }) {
            arrival.condition = newest.condition
        } else {
            arrival.satisfiesRival = !source.isReplaced && state.invalidations.declared(handle) <= source.since
        }
        let other = state.outstanding[handle.slotIdentity]
        if !arrival.tickets.contains(where: { $0 === other }) { arrival.rival = other }
    }

    func store(in draft: Draft) {
        guard let target else { return }
        let entities = draft.table(target.table)
        let hasStatuses = target.queue != nil && target.cache.registry.find(FetchStatus<Value>.self) != nil
        for arrival in arrivals {
            entities.write(arrival.value, arrival.id, arrival.hash, if: arrival.condition)
            if hasStatuses { clearStatus(of: arrival, in: target.cache) }
        }
        for index in omissions.indices { note(&omissions[index], in: target.cache) }
    }

    /// An entity that has come isn't loading any more, and what went wrong before is past.
    private func clearStatus(of arrival: Arrival, in cache: FlatCache) {
        guard let id = arrival.handle?.id, let status = cache.get(FetchStatus<Value>.self, id: id) else { return }
        let isAnswered =
            arrival.tickets.contains { $0.number == status.ticket }
            || (arrival.satisfiesRival && status.ticket == arrival.rival?.number)
        if isAnswered || !status.isLoading { cache.remove(FetchStatus<Value>.self, id: id) }
    }

    /// Decides what an entity's absence from the answer means: nothing, if somebody has stored it since it was asked for.
    ///
    /// The entity isn't read through the transaction, which would run again whenever somebody writes it. What is stored
    /// from now on is stored after the answer.
    private func note(_ omission: inout Omission, in cache: FlatCache) {
        let isSatisfied = omission.ticket.handle.slotState.hasArrived(since: omission.since)
        omission.outcome = isSatisfied ? .success : .notFound
        if isSatisfied {
            cache.clearStatus(of: omission.ticket)
        } else {
            cache.endStatus(of: omission.ticket, .notFound([omission.ticket.handle.key]))
        }
    }

    func settle(_ revision: UInt64) {
        target?.queue?.noteErrors(omissions.count { $0.outcome == .notFound })
        target?.queue?.change { state, effects in
            for arrival in arrivals { settle(arrival, revision, &state, &effects) }
            for omission in omissions { state.end(omission.ticket, omission.outcome, &effects) }
        }
    }

    private func settle(
        _ arrival: Arrival,
        _ revision: UInt64,
        _ state: inout FetchQueueState<Value>,
        _ effects: inout FetchEffects<Value>
    ) {
        guard let handle = arrival.handle, let target else { return }
        let invalidated = state.invalidations.declared(handle)
        guard !arrival.tickets.isEmpty || arrival.rival != nil || invalidated != 0 else { return }
        let slot = handle.slotState
        let isStored = slot.isStored && slot.revision == revision
        for ticket in arrival.tickets { state.end(ticket, slot.isStored ? .success : .removed, &effects) }
        if let rival = arrival.rival {
            if arrival.satisfiesRival && slot.hasArrived(since: rival.since) {
                state.end(rival, .success, &effects)
            } else if isStored {
                // What it asks for is newer than this, and must not be taken for an older answer.
                rival.since = max(rival.since, revision)
            }
        }
        if invalidated > target.since && isStored {
            // The fetcher was called before the entity was declared stale.
            state.invalidations.extend(handle, to: revision, &effects)
        } else {
            state.invalidations.remove(handle, upTo: slot.revision, &effects)
        }
    }
}
