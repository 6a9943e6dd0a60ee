/// The state of fetching an entity: whether it is loading, and the error of the last attempt.
///
///     if handle.status.isLoading { ProgressView() }
///     if let error = handle.status.error { … }
public struct EntityStatus: Sendable {
    /// Whether the entity is being fetched, by any request.
    public let isLoading: Bool

    /// The error of the last attempt to fetch the entity, or `nil` if it didn't fail.
    ///
    /// The error remains during the next attempt. It is cleared when the answer of any fetcher has the entity, and when
    /// the cache is cleared. Cancellation is not an error here.
    public let error: FetchError?

    /// The number of the fetch that failed, which is compared instead of the error.
    private let errorFetch: UInt64

    init<Value>(_ status: FetchStatus<Value>?) {
        isLoading = status?.isLoading ?? false
        error = status?.error
        errorFetch = status?.errorFetch ?? 0
    }
}

extension EntityStatus: CustomStringConvertible, CustomReflectable {
    /// The status in words: `loading`, `idle`, or the error.
    public var description: String {
        let error = error.map { "failed: \($0)" }
        return isLoading ? error.map { "loading, \($0)" } ?? "loading" : error ?? "idle"
    }

    /// Both members.
    public var customMirror: Mirror { Mirror(self, children: ["isLoading": isLoading, "error": error as Any]) }
}

extension EntityStatus: Equatable {
    /// Returns whether two statuses are equal; errors are equal if they are from the same attempt.
    public static func == (lhs: EntityStatus, rhs: EntityStatus) -> Bool {
        lhs.isLoading == rhs.isLoading && lhs.errorFetch == rhs.errorFetch
    }
}

extension Cached {
    /// The state of fetching the entity: whether it is loading, and the error of the last attempt.
    ///
    ///     handle.status.isLoading
    ///     for await screen in cache.updates({ Screen(handle.value, handle.status) }) { show(screen) }
    ///
    /// The read is tracked by Observation. To read the status and the ``value`` from one state, read them in
    /// ``FlatCache/read(_:)`` or in the first closure of ``FlatCache/observe(initial:_:onChange:)``. An error doesn't
    /// end a sequence.
    ///
    /// The cache keeps an error while a handle, an observer or a sequence of the entity exists. Without them, it keeps
    /// the errors of the last request that failed, and of some dozens of entities before.
    ///
    /// - Returns: The status. After the cache is deallocated, it isn't loading and has no error.
    /// - Complexity: O(1).
    public var status: EntityStatus {
        EntityStatus(cache?.tracked { $0.get(FetchStatus<Value>.self, id: id) })
    }
}

/// The state of fetching one entity, stored as an entity of the library.
///
/// It is stored when a fetch is announced, and removed in the commit of the answer. After a failure it remains until
/// the next success. It isn't stored for an entity that isn't being fetched and whose last attempt didn't fail.
struct FetchStatus<Value: Cachable>: InternalEntity, Equatable {
    let id: Value.ID
    /// The number of the newest fetch, so that older fetches that end later don't change the status.
    let fetch: UInt64
    var isLoading = true
    var error: FetchError?
    /// The number of the fetch that failed, which is compared instead of the error.
    var errorFetch: UInt64 = 0

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.fetch == rhs.fetch && lhs.isLoading == rhs.isLoading && lhs.errorFetch == rhs.errorFetch
    }
}

extension FetchQueue {
    /// Notifies observers that entities are loading, in one commit.
    ///
    /// Several requests may announce one fetch, so that none waits for another one to notify observers.
    func announce(_ fetches: [PendingFetch], in cache: FlatCache) {
        guard !fetches.isEmpty else { return }
        cache.commit { _ in
            // Another request may have announced a fetch meanwhile, and its call may have ended.
            for fetch in look({ $0.open(fetches.lazy.map({ $0.number })) }) where fetch.phase == .announcing {
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

    /// Notifies observers that entities aren't loading any more, in one commit.
    ///
    /// - Parameter error: Makes the error of an entity, or `nil` to keep an earlier error.
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
    /// Sets the status of an entity to not loading, unless a newer fetch exists.
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

    /// Clears the status of an entity that has arrived, including an earlier error, unless a newer fetch exists.
    func clearStatus<Value>(of handle: Cached<Value>, _ fetch: UInt64) {
        let id = handle.id
        guard let status = get(FetchStatus<Value>.self, id: id), status.fetch == fetch else { return }
        remove(FetchStatus<Value>.self, id: id)
    }

    /// Commits changes of internal entities in one commit, which isn't part of the caller's transaction.
    ///
    /// - Parameters:
    ///   - origin: The number of the origin.
    ///   - body: A closure that makes the changes. It may run more than once.
    /// - Returns: The revision of the commit, or 0 if nothing was changed.
    @discardableResult
    func commit(from origin: OriginNumber = .user, _ body: (Transaction) -> Void) -> UInt64 {
        // A thread outside of a body waits for reservations.
        if history.snapshotOfThread != nil {
            return ReadContext.runOutside(of: history.object) { commit(from: origin, body) }
        }
        var last: Transaction?
        commitTogether(from: origin) {
            last = history.transactionOfThread
            if let last { body(last) }
        }
        return last?.revision ?? 0
    }
}

/// An error is kept while a handle or an observer of the entity exists. Some other errors are kept for handles that are
/// created later, and are removed when there are many.
extension FetchQueue {
    /// Counts stored errors, and removes old ones if there are many.
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
        let remaining = statuses.committedCount
        change { state in
            state.errorsCounted(remaining, ifStill: before, new: count)
            return FetchAction()
        }
    }

    /// Removes the error of an entity, unless a handle or an observer of it exists.
    private func forgetError(of id: Value.ID) {
        guard let cache = cache.object, !isAskedFor(id) else { return }
        cache.commit { _ in
            // A newer error makes this run again, and then the handles and observers are checked again.
            guard let status = cache.get(FetchStatus<Value>.self, id: id), !status.isLoading else { return }
            if !isAskedFor(id) { cache.remove(FetchStatus<Value>.self, id: id) }
        }
    }

    private var statuses: Table<FetchStatus<Value>>? {
        cache.object?.registry.find(FetchStatus<Value>.self)?.takeUnretainedValue()
    }

    /// Whether a handle or an observer of an entity exists, or an observer of its status.
    private func isAskedFor(_ id: Value.ID) -> Bool {
        // Only the library pins the slot of a status.
        if statuses?.interest(in: id)?.isObserved == true { return true }
        guard let table = cache.object?.registry.find(Value.self)?.takeUnretainedValue(),
            let entity = table.interest(in: id)
        else { return false }
        // An invalidation mark of the queue also pins the slot.
        let own: UInt32 = look { $0.invalidations.hasMark(of: entity.slot) } ? 1 : 0
        return entity.isObserved || entity.pins > own
    }
}

extension Table {
    /// The pins and observers of an entity's slot, or `nil` if it has no slot.
    fileprivate func interest(in id: Value.ID) -> (slot: SlotIdentity, pins: UInt32, isObserved: Bool)? {
        withExistingSlot(for: id, HashedID(id)) { slot, _ in
            // The body itself has pinned it.
            slot.map { (SlotIdentity($0), $0.pins - 1, $0.observers != nil) }
        }
    }
}
