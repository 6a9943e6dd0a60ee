/// Entities of several types that one call of a fetcher brings, and that are stored in one commit.
///
///     cache.setFetcher(of: Status.self) { ids, answer in
///         for page in try await server.statuses(ids) {
///             answer.insert(page.account)
///             answer.insert(contentsOf: page.statuses)
///         }
///     }
public struct FetchAnswer: ~Copyable, Sendable {
    /// The entities of each type.
    ///
    /// The objects belong to the answer alone, which can't be copied.
    private(set) var parts: [ObjectIdentifier: any ErasedFetchedPart] = [:]

    init() {}

    /// Adds an entity, of the type that was asked for or of another.
    ///
    /// - Parameter value: The entity. Of two with one identifier, the later is stored.
    /// - Complexity: O(1) on average.
    public mutating func insert<Value: Cachable>(_ value: Value) {
        part(of: Value.self).values.append(value)
    }

    /// Adds entities of a type.
    ///
    /// - Parameter values: The entities. Of two with one identifier, the later is stored.
    /// - Complexity: O(*n*) on average for *n* entities.
    public mutating func insert<Value: Cachable>(contentsOf values: some Sequence<Value>) {
        part(of: Value.self).values.append(contentsOf: values)
    }

    /// The part of a type, empty if there are no entities of it yet.
    mutating func part<Value: Cachable>(of type: Value.Type) -> FetchedPart<Value> {
        if let part = parts[ObjectIdentifier(type)] as? FetchedPart<Value> { return part }
        let part = FetchedPart<Value>()
        parts[ObjectIdentifier(type)] = part
        return part
    }
}

/// The part of an answer that is of one type, for callers that don't know the type.
protocol ErasedFetchedPart: AnyObject, Sendable {
    /// Looks up which fetches wait for the entities.
    func plan(for call: FetchCall, in cache: FlatCache)

    /// Stores the entities in a transaction, and notes in it how fetching has gone; may be called more than once.
    func store(in transaction: Transaction)

    /// Ends the fetches, when the transaction is committed.
    ///
    /// - Parameter revision: The number of the commit.
    func settle(_ revision: UInt64)
}

/// The part of an answer that is of one type: the entities that it brings, and the fetches that wait for entities that it has
/// left out.
final class FetchedPart<Value: Cachable>: ErasedFetchedPart, @unchecked Sendable {  // Used by the answer's owner alone.
    var values: [Value] = []
    /// The fetches that the fetcher was called for, if the call is one of this type.
    var requested: [PendingFetch] = []
    private var arrivals: [Arrival] = []
    private var omissions: [Omission] = []
    private var target: Target?

    /// Where the entities are stored.
    private struct Target {
        let cache: FlatCache
        let table: Table<Value>
        let queue: FetchQueue<Value>?
        let call: FetchCall
    }

    private struct Arrival {
        let value: Value
        let id: Value.ID
        let hash: HashedID
        /// `nil` if nothing can wait for entities of the type.
        let handle: Cached<Value>?
        /// The fetches of the entity that the fetcher was called for.
        let requested: [PendingFetch]
        var claim: FetchStateMachine.Claim
    }

    private struct Omission {
        let fetch: PendingFetch
        let handle: Cached<Value>
        var failure: FetchFailure? = .notFound
    }

    func plan(for call: FetchCall, in cache: FlatCache) {
        let target = Target(
            cache: cache,
            table: cache.registry.table(of: Value.self).takeUnretainedValue(),
            queue: cache.existingFetchQueue(of: Value.self),
            call: call
        )
        self.target = target
        // Identifiers are hashed and compared here, where no lock is held.
        let ids = values.map(\.id)
        var last: [Value.ID: Int] = [:]
        for place in ids.indices { last[ids[place]] = place }
        var answered: [Value.ID: [PendingFetch]] = [:]
        var missing: [UInt64] = []
        for fetch in requested {
            let id = fetch.entity.handle(of: Value.self).id
            if last[id] == nil { missing.append(fetch.number) } else { answered[id, default: []].append(fetch) }
        }
        let unasked = FetchStateMachine.Claim(ofUnaskedBy: call)
        for place in ids.indices where last[ids[place]] == place {
            let requested = answered[ids[place]] ?? []
            var handle = requested.last?.entity.handle(of: Value.self)
            if handle == nil && target.queue != nil { handle = Cached(Value.self, id: ids[place], in: cache) }
            arrivals.append(
                Arrival(
                    value: values[place],
                    id: ids[place],
                    hash: HashedID(ids[place]),
                    handle: handle,
                    requested: requested,
                    claim: unasked
                )
            )
        }
        target.queue?.look { state in
            for (place, arrival) in arrivals.enumerated() {
                guard let slot = arrival.handle?.slotIdentity else { continue }
                arrivals[place].claim = state.claim(on: slot, requested: arrival.requested, by: call)
            }
            omissions = state.open(missing).map { Omission(fetch: $0, handle: $0.entity.handle(of: Value.self)) }
        }
    }

    func store(in transaction: Transaction) {
        guard let target else { return }
        let entities = transaction.table(target.table)
        let hasStatuses = target.queue != nil && target.cache.registry.find(FetchStatus<Value>.self) != nil
        for arrival in arrivals {
            entities.write(arrival.value, arrival.id, arrival.hash, if: arrival.claim.condition)
            if hasStatuses { clearStatus(of: arrival, in: target.cache) }
        }
        for place in omissions.indices { note(&omissions[place], in: target.cache) }
    }

    /// An entity that has come isn't loading any more, and what went wrong before is past.
    private func clearStatus(of arrival: Arrival, in cache: FlatCache) {
        guard let id = arrival.handle?.id, let status = cache.get(FetchStatus<Value>.self, id: id) else { return }
        let claim = arrival.claim
        let isAnswered =
            claim.answered.contains(status.fetch) || (claim.satisfiesRival && status.fetch == claim.rival)
        if isAnswered || !status.isLoading { cache.remove(FetchStatus<Value>.self, id: id) }
    }

    /// Decides what an entity's absence from the answer means: nothing, if it was stored since it was asked for.
    ///
    /// The entity isn't read through the transaction, which would run again whenever it is written. What is stored from now on
    /// is stored after the answer.
    private func note(_ omission: inout Omission, in cache: FlatCache) {
        if omission.handle.slotState.hasArrived(since: omission.fetch.since) {
            omission.failure = nil
            cache.clearStatus(of: omission.handle, omission.fetch.number)
        } else {
            omission.failure = .notFound
            cache.endStatus(of: omission.handle, omission.fetch.number, .notFound([omission.handle.key]))
        }
    }

    func settle(_ revision: UInt64) {
        guard let target, let queue = target.queue else { return }
        queue.noteErrors(omissions.count { $0.failure != nil })
        let stored = arrivals.compactMap { arrival in
            arrival.handle.map {
                FetchStateMachine.StoredArrival(
                    claim: arrival.claim,
                    reading: EntityReading(of: $0),
                    revision: revision,
                    calledSince: target.call.since
                )
            }
        }
        let omitted = omissions.map { (fetch: $0.fetch.number, failure: $0.failure) }
        let call = requested.isEmpty ? nil : target.call.task.number
        queue.change { $0.answerStored(stored, omissions: omitted, of: call) }
    }
}

extension FetchQueue {
    /// Ends a call whose fetcher has thrown, for all of its waiters.
    func fail(_ call: FetchCall, _ error: any Error) {
        end(look { $0.fetches(of: call.task.number) }) { .failed([$0], error) }
        change { $0.fetcherFailed(call.task.number, error) }
    }

    /// Stores what a fetcher has answered in one commit, and resumes the waiters for any of it.
    func store(_ answer: consuming FetchAnswer, of call: FetchCall, in cache: FlatCache) {
        let (requested, current) = look { ($0.fetches(of: call.task.number), $0.calls[call.task.number]) }
        // All waiters have left.
        guard let current else { return }
        // The entities that were asked for are of this type, even if none of them came.
        answer.part(of: Value.self).requested = requested
        let parts = answer.parts.values
        for part in parts { part.plan(for: current, in: cache) }
        let revision = cache.commit { transaction in
            for part in parts { part.store(in: transaction) }
        }
        for part in parts { part.settle(revision) }
    }
}
