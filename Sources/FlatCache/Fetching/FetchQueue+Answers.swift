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

    /// Stores what a fetcher has answered in one commit, and resumes everybody who waits for any of it.
    func store(_ answer: consuming FetchAnswer, of call: FetchCall<Value>, in cache: FlatCache) {
        let (requested, source) = look { state in
            (call.tickets, AnswerSource(since: call.since, isReplaced: call.isReplaced))
        }
        // When everybody has left, nobody wants the answer.
        if requested.isEmpty { return }
        // The entities that were asked for are of this type, even if none of them came.
        answer.entities(of: Value.self).requested = requested
        let parts = answer.parts.values
        for part in parts { part.plan(from: source, in: cache) }
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

/// Where an answer comes from.
struct AnswerSource {
    /// The commit after which the fetcher was called.
    let since: UInt64
    /// Whether there is a newer fetcher.
    let isReplaced: Bool
}

/// The entities of one type in an answer, whose type is not known to the caller.
protocol FetchedPart: AnyObject, Sendable {
    /// Looks up who waits for the entities.
    func plan(from source: AnswerSource, in cache: FlatCache)

    /// Stores the entities in a transaction, and says in it how fetching has gone; may be called more than once.
    func store(in draft: Draft)

    /// Tells those who wait, when the transaction is committed.
    ///
    /// - Parameter revision: The number of the commit.
    func settle(_ revision: UInt64)
}
