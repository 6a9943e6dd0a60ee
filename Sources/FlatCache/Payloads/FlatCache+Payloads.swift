extension FlatCache {
    /// Stores all entities of a payload in one commit, which notifies each observer once.
    ///
    ///     let stored = cache.store(payload)
    ///     stored.value                // the entities as they are stored now
    ///     stored.problems             // the parts that can't be read or stored
    ///
    /// Properties that the payload leaves out keep their values in the state of the commit, so concurrent writes are not
    /// lost. If the payload has an entity several times, each is merged, in order.
    ///
    /// In a transaction, the result is read from the state of the transaction. So the entities of the result are reads of
    /// the body, which runs again if another thread changes one of them.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written or removed since, also by
    ///     a transaction around this call, are left as they are, because the response may be older than the write.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The stored entities and the problems.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    @discardableResult
    public func store<Root>(
        _ payload: some PayloadConvertible<Root>,
        since revision: CacheRevision? = nil,
        origin: Origin = .server
    ) -> StoredPayload<Root> {
        let payload = payload.payload
        return store(payload.content, payload.root, if: .response(since: revision), origin: origin)
    }

    /// Stores all entities of a payload in one commit, or throws the first problem and stores nothing.
    ///
    ///     let stored = try cache.store(payload, strict: true)
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - strict: Whether a problem is thrown. If `false`, this method doesn't throw.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written or removed since are left
    ///     as they are.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The stored entities and the problems.
    /// - Throws: The first problem of the payload, or of storing it.
    /// - Complexity: O(*n*) on average for *n* entities and the observers of their keys.
    @discardableResult
    public func store<Root>(
        _ payload: some PayloadConvertible<Root>,
        strict: Bool,
        since revision: CacheRevision? = nil,
        origin: Origin = .server
    ) throws(PayloadProblem) -> StoredPayload<Root> {
        let payload = payload.payload
        return try store(payload.content, payload.root, strict: strict, since: revision, origin: origin)
    }

    /// The revision of the newest commit.
    ///
    ///     let revision = cache.revision()
    ///     let data = try await server.statuses()
    ///     cache.store(try decoder.decode(Payload<[Status]>.self, from: data), since: revision)
    ///
    /// ``load(_:with:strict:isolation:_:)`` does this by itself.
    ///
    /// - Complexity: O(1).
    public func revision() -> CacheRevision { CacheRevision(number: history.lastRevision) }

    /// Stores entities and patches in one commit.
    ///
    /// - Parameter request: The request of the app that they answer, or `nil` for none.
    func store<Root>(
        _ content: PayloadContent,
        _ root: PayloadRoot<Root>,
        if condition: WriteCondition,
        origin: Origin,
        of request: RunningRequest? = nil
    ) -> StoredPayload<Root> {
        let outcome = StoringOutcome(of: request)
        // In a transaction of the caller, the outcome must be known before its commit.
        let isImmediate = history.snapshotOfThread != nil
        transaction(from: origin) { store(content, if: condition, isImmediate: isImmediate, outcome) }
        outcome.noteCommit(in: self)
        return StoredPayload(content, root, outcome, in: self)
    }

    /// Stores entities and patches in one commit, or throws the first problem and stores nothing.
    func store<Root>(
        _ content: PayloadContent,
        _ root: PayloadRoot<Root>,
        strict: Bool,
        since revision: CacheRevision?,
        origin: Origin
    ) throws(PayloadProblem) -> StoredPayload<Root> {
        try store(content, root, strict: strict, if: .response(since: revision), origin: origin)
    }

    /// Stores entities and patches in one commit, or throws the first problem and stores nothing.
    func store<Root>(
        _ content: PayloadContent,
        _ root: PayloadRoot<Root>,
        strict: Bool,
        if condition: WriteCondition,
        origin: Origin,
        of request: RunningRequest? = nil
    ) throws(PayloadProblem) -> StoredPayload<Root> {
        guard strict else { return store(content, root, if: condition, origin: origin, of: request) }
        if let problem = content.problems.first { throw problem }
        let outcome = StoringOutcome(of: request)
        try transaction(from: origin) { () throws(PayloadProblem) in
            store(content, if: condition, isStrict: true, outcome)
            if let problem = outcome.problems.first { throw problem }
        }
        outcome.noteCommit(in: self)
        return StoredPayload(content, root, outcome, in: self)
    }

    /// Stores the response to a request of the app, and runs a body, in one commit.
    ///
    /// - Parameter body: A closure that makes other changes. It receives the result as the transaction reads it, and may run more
    ///   than once.
    /// - Throws: The first problem, if storing is strict.
    func store<Root>(
        _ content: PayloadContent,
        _ root: PayloadRoot<Root>,
        strict: Bool,
        of request: RunningRequest,
        _ body: (StoredPayload<Root>) -> Void
    ) throws(PayloadProblem) -> StoredPayload<Root> {
        if strict, let problem = content.problems.first { throw problem }
        let outcome = StoringOutcome(of: request)
        try transaction(from: .server) { () throws(PayloadProblem) in
            let condition = WriteCondition.response(since: request.since)
            store(content, if: condition, isImmediate: true, isStrict: strict, outcome)
            if strict, let problem = outcome.problems.first { throw problem }
            body(StoredPayload(content, root, outcome, in: self))
        }
        outcome.noteCommit(in: self)
        return StoredPayload(content, root, outcome, in: self)
    }

    /// Stores the entities of a payload in the transaction of the calling thread.
    private func store(
        _ content: PayloadContent,
        if condition: WriteCondition,
        isImmediate: Bool = false,
        isStrict: Bool = false,
        _ outcome: StoringOutcome
    ) {
        guard let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction else { return }
        outcome.begin(transaction, in: self)
        var terms = IncomingTerms(snapshot: snapshot, isImmediate: isImmediate, isStrict: isStrict)
        terms.condition = condition
        for part in content.parts { part.store(in: transaction, of: self, terms, outcome) }
    }
}

extension WriteCondition {
    /// The condition of the entities of a response.
    ///
    /// - Parameters:
    ///   - revision: A revision from before the request, or `nil` if it isn't known.
    ///   - replacesNewerWrites: Whether entities that were written since are replaced.
    static func response(since revision: CacheRevision?, replacesNewerWrites: Bool = false) -> WriteCondition {
        guard let revision else { return .always }
        return WriteCondition(since: revision.number, replacesNewerWrites: replacesNewerWrites, isPinned: false)
    }
}

/// The result of storing a payload or patches.
public struct StoredPayload<Root: Sendable>: Sendable {
    /// The root of the payload, or `nil` if it could not be decoded.
    ///
    /// If the root is an entity, or an array or a dictionary of entities, these are the entities as they were stored
    /// after the commit, in the order of the payload. Incomplete entities are left out. Any other root is the value
    /// that was decoded. Entities in it are not merged, and incomplete entities are left out of its arrays and
    /// dictionaries, or are `nil`. So are unions and structures that are decoded from the same object as an incomplete
    /// entity. A structure that needs stored entities can have identifiers with an annotation instead of entities.
    ///
    /// If the root has patches, they are returned as they were decoded. To read the changed entities, use
    /// ``ids(of:)``. For patches that were stored without a payload, these are the changed entities.
    public let value: Root?

    /// The problems of the payload, and entities that could not be stored.
    public let problems: [PayloadProblem]

    /// Whether the response had entities or other values.
    ///
    /// It is `false` only for a request of the app that has thrown ``FlatCache/FlatCache/NotModified``. Then there is no value.
    public let isModified: Bool

    private let parts: [PayloadPart]

    /// Creates the result of a response that nothing was modified.
    init() {
        value = nil
        problems = []
        isModified = false
        parts = []
    }

    init(_ content: PayloadContent, _ root: PayloadRoot<Root>, _ outcome: StoringOutcome, in cache: FlatCache) {
        value = cache.readTogether { root.value(in: cache) }
        problems = content.problems + outcome.problems
        isModified = true
        parts = content.parts
    }

    /// Returns the identifiers of all entities and patched entities of a type in the payload, in its order, each once.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(*n*) on average for *n* entities of the type.
    public func ids<Entity: Cachable>(of type: Entity.Type) -> [Entity.ID] {
        parts.first(from: { $0.ids(of: type) }) ?? []
    }
}

/// The problems of storing a payload, in the last run of the transaction.
final class StoringOutcome {
    /// The outcomes of the entities that may not be stored, in the order of the payload.
    private var outcomes: [PayloadProblem?] = []
    private var losses: [PayloadProblem] = []
    private var lostProperties: Set<LostProperty> = []
    private let request: RunningRequest?
    /// The revisions of commits that responses to older requests have made since the request began.
    private(set) var olderRevisions: Set<UInt64> = []
    private var transaction: Transaction?

    /// Creates the problems of storing a response.
    ///
    /// - Parameter request: The request of the app, or `nil` for none.
    init(of request: RunningRequest?) {
        self.request = request
    }

    private struct LostProperty: Hashable {
        let type: ObjectIdentifier
        let name: String
    }

    var problems: [PayloadProblem] { outcomes.compactMap { $0 } + losses }

    /// Begins a run.
    func begin(_ transaction: Transaction, in cache: FlatCache) {
        if let request {
            self.transaction = transaction
            olderRevisions = cache.requests.olderNumbers(since: request)
        }
        outcomes = []
        losses = []
        lostProperties = []
    }

    /// Lets newer requests know the commit, after it was made.
    func noteCommit(in cache: FlatCache) {
        guard let request, let transaction, transaction.revision > 0 else { return }
        cache.requests.note(transaction.revision, of: request)
    }

    /// Returns a closure that records the outcome of an entity.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - codingPath: The path of the entity.
    func noting(_ type: any Any.Type, at codingPath: [any CodingKey]) -> ((any Error)?) -> Void {
        let place = outcomes.count
        outcomes.append(nil)
        return { error in
            self.outcomes[place] =
                error.flatMap { $0 is CompletedLater ? nil : PayloadProblem($0, of: type, at: codingPath) }
        }
    }

    /// Records that a property of a type could not be kept, once for all entities.
    func noteLoss(of property: String, of type: any Any.Type) {
        guard lostProperties.insert(LostProperty(type: ObjectIdentifier(type), name: property)).inserted else { return }
        losses.append(PayloadProblem(.cannotKeep(property: property), of: type, at: []))
    }

    /// Records that a value could not be read, once for all runs of a merge.
    func noteLoss(_ problem: PayloadProblem) {
        let path = problem.codingPath.map { $0.stringValue }.joined(separator: ".")
        guard lostProperties.insert(LostProperty(type: ObjectIdentifier(problem.type), name: path)).inserted else {
            return
        }
        losses.append(problem)
    }
}

extension StoredPayload: CustomStringConvertible, CustomReflectable {
    /// A line with the root and the counts: `StoredPayload<Blog.Page>: 20 entities of 2 types, 1 problem`.
    ///
    /// - Complexity: O(*n*) for *n* types.
    public var description: String {
        let facts = isModified ? Summary.payload(parts, problems) : ["not modified"]
        return Summary.line(Summary.name("StoredPayload", of: Root.self), nil, facts)
    }

    /// The value and the problems.
    public var customMirror: Mirror { Mirror(self, children: ["value": value as Any, "problems": problems]) }
}
