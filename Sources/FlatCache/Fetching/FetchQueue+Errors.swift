internal import Synchronization

/// Errors are remembered as long as somebody can ask for them: while there is a handle or an observer of the entity.
///
/// Each is stored, whether there is one or not, because the requests for the entity have handles themselves. The handle that
/// is released last lets the queue forget it. Observers don't; what they have kept is forgotten when many errors have come
/// since.
extension FetchQueue {
    /// Counts errors that were stored, and forgets old ones when there are many.
    func noteErrors(_ count: Int) {
        if count == 0 { return }
        let known = addErrors(count)
        guard withLock({ known > errorLimit }), let statuses else { return }
        for status in statuses.values where status.error != nil { forgetError(of: status.id) }
        correctErrorCount { statuses.storedCount }
        let remaining = addErrors(0)
        withLock { errorLimit = max(64, remaining * 2) }
    }

    /// Forgets why an entity could not be fetched, if nobody can ask for it any more.
    func forgetError(of id: Value.ID) {
        guard let cache = cache.object, let statuses, statuses.interest(in: id) != nil, !isAskedFor(id) else { return }
        let revision = cache.commit { _ in
            // A newer error makes this run again: then it is asked anew whether anybody is interested.
            guard let status = cache.get(FetchStatus<Value>.self, id: id), !status.isLoading else { return }
            if !isAskedFor(id) { cache.remove(FetchStatus<Value>.self, id: id) }
        }
        if revision != 0 { correctErrorCount { statuses.storedCount } }
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

extension Cached {
    /// Forgets why the entity could not be fetched, if nobody can ask for it any more; called at the end of the handle,
    /// when it has given back its slot.
    func forgetErrorIfLast() {
        guard ErasedFetchQueue.anyRemembersErrors, let queue = table.fetchQueue.load(), queue.remembersErrors else {
            return
        }
        shard.lock()
        let isLast = slot.pins <= 1 && slot.observers == nil
        shard.unlock()
        guard isLast else { return }
        // A table's queue is of its type.
        unsafeDowncast(queue, to: FetchQueue<Value>.self).forgetError(of: slot.id)
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
