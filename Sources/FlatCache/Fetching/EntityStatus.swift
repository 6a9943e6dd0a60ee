/// How fetching of an entity goes.
///
///     if handle.status.isLoading { ProgressView() }
///     if let error = handle.status.error { … }
public struct EntityStatus: Sendable {
    /// Whether the entity is being fetched, by whomever.
    public let isLoading: Bool

    /// Why the last attempt to fetch the entity has failed; `nil` when it has not, and from the next success on.
    ///
    /// The error stays while the next attempt is being made. The success of any fetcher that brings the entity clears it, and so
    /// does clearing the cache. Being cancelled is no failure.
    public let error: FetchError?

    /// The fetch whose error that is, which stands for the error in comparisons.
    private let errorFetch: UInt64

    init<Value>(_ status: FetchStatus<Value>?) {
        isLoading = status?.isLoading ?? false
        error = status?.error
        errorFetch = status?.errorFetch ?? 0
    }
}

extension EntityStatus: Equatable {
    /// Returns whether two are the same; errors are the same when they are of one attempt.
    public static func == (lhs: EntityStatus, rhs: EntityStatus) -> Bool {
        lhs.isLoading == rhs.isLoading && lhs.errorFetch == rhs.errorFetch
    }
}

extension Cached {
    /// How fetching of the entity goes: whether it is loading, and why the last attempt has failed.
    ///
    ///     handle.status.isLoading
    ///     for await screen in cache.updates({ Screen(handle.value, handle.status) }) { show(screen) }
    ///
    /// Observation tracks it, as it tracks ``value``. To read both of one state, read them in ``FlatCache/read(_:)`` or in the
    /// closure of an observer. An error doesn't end a sequence.
    ///
    /// The cache remembers an error as long as somebody is interested in the entity: while a handle, an observer or a
    /// sequence of it exists. Without that it remembers the errors of the last request that has failed, and of some dozens
    /// of entities before.
    ///
    /// - Returns: The status; when the cache is gone, one without loading and without an error.
    /// - Complexity: O(1).
    public var status: EntityStatus {
        EntityStatus(cache?.tracked { $0.get(FetchStatus<Value>.self, id: id) })
    }
}

/// How fetching of one entity goes: the library's own entity beside that of the user.
///
/// It is stored when a request is announced, and removed in the commit of the answer; what has failed stays until the next
/// success. There is none for an entity that isn't being fetched and whose last attempt has not failed.
struct FetchStatus<Value: Cachable>: InternalEntity, Equatable {
    let id: Value.ID
    /// The newest fetch, so that older ones, which may end later, don't speak for it.
    let fetch: UInt64
    var isLoading = true
    var error: FetchError?
    /// The fetch whose error that is, which stands for the error in comparisons.
    var errorFetch: UInt64 = 0

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.fetch == rhs.fetch && lhs.isLoading == rhs.isLoading && lhs.errorFetch == rhs.errorFetch
    }
}

extension FetchQueue {
    /// Notifies observers that entities are being loaded, in one commit.
    ///
    /// Several requests may announce one fetch: none waits until another has notified the observers.
    func announce(_ fetches: [PendingFetch], in cache: FlatCache) {
        guard !fetches.isEmpty else { return }
        cache.commit { _ in
            // Another request may have announced a fetch meanwhile, and its call be over.
            for fetch in look({ $0.open(fetches.lazy.map(\.number)) }) where fetch.phase == .announcing {
                let id = fetch.entity.handle(of: Value.self).id
                let earlier = cache.get(FetchStatus<Value>.self, id: id)
                if let earlier, earlier.fetch >= fetch.number { continue }
                cache.set(
                    FetchStatus<Value>(
                        id: id,
                        fetch: fetch.number,
                        error: earlier?.error,
                        errorFetch: earlier?.errorFetch ?? 0
                    )
                )
            }
        }
    }

    /// Notifies observers that entities aren't being loaded any more, in one commit.
    ///
    /// - Parameter error: Why an entity could not be loaded; `nil` leaves an earlier error.
    func end(_ fetches: [PendingFetch], _ error: ((FlatCacheKey) -> FetchError)? = nil) {
        guard !fetches.isEmpty, let cache = cache.object else { return }
        cache.commit { _ in
            for fetch in fetches {
                let handle = fetch.entity.handle(of: Value.self)
                cache.endStatus(of: handle, fetch.number, error?(handle.key))
            }
        }
        if error != nil { noteErrors(fetches.count) }
    }
}

extension FlatCache {
    /// Notes that an entity isn't being loaded any more, unless a newer fetch says otherwise.
    func endStatus<Value>(of handle: Cached<Value>, _ fetch: UInt64, _ error: FetchError?) {
        let id = handle.id
        guard var status = get(FetchStatus<Value>.self, id: id), status.fetch == fetch else { return }
        status.isLoading = false
        if let error {
            status.error = error
            status.errorFetch = fetch
        }
        if status.error == nil { remove(FetchStatus<Value>.self, id: id) } else { set(status) }
    }

    /// Notes that an entity has come, and that what went wrong before is past, unless a newer fetch says otherwise.
    func clearStatus<Value>(of handle: Cached<Value>, _ fetch: UInt64) {
        let id = handle.id
        guard let status = get(FetchStatus<Value>.self, id: id), status.fetch == fetch else { return }
        remove(FetchStatus<Value>.self, id: id)
    }

    /// Makes changes of the library's own in one commit, which is no part of a transaction that the caller is in.
    ///
    /// - Parameter body: Makes the changes; may run more than once.
    /// - Returns: The number of the commit; 0 when nothing was changed.
    @discardableResult
    func commit(_ body: (Transaction) -> Void) -> UInt64 {
        // A thread outside of a body waits for bodies that have reserved.
        if history.snapshotOfThread != nil {
            return ReadContext.runOutside(of: history.object) { commit(body) }
        }
        var last: Transaction?
        commitTogether {
            last = history.transactionOfThread
            if let last { body(last) }
        }
        return last?.revision ?? 0
    }
}

/// An error is remembered as long as there is a handle or an observer of the entity. Some other errors are remembered, too, for
/// handles that are made later; when there are many, they are forgotten.
extension FetchQueue {
    /// Notes that errors were stored, and forgets old ones when there are many.
    func noteErrors(_ count: Int) {
        if count == 0 { return }
        var areMany = false
        change { state in
            areMany = state.errorsStored(count)
            return FetchAction()
        }
        guard areMany, let statuses else { return }
        for status in statuses.values where status.error != nil { forgetError(of: status.id) }
        let before = look(\.errorCount)
        let remaining = statuses.storedCount
        change { state in
            state.errorsCounted(remaining, ifStill: before, new: count)
            return FetchAction()
        }
    }

    /// Forgets why an entity could not be fetched, unless there is a handle or an observer of it.
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
        // Only the library pins the slot of a status.
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

    /// The pins and observers of an entity's slot; `nil` when there is no slot.
    fileprivate func interest(in id: Value.ID) -> (slot: ObjectIdentifier, pins: UInt32, isObserved: Bool)? {
        guard let slot = pinnedExistingSlot(for: id, HashedID(id)) else { return nil }
        return withSlot(unpinning: slot) { (ObjectIdentifier(slot), slot.pins - 1, slot.observers != nil) }
    }
}
