/// The entities of one or more types that a fetcher returns, which are stored in one commit.
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
    /// Only the answer, which can't be copied, refers to the objects.
    private(set) var parts: [ObjectIdentifier: any ErasedFetchedPart] = [:]
    /// The first reason for each type why the answer may lack entities that the server has sent.
    private(set) var losses: [ObjectIdentifier: any Error] = [:]

    init() {}

    /// Creates the answer that the server has nothing newer than the stored entities.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the requested entities.
    ///   - type: The type of the entities.
    init<Value: Cachable>(unmodified ids: [Value.ID], of type: Value.Type) {
        part(of: type).unmodified = ids
    }

    /// Records the reason why the answer may lack entities of a type.
    mutating func noteLoss(of type: any Any.Type, _ error: any Error) {
        if losses[ObjectIdentifier(type)] == nil { losses[ObjectIdentifier(type)] = error }
    }

    /// Adds an entity, of the requested type or of another one.
    ///
    /// - Parameter value: The entity. If two have the same identifier, the later one is stored, or both are merged in
    ///   order if the type has a ``Cachable/merge``.
    /// - Complexity: O(1) on average.
    public mutating func insert<Value: Cachable>(_ value: Value) {
        part(of: Value.self).entities.append(.whole(value))
    }

    /// Adds entities of one type, the requested one or another.
    ///
    /// - Parameter values: The entities. If two have the same identifier, the later one is stored, or both are merged in
    ///   order if the type has a ``Cachable/merge``.
    /// - Complexity: O(*n*) on average for *n* entities.
    public mutating func insert<Value: Cachable>(contentsOf values: some Sequence<Value>) {
        part(of: Value.self).entities.append(contentsOf: values.lazy.map { .whole($0) })
    }

    /// Adds an entity that may depend on the stored one.
    mutating func insert<Value: Cachable>(_ entity: IncomingEntity<Value>) {
        part(of: Value.self).entities.append(entity)
    }

    /// Keeps the stored entities in memory on which the answer to a call depends.
    func hold(for call: FetchCall, in cache: FlatCache) -> [any ErasedHeldEntities] {
        // A cache without a store has all of them in memory.
        if cache.connection == nil { return [] }
        let condition = WriteCondition(since: call.since, replacesNewerWrites: true, isPinned: false)
        return parts.values.compactMap { $0.hold(in: cache, if: condition) }
    }

    /// The part for a type, which is empty before the first entity is added.
    mutating func part<Value: Cachable>(of type: Value.Type) -> FetchedPart<Value> {
        if let part = parts[ObjectIdentifier(type)] as? FetchedPart<Value> { return part }
        let part = FetchedPart<Value>()
        parts[ObjectIdentifier(type)] = part
        return part
    }
}

/// The part of an answer for one type, without its static type.
protocol ErasedFetchedPart: AnyObject, Sendable {
    /// Keeps the stored entities in memory on which the part depends.
    func hold(in cache: FlatCache, if condition: WriteCondition) -> (any ErasedHeldEntities)?

    /// Looks up the fetches that wait for the entities.
    func plan(for call: FetchCall, in cache: FlatCache)

    /// Stores the entities and their statuses in a transaction. It may be called more than once.
    func store(in transaction: Transaction)

    /// Ends the fetches after the transaction is committed.
    ///
    /// - Parameter revision: The revision of the commit.
    func settle(_ revision: UInt64)
}

/// The part of an answer for one type, with its entities and the fetches of entities that it left out.
final class FetchedPart<Value: Cachable>: ErasedFetchedPart, @unchecked Sendable {  // Used by the answer's owner alone.
    var entities: [IncomingEntity<Value>] = []
    /// The fetches of the call, if the call is for this type.
    var requested: [PendingFetch] = []
    /// The failure of requested entities that the answer left out.
    var omission = FetchFailure.notFound
    /// The requested entities, if the server has nothing newer than the stored ones.
    var unmodified: [Value.ID] = []
    private var arrivals: [Arrival] = []
    private var omissions: [Omission] = []
    private var target: Target?

    /// The place where entities are stored.
    private struct Target {
        let cache: FlatCache
        let table: Table<Value>
        let queue: FetchQueue<Value>?
        let call: FetchCall
        let merge: Merge<Value>
    }

    private struct Arrival {
        /// The entities with the identifier, of which only the last one counts if it is whole and replaces the others.
        let entities: [IncomingEntity<Value>]
        let id: Value.ID
        let hash: HashedID
        /// The value is `nil` if no fetch can wait for entities of the type.
        let handle: Cached<Value>?
        /// The fetches of the entity in this call.
        let requested: [PendingFetch]
        var claim: FetchStateMachine.Claim
        /// The reason why no entity is stored, if it is the answer's.
        var failure: FetchFailure?
    }

    private struct Omission {
        let fetch: PendingFetch
        let handle: Cached<Value>
        var failure: FetchFailure?
    }

    func hold(in cache: FlatCache, if condition: WriteCondition) -> (any ErasedHeldEntities)? {
        cache.hold(Value.self, if: condition) {
            let mergesAll = !Value.merge.isReplace
            return entities.filter { mergesAll || !$0.isWhole }.map { $0.id } + unmodified
        }
    }

    func plan(for call: FetchCall, in cache: FlatCache) {
        let target = Target(
            cache: cache,
            table: cache.registry.table(of: Value.self).takeUnretainedValue(),
            queue: cache.existingFetchQueue(of: Value.self),
            call: call,
            merge: Value.merge
        )
        self.target = target
        // Identifiers are hashed and compared here, where no lock is held.
        let ids = entities.map { $0.id }
        var last: [Value.ID: Int] = [:]
        var earlier: [Value.ID: [IncomingEntity<Value>]] = [:]
        for place in ids.indices {
            guard let other = last.updateValue(place, forKey: ids[place]) else { continue }
            if case .whole = entities[place], target.merge.isReplace {
                earlier[ids[place]] = nil
            } else {
                earlier[ids[place], default: []].append(entities[other])
            }
        }
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
                    entities: (earlier[ids[place]] ?? []) + [entities[place]],
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
        guard let target, let snapshot = target.cache.history.snapshotOfThread else { return }
        let changes = transaction.table(target.table)
        let hasStatuses = target.queue != nil && target.cache.registry.find(FetchStatus<Value>.self) != nil
        for place in arrivals.indices {
            arrivals[place].failure = failure(of: arrivals[place], target)
            if let handle = arrivals[place].handle, let failure = arrivals[place].failure {
                for fetch in arrivals[place].requested {
                    target.cache.endStatus(of: handle, fetch.number, failure.error([handle.key]))
                }
                continue
            }
            let terms = IncomingTerms(condition: arrivals[place].claim.condition, snapshot: snapshot)
            for entity in arrivals[place].entities {
                entity.write(in: changes, arrivals[place].id, arrivals[place].hash, terms, merging: target.merge)
            }
            if hasStatuses { clearStatus(of: arrivals[place], in: target.cache) }
        }
        for place in omissions.indices { note(&omissions[place], in: target.cache) }
    }

    /// The failure of a requested entity that can't be made of the stored one.
    ///
    /// The stored entity isn't read through the transaction, which would run again whenever the entity is written.
    private func failure(of arrival: Arrival, _ target: Target) -> FetchFailure? {
        guard let handle = arrival.handle, !arrival.requested.isEmpty else { return nil }
        // An entity that was removed since has that reason.
        let state = handle.slotState
        if arrival.requested.contains(where: { state.isFenced(since: $0.since) }) { return nil }
        for case .whole in arrival.entities { return nil }
        var failure: FetchFailure?
        var isMade = false
        ReadContext.runOutside(of: target.cache.history.object) {
            var value = target.cache.get(Value.self, id: arrival.id)
            for entity in arrival.entities {
                let made = entity.resolve(value, by: target.merge) { error in
                    if let error { failure = .failed(error) } else { isMade = true }
                }
                if let made { value = made }
            }
        }
        return isMade ? nil : failure
    }

    /// Clears the status of an entity that has arrived, including an earlier error.
    private func clearStatus(of arrival: Arrival, in cache: FlatCache) {
        guard let id = arrival.handle?.id, let status = cache.get(FetchStatus<Value>.self, id: id) else { return }
        let claim = arrival.claim
        let isAnswered =
            claim.answered.contains(status.fetch) || (claim.satisfiesRival && status.fetch == claim.rival)
        if isAnswered || !status.isLoading { cache.remove(FetchStatus<Value>.self, id: id) }
    }

    /// Decides the outcome for an entity that the answer left out.
    ///
    /// It isn't an error if the entity was stored since the request, is stored and wasn't modified, or has another identifier now.
    ///
    /// The entity isn't read through the transaction, which would run again whenever the entity is written. Later
    /// writes count as writes after the answer.
    private func note(_ omission: inout Omission, in cache: FlatCache) {
        let state = omission.handle.slotState
        let isUnmodified = !unmodified.isEmpty
        if state.hasArrived(since: omission.fetch.since) || isUnmodified && state.isStored
            || isReplaced(omission.handle, in: cache)
        {
            omission.failure = nil
            cache.clearStatus(of: omission.handle, omission.fetch.number)
        } else {
            // The server has it, so it is missing because it was removed, or because a layer hides it.
            let isRemoved = isUnmodified && (state.isConfirmed || state.isFenced(since: omission.fetch.since))
            let failure = isRemoved ? .removed : self.omission
            omission.failure = failure
            cache.endStatus(of: omission.handle, omission.fetch.number, failure.error([omission.handle.key]))
        }
    }

    /// Whether the identifier of an entity was replaced, and the entity is stored under the current one.
    private func isReplaced(_ handle: Cached<Value>, in cache: FlatCache) -> Bool {
        ReadContext.runOutside(of: cache.history.object) {
            // The identifier of the handle is the current one.
            let current = cache.currentID(of: Value.self, handle.slot.id(of: Value.self))
            return current != handle.slot.id(of: Value.self) && cache.contains(Value.self, id: current)
        }
    }

    func settle(_ revision: UInt64) {
        guard let target, let queue = target.queue else { return }
        queue.noteErrors(omissions.count { $0.failure != nil } + arrivals.count { $0.failure != nil })
        let stored = arrivals.compactMap { arrival in
            arrival.handle.map {
                FetchStateMachine.StoredArrival(
                    claim: arrival.claim,
                    reading: EntityReading(of: $0),
                    revision: revision,
                    calledSince: target.call.since,
                    isReplaced: isReplaced($0, in: target.cache),
                    failure: arrival.failure
                )
            }
        }
        let omitted = omissions.map { (fetch: $0.fetch.number, failure: $0.failure) }
        let call = requested.isEmpty ? nil : target.call.task.number
        queue.change { $0.answerStored(stored, omissions: omitted, of: call) }
    }
}

extension FetchQueue {
    /// Ends a call whose fetcher has thrown, and fails all its waiters.
    func fail(_ call: FetchCall, _ error: any Error) {
        end(look { $0.fetches(of: call.task.number) }) { .failed([$0], error) }
        change { $0.fetcherFailed(call.task.number, error) }
    }

    /// Stores the answer of a fetcher in one commit, and resumes the waiters for its entities.
    func store(_ answer: consuming FetchAnswer, of call: FetchCall, in cache: FlatCache) {
        let (requested, current) = look { ($0.fetches(of: call.task.number), $0.calls[call.task.number]) }
        // No waiter is left.
        guard let current else { return }
        // The requested entities have this type, even if the answer has none of them.
        let own = answer.part(of: Value.self)
        own.requested = requested
        if let loss = answer.losses[ObjectIdentifier(Value.self)] { own.omission = .failed(loss) }
        let parts = answer.parts.values
        for part in parts { part.plan(for: current, in: cache) }
        let revision = cache.commit(from: .server) { transaction in
            for part in parts { part.store(in: transaction) }
        }
        // The waiters for the requested entities come last, and so continue when no fetch waits for this answer any more.
        for part in parts where part !== own { part.settle(revision) }
        own.settle(revision)
    }
}
