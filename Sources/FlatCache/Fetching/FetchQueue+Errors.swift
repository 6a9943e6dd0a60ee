internal import Synchronization

/// Errors are remembered as long as somebody is interested in the entity, by a handle or an observer. Of the others some are
/// remembered, too, for handles that are made later; when there are many, they are forgotten.
extension FetchQueue {
    /// Counts errors that were stored, and forgets old ones when there are many.
    func noteErrors(_ count: Int) {
        if count == 0 { return }
        let known = addErrors(count)
        guard withLock({ known > errorLimit }), let statuses else { return }
        for status in statuses.values where status.error != nil { forgetError(of: status.id) }
        correctErrorCount { statuses.storedCount }
        let remaining = addErrors(0)
        // Those that were just stored have the handles of their request, which are going to be released.
        withLock { errorLimit = max(64, (remaining - count) * 2) }
    }

    /// Forgets why an entity could not be fetched, if nobody can ask for it any more.
    private func forgetError(of id: Value.ID) {
        guard let cache = cache.object, !isAskedFor(id) else { return }
        cache.commit { _ in
            // A newer error makes this run again: then it is asked anew whether anybody is interested.
            guard let status = cache.get(FetchStatus<Value>.self, id: id), !status.isLoading else { return }
            if !isAskedFor(id) { cache.remove(FetchStatus<Value>.self, id: id) }
        }
    }

    private var statuses: Table<FetchStatus<Value>>? {
        cache.object?.registry.find(FetchStatus<Value>.self)?.takeUnretainedValue()
    }

    /// Whether there is a handle or an observer of an entity, or an observer of how its fetching goes.
    private func isAskedFor(_ id: Value.ID) -> Bool {
        // Nobody but the library pins the slot of a status.
        if statuses?.interest(in: id)?.isObserved == true { return true }
        guard let table = cache.object?.registry.find(Value.self)?.takeUnretainedValue(),
            let entity = table.interest(in: id)
        else { return false }
        // A mark of the queue's own keeps the slot, too.
        let own: UInt32 = look { $0.invalidations.hasMark(of: entity.slot) } ? 1 : 0
        return entity.isObserved || entity.pins > own
    }
}

extension Table {
    /// The number of entities in the committed state.
    fileprivate var storedCount: Int {
        withAllShards { shards.all.reduce(0) { $0 + $1.pointer.pointee.storedCount } }
    }

    /// Who is interested in an entity; `nil` when nobody is and it isn't stored.
    fileprivate func interest(in id: Value.ID) -> (slot: ObjectIdentifier, pins: UInt32, isObserved: Bool)? {
        guard let slot = pinnedExistingSlot(for: id, HashedID(id)) else { return nil }
        return withSlot(unpinning: slot) { (ObjectIdentifier(slot), slot.pins - 1, slot.observers != nil) }
    }
}
