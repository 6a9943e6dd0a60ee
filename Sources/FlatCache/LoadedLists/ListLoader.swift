/// The loader of a list, and its calls that have not ended.
///
/// There is one call for each place where a page belongs, which all who ask join. A refresh ends the calls for other places,
/// because their pages may not fit any more.
final class ListLoader<Value: Cachable>: ErasedListLoader, @unchecked Sendable {  // The lock guards the variables.
    typealias Work = @Sendable (ListPageRequest<Value, any Sendable>) async throws -> LoadedWork<Value>

    /// The closure of the user.
    struct Source: Sendable {
        let cursorType: ObjectIdentifier
        let maxAge: Duration?
        /// A number that is greater than those of all loaders that were set before.
        var number: UInt64 = 0
        /// Whether the closure can't be asked for the page around an entity.
        let takesCursorsOnly: Bool
        /// Return the cursors of the pages after and before an entity, or are `nil` if they can't be made of an identifier.
        let cursorAfter: (@Sendable (Value.ID) -> any Sendable)?
        let cursorBefore: (@Sendable (Value.ID) -> any Sendable)?
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

    /// The call for a place that has not ended, or `nil` if there is none.
    func call(at place: ListPlace) -> ListCall<Value>? { lock.withLock { calls[place] } }

    /// Sets the closure.
    ///
    /// - Returns: The previous one.
    func set(_ source: Source) -> Source? {
        lock.withLock {
            let old = current
            current = source
            current?.number = nextListNumber()
            return old
        }
    }

    /// Joins the call for a place, or begins one.
    ///
    /// A call of before the list was replaced or invalidated or another loader was set isn't joined, but ended. The returned call
    /// isn't cancelled until ``leave(_:)`` was called as often as this.
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
            if let around = request.around, around.running != calls[.first]?.number { return .failure(.outdated) }
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
        if case .success(let success) = joined {
            for call in success.ended {
                // Those who wait for the same page wait for the newer one.
                call.drop(isReplaced: call.request.place == request.place && call.hasPage(of: request))
            }
        }
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
    /// A page has joined the list, or another call has begun, since the state was read of which the request was made.
    case outdated
}
