/// A request of the app, from its beginning until its response is stored.
final class RunningRequest: Sendable {
    /// The revision of the last commit before the request.
    let since: CacheRevision

    fileprivate init(since: CacheRevision) {
        self.since = since
    }
}

/// The requests of the app whose responses aren't stored yet.
///
/// The response to an older request that is stored while a newer one runs doesn't know more than the response to the newer
/// one. So the newer request knows the commits of older ones, and doesn't take them for newer writes.
final class RunningRequests: @unchecked Sendable {  // The lock guards the variable.
    /// The running requests in the order in which they began.
    private var running: [(request: RunningRequest, older: Set<UInt64>)] = []
    private let lock = Lock()

    /// Begins a request.
    func begin(in cache: FlatCache) -> RunningRequest {
        lock.withLock {
            let request = RunningRequest(since: cache.revision())
            running.append((request, []))
            return request
        }
    }

    func end(_ request: RunningRequest) {
        lock.withLock { running.removeAll { $0.request === request } }
    }

    /// Notes a number that the response to a request has made known: the revision of its commit, or the generation of a list.
    func note(_ number: UInt64, of request: RunningRequest) {
        lock.withLock {
            guard let place = running.firstIndex(where: { $0.request === request }) else { return }
            for later in running.indices[(place + 1)...] { running[later].older.insert(number) }
        }
    }

    /// The numbers that the responses to older requests have made known since a request began.
    func olderNumbers(since request: RunningRequest) -> Set<UInt64> {
        lock.withLock { running.first { $0.request === request }?.older ?? [] }
    }
}

extension FlatCache {
    /// Runs a request of the app.
    ///
    /// - Parameter body: A closure that makes the request and stores the response.
    func running<Root>(
        isolation: isolated (any Actor)?,
        _ body: (RunningRequest) async throws -> StoredPayload<Root>
    ) async throws -> StoredPayload<Root> {
        try Task.checkCancellation()
        let request = requests.begin(in: self)
        defer { requests.end(request) }
        do {
            return try await body(request)
        } catch {
            // Clients have errors of their own for a cancelled task.
            try Task.checkCancellation()
            guard let answer = error as? NotModified else { throw error }
            for key in answer.keys { markFresh(key, since: request.since) }
            return StoredPayload()
        }
    }

    /// Stores the response to a request, after the entities on which it depends were loaded from the store.
    ///
    /// - Throws: The first problem if storing is strict, or an error if the task is cancelled.
    func store<Root>(
        _ content: PayloadContent,
        _ root: PayloadRoot<Root>,
        strict: Bool,
        of request: RunningRequest,
        isolation: isolated (any Actor)?
    ) async throws -> StoredPayload<Root> {
        let condition = WriteCondition.response(since: request.since)
        return try await withLoaded(content, if: condition, isolation: isolation) { () throws(any Error) in
            try Task.checkCancellation()
            return try store(content, root, strict: strict, if: condition, origin: .server, of: request)
        }
    }
}
