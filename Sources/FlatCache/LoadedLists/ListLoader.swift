/// The loader of a list, and its calls that have not ended.
///
/// There is one call for each place where a page belongs, which all who ask join. A refresh ends the calls for other places,
/// because their pages may not fit any more.
final class ListLoader<Value: Cachable>: ErasedListLoader, @unchecked Sendable {  // The lock guards the variables.
    typealias Work = @Sendable (_ cursor: (any Sendable)?) async throws -> LoadedWork<Value>

    /// The closure of the user.
    struct Source: Sendable {
        let cursorType: ObjectIdentifier
        let maxAge: Duration?
        /// A number that is greater than those of all loaders that were set before.
        var number: UInt64 = 0
        /// Returns the cursor of the page after an entity, or is `nil` if it can't be made of an identifier.
        let cursorAfter: (@Sendable (Value.ID) -> any Sendable)?
        let work: Work
    }

    let lock = Lock()
    private var current: Source?
    private(set) var calls: [ListPlace: ListCall<Value>] = [:]
    /// The calls whose pages are joining the list.
    private var joining: [ListCall<Value>] = []
    private var lastNumber: UInt64 = 0
    private var joinCount: UInt64 = 0

    /// The number of pages that have joined the list, or have tried to.
    ///
    /// A request must be made of the state after the last of them.
    var endedJoins: UInt64 { lock.withLock { joinCount } }

    /// The closure of the user, or `nil` if none is set.
    var source: Source? { lock.withLock { current } }

    /// The number of the closure, which isn't copied, so it can be read while a lock is held.
    var number: UInt64? { lock.withLock { current?.number } }

    /// Sets the closure.
    ///
    /// - Returns: The previous one.
    func set(_ source: Source) -> Source? {
        lock.withLock {
            let old = current
            current = source
            current?.number = ListContents<Value>.nextGeneration()
            return old
        }
    }

    /// Joins the call for a place, or begins one.
    ///
    /// A call of before the list was replaced or another loader was set isn't joined, but ended. The returned call isn't cancelled
    /// until ``leave(_:)`` was called as often as this.
    ///
    /// - Parameters:
    ///   - request: The page to load.
    ///   - replacesNewerWrites: Whether the entities of the page replace writes that are made after the beginning of the call.
    ///   - caller: The call of a fetcher or loader that is going to wait, or `nil` if there is none.
    /// - Returns: The call, whether the caller must start it, and the calls that it has ended; or the reason why there is none.
    func join(
        _ request: ListRequest<Value>,
        replacesNewerWrites: Bool,
        caller: FetchGraphNode?
    ) -> Result<(call: ListCall<Value>, isNew: Bool, ended: [ListCall<Value>]), ListJoinFailure> {
        let joined: Result<(call: ListCall<Value>, isNew: Bool, ended: [ListCall<Value>]), ListJoinFailure>
        joined = lock.withLock {
            let running = call(for: request, replacesNewerWrites)
            // The page would not fit the list any more.
            if running == nil, request.endedJoins != joinCount { return .failure(.outdated) }
            let call = running ?? ListCall(request, number: lastNumber + 1)
            if let caller, !caller.wait(for: call.node, ofListWith: calls.values.map { $0.node }) {
                return .failure(.cyclic)
            }
            if replacesNewerWrites { call.replacesNewerWrites = true }
            call.waiterCount += 1
            if running != nil { return .success((call, false, [])) }
            lastNumber += 1
            var ended = [calls.updateValue(call, forKey: request.place)].compactMap { $0 }
            if request.place == .first {
                ended += calls.values.filter { $0 !== call }
                calls = [.first: call]
            }
            return .success((call, true, ended))
        }
        if case .success(let success) = joined { for call in success.ended { call.drop() } }
        return joined
    }

    /// The call that a request joins, or `nil` if it needs a new one.
    ///
    /// A request joins a call whose page is joining the list only if it was made before the commit of the page. A request by an
    /// observer of this commit is for a newer page.
    private func call(for request: ListRequest<Value>, _ replacesNewerWrites: Bool) -> ListCall<Value>? {
        if let call = calls[request.place] { return call.serves(request) ? call : nil }
        // What the page replaces is already determined.
        return joining.last {
            $0.serves(request) && $0.hasNotJoined(asOf: request) && (!replacesNewerWrites || $0.replacesNewerWrites)
        }
    }

    /// Leaves a call, which is cancelled if nobody waits for it any more.
    ///
    /// - Returns: Whether it was cancelled.
    func leave(_ call: ListCall<Value>) -> Bool {
        let isAbandoned = lock.withLock {
            call.waiterCount -= 1
            let isRunning = calls[call.request.place] === call
            guard call.waiterCount == 0, isRunning || joining.contains(where: { $0 === call }) else { return false }
            if isRunning { calls[call.request.place] = nil }
            joining.removeAll { $0 === call }
            return true
        }
        if isAbandoned { call.drop() }
        return isAbandoned
    }

    /// The condition under which the entities of a call's page are stored.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - revision: The revision at its beginning.
    func condition(of call: ListCall<Value>, since revision: CacheRevision) -> WriteCondition {
        let replacesNewerWrites = lock.withLock { call.replacesNewerWrites }
        return .response(since: revision, replacesNewerWrites: replacesNewerWrites)
    }

    /// Ends a call before its page joins, so that those whom the commit notifies don't join the call.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isJoining: Whether its page is to join the list. Then ``endJoining(_:)`` must be called after that.
    /// - Returns: Whether it was one of the calls, and not dropped.
    func end(_ call: ListCall<Value>, isJoining: Bool = false) -> Bool {
        lock.withLock {
            guard calls[call.request.place] === call else { return false }
            calls[call.request.place] = nil
            if isJoining { joining.append(call) }
            return true
        }
    }

    /// Notes that the page of a call has joined the list, or didn't.
    func endJoining(_ call: ListCall<Value>) {
        lock.withLock {
            joining.removeAll { $0 === call }
            joinCount += 1
        }
    }

    /// Ends all calls without effect.
    ///
    /// - Returns: The calls.
    @discardableResult
    func dropAll() -> [ListCall<Value>] {
        let dropped = lock.withLock {
            defer {
                calls = [:]
                joining = []
            }
            return Array(calls.values)
        }
        for call in dropped { call.drop() }
        return dropped
    }

    override func dropCalls() { dropAll() }
}

/// The reason why a request has no call.
enum ListJoinFailure: Error {
    /// A call of the list waits for the caller.
    case cyclic
    /// A page has joined the list since the state was read of which the request was made.
    case outdated
}

/// A loader without its static type.
class ErasedListLoader: @unchecked Sendable {  // It has no variables.
    /// Ends all calls without effect.
    func dropCalls() {}
}

/// A place of a list where a page belongs.
enum ListPlace: Hashable, Sendable {
    case first, end
    /// The gap with a number.
    case gap(UInt64)
}

/// A page to load.
struct ListRequest<Value: Cachable>: Sendable {
    let list: CachedList<Value>
    let place: ListPlace
    let joining: ListJoining
    let source: ListLoader<Value>.Source
    let cursor: (any Sendable)?
    /// The confirmed contents when the page was asked for.
    let contents: ListContents<Value>
    /// What was known of the pages then.
    let endNumber: UInt64
    let lastFirstCall: UInt64
    let invalidations: Int
    /// The number of pages that had joined before.
    let endedJoins: UInt64

    /// The generation of the contents to which the page belongs.
    var generation: UInt64 { contents.generation }
}

/// A loaded page, and what stores its entities.
struct LoadedWork<Value: Cachable>: Sendable {
    let content: PayloadContent
    let store: @Sendable (FlatCache, WriteCondition) -> [Value.ID]
    let next: (any Sendable)?
}

/// A call of a loader.
final class ListCall<Value: Cachable>: @unchecked Sendable {  // Locks guard the variables.
    let request: ListRequest<Value>
    let number: UInt64
    /// The node of the call in the graph of calls that wait for each other.
    let node = FetchGraphNode()
    private let waiters = Waiters()
    /// The number of those who wait, which the lock of the loader guards.
    var waiterCount = 0
    /// Whether entities of the page replace newer writes, which the lock of the loader guards.
    var replacesNewerWrites = false
    private let lock = Lock()
    private var task: Task<Void, Never>?
    private var hasDropped = false
    private var result: Result<Bool, any Error>?

    init(_ request: ListRequest<Value>, number: UInt64) {
        self.request = request
        self.number = number
    }

    /// Whether the page of the call had not joined the list when a request for its place was made.
    func hasNotJoined(asOf later: ListRequest<Value>) -> Bool {
        switch request.place {
        case .first: later.lastFirstCall < number
        case .end: later.endNumber == request.endNumber
        // A request for a gap is made while there is this gap.
        case .gap: true
        }
    }

    /// Whether the page of the call is that of a later request for the same place.
    func serves(_ later: ListRequest<Value>) -> Bool {
        request.generation == later.generation && request.source.number >= later.source.number
    }

    /// Whether the page isn't to join the list.
    var isDropped: Bool { lock.withLock { hasDropped } }

    /// Starts the task, unless the call was dropped.
    func start(_ body: @escaping @Sendable () async -> Void) {
        // The executor distinguishes the tasks of a loader from those that it starts.
        let task = Task(executorPreference: FetcherExecutor.shared, operation: body)
        let isDropped = lock.withLock {
            self.task = task
            return hasDropped
        }
        if isDropped { task.cancel() }
    }

    /// Waits for the end.
    ///
    /// - Returns: Whether a page has joined the list.
    func wait() async throws -> Bool {
        try await waiters.wait()
        return try lock.withLock { result }?.get() ?? false
    }

    /// Sets the result, unless there is one, and ends the wait of all.
    func finish(_ result: Result<Bool, any Error>) {
        lock.withLock { if self.result == nil { self.result = result } }
        waiters.finish()
    }

    /// Ends the wait of all without a page, and cancels the task.
    func drop() {
        let task = lock.withLock {
            hasDropped = true
            return self.task
        }
        finish(.success(false))
        task?.cancel()
    }
}

/// The loaders of the lists of a cache.
final class ListLoaders: @unchecked Sendable {  // The lock guards the variable.
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String
    }

    private let lock = Lock()
    private var loaders: [Key: ErasedListLoader] = [:]

    /// The loader of a list, created if there is none.
    func loader<Value: Cachable>(of list: CachedList<Value>) -> ListLoader<Value> {
        let key = Key(type: ObjectIdentifier(Value.self), name: list.name)
        let loader = lock.withLock {
            if let loader = loaders[key] { return loader }
            let made = ListLoader<Value>()
            loaders[key] = made
            return made
        }
        // The type is part of the key.
        return unsafeDowncast(loader, to: ListLoader<Value>.self)
    }

    /// Ends the calls of a list without effect.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - number: The number of the last loader that is removed, or `nil` for none.
    /// - Returns: The calls.
    func dropCalls<Value: Cachable>(
        of list: CachedList<Value>,
        removingLoaderUpTo number: UInt64?
    ) -> [ListCall<Value>] {
        let key = Key(type: ObjectIdentifier(Value.self), name: list.name)
        // The type is part of the key.
        let loader = lock.withLock { () -> ListLoader<Value>? in
            guard let loader = loaders[key].map({ unsafeDowncast($0, to: ListLoader<Value>.self) }) else { return nil }
            if let number, loader.number.map({ $0 <= number }) ?? true { loaders[key] = nil }
            return loader
        }
        return loader?.dropAll() ?? []
    }

    /// Ends all calls without effect, because all entities are removed.
    func dropCalls() {
        for loader in lock.withLock({ Array(loaders.values) }) { loader.dropCalls() }
    }
}
