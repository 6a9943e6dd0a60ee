extension FetchQueue {
    /// Tells everybody who waits for a call that its fetcher has thrown.
    func fail(_ call: FetchCall<Value>, _ error: any Error) {
        end(look { _ in call.tickets }) { .failed([$0], error) }
        change { state, effects in
            guard state.conclude(call, &effects) else { return }
            state.fail(call.tickets, &effects) { .failed($0, error) }
            effects.released.append(call.tickets)
            call.tickets = []
        }
    }

    /// Stores what a fetcher has answered in one commit, and tells everybody who waits for any of it.
    func store(_ answer: consuming FetchAnswer, of call: FetchCall<Value>) {
        // When the cache is gone, or everybody has left, nobody wants the answer.
        guard let cache = cache.object, let source = source(of: call) else { return }
        // The entities that were asked for are of this type, even if none of them came.
        answer.insert(contentsOf: EmptyCollection<Value>())
        let parts = answer.parts.values.map { $0.plan(from: source, in: cache) }
        let revision = cache.commit { draft in
            for part in parts { part.store(in: draft) }
        }
        change { state, effects in
            state.conclude(call, &effects)
            effects.released.append(call.tickets)
            call.tickets = []
        }
        for part in parts { part.settle(revision) }
    }
}

extension FetchQueue {
    /// Where the answer of a call comes from; `nil` when nobody waits for it any more.
    private func source(of call: FetchCall<Value>) -> AnswerSource? {
        look { state in
            guard state.calls[ObjectIdentifier(call)] != nil else { return nil }
            return AnswerSource(
                since: call.since,
                isReplaced: call.isReplaced,
                requested: RequestedTickets(call.tickets)
            )
        }
    }
}

/// Where an answer comes from.
struct AnswerSource {
    /// The commit after which the fetcher was called.
    let since: UInt64
    /// Whether there is a newer fetcher.
    let isReplaced: Bool
    /// The tickets of the call, as ``RequestedTickets`` of its type.
    let requested: AnyObject
}

/// The tickets that a call was for.
final class RequestedTickets<Value: Cachable> {
    let tickets: [Value.ID: FetchTicket<Value>]

    init(_ tickets: [FetchTicket<Value>]) {
        self.tickets = Dictionary(tickets.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }
}

/// The entities of one type in an answer, whose type is not known to the caller.
protocol FetchedPart: AnyObject, Sendable {
    /// Looks up who waits for the entities.
    func plan(from source: AnswerSource, in cache: FlatCache) -> any PlannedPart
}

/// The entities of one type in an answer, with what is to be done about each.
protocol PlannedPart: AnyObject {
    /// Stores the entities in a transaction, and says in it how fetching has gone.
    func store(in draft: Draft)

    /// Tells those who wait, when the transaction is committed.
    ///
    /// - Parameter revision: The number of the commit.
    func settle(_ revision: UInt64)
}

/// The entities of one type in an answer.
final class FetchedEntities<Value: Cachable>: FetchedPart, @unchecked Sendable {  // Used by the answer's owner alone.
    var values: [Value] = []

    func plan(from source: AnswerSource, in cache: FlatCache) -> any PlannedPart {
        PlannedEntities(values, from: source, in: cache)
    }
}
