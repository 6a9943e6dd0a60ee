/// The entities of one type that an answer brings, and those of the type that it should have brought.
///
/// Used by the task of one call alone.
final class PlannedEntities<Value: Cachable>: PlannedPart {
    private let cache: FlatCache
    private let table: Table<Value>
    private let queue: FetchQueue<Value>?
    private var arrivals: [Arrival] = []
    private var omissions: [Omission] = []
    /// The commit after which the fetcher was called.
    private let since: UInt64

    private struct Arrival {
        let value: Value
        let id: Value.ID
        let hash: HashedID
        let condition: WriteCondition
        /// The request that this is the answer to; `nil` for an entity that the fetcher was not asked for.
        let ticket: FetchTicket<Value>?
        /// A request for the same entity that another call, or a call to come, is to answer.
        let rival: FetchTicket<Value>?
        /// Whether the other request is satisfied, too.
        var satisfiesRival: Bool
    }

    private struct Omission {
        let ticket: FetchTicket<Value>
        let since: UInt64
        var outcome = FetchOutcome.notFound
    }

    init(_ values: [Value], from source: AnswerSource, in cache: FlatCache) {
        self.cache = cache
        since = source.since
        table = cache.registry.table(of: Value.self).takeUnretainedValue()
        queue = cache.existingFetchQueue(of: Value.self)
        var last: [Value.ID: Int] = [:]
        let ids = values.map(\.id)
        for (place, id) in ids.enumerated() { last[id] = place }
        let requested = (source.requested as? RequestedTickets<Value>)?.tickets ?? [:]
        let entities = values.indices.filter { last[ids[$0]] == $0 }.map { (values[$0], ids[$0], HashedID(ids[$0])) }
        let extra = WriteCondition(since: source.since, replacesNewerWrites: false, isPinned: false)
        guard let queue else {
            arrivals = entities.map { value, id, hash in
                Arrival(
                    value: value,
                    id: id,
                    hash: hash,
                    condition: extra,
                    ticket: nil,
                    rival: nil,
                    satisfiesRival: false
                )
            }
            return
        }
        queue.look { state in
            arrivals = entities.map { value, id, hash in
                let ticket = requested[id]
                let other = state.outstanding[id]
                let isCurrent = !source.isReplaced && state.invalidations.declared(id) <= source.since
                return Arrival(
                    value: value,
                    id: id,
                    hash: hash,
                    condition: ticket?.condition ?? extra,
                    ticket: ticket,
                    rival: other === ticket ? nil : other,
                    satisfiesRival: ticket == nil && isCurrent
                )
            }
            omissions = requested.values.filter { last[$0.id] == nil && $0.phase != .ended }.map {
                Omission(ticket: $0, since: $0.since)
            }
        }
    }

    func store(in draft: Draft) {
        let entities = draft.table(table)
        let hasStatuses = queue != nil && cache.registry.find(FetchStatus<Value>.self) != nil
        for index in arrivals.indices {
            let arrival = arrivals[index]
            entities.write(arrival.value, arrival.id, arrival.hash, if: arrival.condition)
            if hasStatuses { clearStatus(of: arrival) }
        }
        for index in omissions.indices { note(&omissions[index]) }
    }

    /// An entity that has come isn't loading any more, and what went wrong before is past.
    private func clearStatus(of arrival: Arrival) {
        let id = arrival.value.id
        guard let status = cache.get(FetchStatus<Value>.self, id: id) else { return }
        let isAnswered =
            status.ticket == arrival.ticket?.number
            || (arrival.satisfiesRival && status.ticket == arrival.rival?.number)
        if isAnswered || !status.isLoading { cache.remove(FetchStatus<Value>.self, id: id) }
    }

    /// Decides what an entity's absence from the answer means: nothing, if somebody has stored it since it was asked for.
    private func note(_ omission: inout Omission) {
        // Read through the transaction, which runs again when that changes before it is committed.
        let isThere = cache.contains(Value.self, id: omission.ticket.id)
        let isSatisfied = isThere && omission.ticket.handle.slotState.hasArrived(since: omission.since)
        omission.outcome = isSatisfied ? .success : .notFound
        if isSatisfied {
            cache.clearStatus(of: omission.ticket)
        } else {
            cache.endStatus(of: omission.ticket, .notFound([omission.ticket.handle.key]))
        }
    }

    func settle(_ revision: UInt64) {
        queue?.change { state, effects in
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
        let id = arrival.value.id
        let invalidated = state.invalidations.declared(id)
        guard arrival.ticket != nil || arrival.rival != nil || invalidated != 0 else { return }
        let slot = table.state(of: id)
        let isStored = slot.isStored && slot.revision == revision
        if let ticket = arrival.ticket { state.end(ticket, slot.isStored ? .success : .removed, &effects) }
        if let rival = arrival.rival {
            if arrival.satisfiesRival && slot.hasArrived(since: rival.since) {
                state.end(rival, .success, &effects)
            } else if isStored {
                // What it asks for is newer than this, and must not be taken for an older answer.
                rival.since = max(rival.since, revision)
            }
        }
        if invalidated > since && isStored {
            // The fetcher was called before the entity was declared stale.
            state.invalidations.extend(id, to: revision)
        } else {
            state.invalidations.remove(id, upTo: slot.revision)
        }
    }
}
