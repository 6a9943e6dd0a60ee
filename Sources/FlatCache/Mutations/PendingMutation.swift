internal import Synchronization

/// A change that readers see at once and that the server has not confirmed yet, without the type of its answer.
///
/// All members can be used from any thread.
public class PendingMutation: @unchecked Sendable {  // The lock guards the variables.
    /// What happens to a mutation.
    public enum State: Sendable {
        /// It waits until mutations before it have ended.
        case waiting
        /// It is being sent, or the server has confirmed it without sending what it has changed.
        case sending
        /// The server has confirmed it.
        case confirmed
        /// Sending it has failed, and its changes were dropped.
        case failed(any Error)
        /// It was cancelled or replaced before it was sent, an entity that it changes was removed by a delete rule before, or all
        /// entities were removed.
        case dropped(MutationError)
    }

    @usableFromInline let number: UInt64
    @usableFromInline let steps: MutationSteps
    let order: MutationOrder
    /// What a store keeps of the mutation, or `nil` if it isn't kept.
    let stored: StoredMutation?
    /// Whether a store keeps it, which takes less time than a copy of ``stored``.
    let isStored: Bool
    /// Whether an earlier process has begun it.
    let isReplay: Bool
    /// Whether it inserts an entity with an identifier that the server replaces.
    let isInsertion: Bool
    let reference: WeakReference<FlatCache>
    /// The mutations with the same key, if it has one, guarded by the lock of the queue.
    @exclusivity(unchecked) var line: MutationLine?
    /// The place among the mutations in the order in which they were added to the queue, which is set once.
    ///
    /// A mutation waits only for those before it, so none wait for each other.
    @exclusivity(unchecked) var entry: UInt64 = 0
    /// The mutation that the task sends, or `nil` for none.
    @TaskLocal static var sending: PendingMutation?
    /// The hash of the task that sends the mutation, set once, before the closure is called.
    @exclusivity(unchecked) var sendingTask = 0
    /// The mutation in whose `send` closure this one was begun, or `nil` for none.
    let outer = PendingMutation.sending
    /// All mutations have one lock, which is held for some instructions, because a lock of its own would take each one memory.
    static let lock = Lock()
    @exclusivity(unchecked) private var current = State.waiting
    /// Whether the end has begun, which takes less time than a copy of the state.
    @exclusivity(unchecked) private(set) var isOver = false
    /// Whether it was sent, changed while the lock is held.
    private let wasSent = Atomic(false)
    /// The last commit before it was sent, set once, before ``wasSent``.
    @exclusivity(unchecked) @usableFromInline private(set) var sentRevision: UInt64 = 0
    /// The errors of changes without an effect, by the place of the change.
    @exclusivity(unchecked) private var failures: [Int: any Error] = [:]
    @exclusivity(unchecked) private var isPostponed = false
    @exclusivity(unchecked) var gate = MutationGate()
    /// The error if a delete rule has removed an entity that only pending mutations show, or `nil`.
    ///
    /// It is an existential, which takes less memory.
    @exclusivity(unchecked) private var removal: (any Error)?
    /// Those who wait for the end, or `nil` if nobody has.
    @exclusivity(unchecked) private var waiters: Waiters?
    /// Those who wait for the answer or the end, or `nil` if nobody has.
    @exclusivity(unchecked) private var answerWaiters: Waiters?
    /// Whether those who wait were resumed.
    @exclusivity(unchecked) private var hasEnded = false
    /// Ends the mutation, which the server has confirmed, when the server has sent what it has changed, or `nil` if it doesn't wait
    /// for that.
    @exclusivity(unchecked) private var completion: (() -> Void)?

    init(
        number: UInt64,
        _ steps: consuming MutationSteps,
        _ order: MutationOrder,
        _ stored: consuming StoredMutation?,
        in reference: WeakReference<FlatCache>
    ) {
        self.number = number
        isInsertion = steps.contains { $0.isTemporary }
        self.steps = steps
        self.order = order
        isStored = stored != nil
        isReplay = if case .bytes = stored?.arguments { true } else { false }
        self.stored = stored
        self.reference = reference
    }

    /// The current state, which changes with the commit that confirms or drops the changes.
    public var state: State {
        let (last, previous): (State, State?) = PendingMutation.lock.withLock {
            let isEnding = !hasEnded && isOver
            return (current, isEnding ? (isSent ? .sending : .waiting) : nil)
        }
        if let previous, let cache = reference.object, hasLayers(in: cache) { return previous }
        return last
    }

    /// Whether the mutation has not ended.
    public var isPending: Bool { state.isPending }

    /// Whether nothing has begun to end the mutation.
    var isOpen: Bool { !PendingMutation.lock.withLock { isOver } }

    /// The ``StorableMutation/storedName`` of the mutation's type, or `nil` if no store keeps the mutation.
    public var storedName: String? { stored?.name }

    /// The idempotency key of a mutation that a store keeps, which is the same after a restart, or `nil` if none keeps it.
    public var idempotencyKey: String? { stored?.id }

    /// The keys of the entities that the mutation changes, each once, in the order of its changes.
    ///
    /// Lists and references aren't included. If an identifier was replaced, the key has the new one. After the cache is
    /// deallocated, there are none.
    public var keys: [FlatCacheKey] {
        guard let cache = reference.object else { return [] }
        return KeySet(steps.map { $0.key(of: self, in: cache) }).keys.filter {
            !($0.entityType is any InternalEntity.Type)
        }
    }

    /// The keys with changes that have no effect, each with the reason of the first one.
    ///
    /// A change has no effect while its entity is missing, or if its closure throws. It is made again when the confirmed entity
    /// changes, and then it can succeed. If an identifier was replaced, the key has the new one. After the cache is deallocated,
    /// there are none.
    public var problems: [FlatCacheKey: any Error] {
        let failures = PendingMutation.lock.withLock { self.failures }
        guard !failures.isEmpty, let cache = reference.object else { return [:] }
        let problems = failures.sorted { $0.key < $1.key }.map { (steps[$0].key(of: self, in: cache), $1) }
        return Dictionary(problems) { first, _ in first }
    }

    /// Drops the changes of a mutation that isn't sent yet, or that a running transaction begins.
    ///
    /// A mutation that is being sent stays until the answer, because the server may have it already. After the answer,
    /// one that waits for an inserted entity, or for an entity that has reached a position, can be dropped, with all
    /// its changes, also the places in lists of the entities that have come.
    ///
    /// In a transaction, this isn't undone if the transaction throws. A mutation that is cancelled in the transaction
    /// that begins it has never begun: another insertion of the same entity is sent.
    ///
    /// - Returns: Whether the changes were dropped. If not, the mutation is being sent or has ended.
    @discardableResult
    public func cancel() -> Bool {
        if dropPostponed() { return true }
        guard let cache = reference.object else { return false }
        return dropWaiting(.cancelled, in: cache)
    }

    /// Ends a mutation that waits for others, or for what the server has confirmed, and those that need it.
    ///
    /// - Returns: Whether it was waiting.
    private func dropWaiting(_ error: MutationError, in cache: FlatCache) -> Bool {
        if cache.mutations.remove(self) || isAnswered {
            guard drop(error, removingLayers: { cache.removeLayers(of: self, error.outcome) }) else { return false }
            cache.sendNext(after: self)
        } else {
            guard withdraw(because: error, in: cache) else { return false }
        }
        cache.dropFollowers(of: self, because: error)
        return true
    }

    /// Ends a mutation that isn't sent, because a delete rule has removed an entity that only pending mutations show.
    ///
    /// One that is being sent goes on, but those that need the entity end with it.
    func refuse(_ error: MutationError, in cache: FlatCache) {
        PendingMutation.lock.withLock { removal = error }
        _ = dropWaiting(error, in: cache)
    }

    /// The error if a delete rule has removed an entity that only pending mutations show, or `nil`.
    var refusal: MutationError? { PendingMutation.lock.withLock { removal } as? MutationError }

    /// Forgets the error, because the server has confirmed the mutation and its entities are stored.
    func endRefusal() { PendingMutation.lock.withLock { removal = nil } }

    /// Makes a mutation that no other thread knows begin later.
    func postpone() { isPostponed = true }

    /// Begins, unless it was cancelled before.
    func endPostponement() -> Bool {
        PendingMutation.lock.withLock {
            isPostponed = false
            return !isOver
        }
    }

    private func dropPostponed() -> Bool {
        let isDropped = PendingMutation.lock.withLock {
            if !isPostponed || isOver { return false }
            set(.dropped(.cancelled))
            return true
        }
        if isDropped { finish() }
        return isDropped
    }

    /// Changes the state of a mutation that waits for the end of others.
    ///
    /// - Returns: Whether it was waiting.
    func dropUnsent(_ error: MutationError) -> Bool {
        PendingMutation.lock.withLock {
            guard case .waiting = current, gate.isBlocked else { return false }
            set(.dropped(error))
            return true
        }
    }

    /// Ends a mutation that waits for the end of others.
    ///
    /// - Returns: Whether it was waiting.
    func withdraw(because error: MutationError, in cache: FlatCache) -> Bool {
        guard dropUnsent(error) else { return false }
        cache.removeLayers(of: self, error.outcome)
        cache.sendNext(after: self)
        finish()
        return true
    }

    /// Ends the mutation, unless it has ended.
    ///
    /// The state comes first: if the layers are being added meanwhile, the thread that adds them finds that they must be removed.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - removeLayers: Removes the layers.
    /// - Returns: Whether the mutation was ended.
    @discardableResult
    func drop(_ error: MutationError, removingLayers removeLayers: () -> Void = {}) -> Bool {
        guard enter(.dropped(error)) else { return false }
        removeLayers()
        finish()
        return true
    }

    /// Resumes those who wait for the end.
    func finish() {
        let (waiters, answerWaiters, completion) = PendingMutation.lock.withLock {
            hasEnded = true
            defer { self.completion = nil }
            return (self.waiters, self.answerWaiters, self.completion)
        }
        withExtendedLifetime(completion) {}
        waiters?.finish()
        answerWaiters?.finish()
    }

    /// Whether an entity that it has inserted hasn't come from the server yet, and is recognized when it comes.
    func awaitsInsertions(in cache: FlatCache) -> Bool { steps.contains { $0.isAwaited(of: self, in: cache) } }

    /// Resumes those who wait for the answer, which doesn't end the mutation.
    ///
    /// - Parameters:
    ///   - note: Notes the answer, unless the mutation was dropped meanwhile.
    ///   - completion: Ends the mutation.
    func noteAnswer(_ note: () -> Void, _ completion: @escaping () -> Void) {
        let waiters: Waiters? = PendingMutation.lock.withLock {
            if !isOver {
                note()
                self.completion = completion
            }
            return answerWaiters
        }
        waiters?.finish()
    }

    /// Ends a mutation that the server has confirmed, because the server has sent what it has changed.
    func end() {
        let completion: (() -> Void)? = PendingMutation.lock.withLock {
            defer { self.completion = nil }
            return self.completion
        }
        completion?()
    }

    /// Whether the server has confirmed the mutation, which waits until the server sends what it has changed.
    var isAnswered: Bool { PendingMutation.lock.withLock { completion != nil } }

    /// Starts to send the mutation.
    func send(in cache: FlatCache) {}

    /// The name of the type in descriptions.
    var typeName: String { "PendingMutation" }

    /// Whether it was sent.
    @usableFromInline var isSent: Bool { wasSent.load(ordering: .acquiring) }

    /// Whether its changes wait for those of earlier mutations: a removal of everything has dropped all earlier ones.
    @usableFromInline func mayWait(in cache: FlatCache) -> Bool { !cache.mutations.beganBeforeRemoval(self) }

    /// Whether it inserts such an entity, as far as it is known.
    var mayInsert: Bool { isInsertion }

    /// Whether an earlier process has begun it, and this one hasn't begun it again.
    var isWaitingReplay: Bool { false }

    /// Whether a key has a layer of the mutation.
    func hasLayers(in cache: FlatCache) -> Bool {
        steps.contains { $0.layerNumbers(of: self, in: cache).contains(number) }
    }

    /// Notes whether a change has an effect.
    ///
    /// - Parameters:
    ///   - error: The reason why it has none, or `nil` if it has.
    ///   - place: The place of the change among those of the mutation.
    func note(_ error: (any Error)?, at place: Int) {
        let old: (any Error)? = PendingMutation.lock.withLock {
            let old = failures[place]
            failures[place] = error
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// The reason why a change has no effect, or `nil` if it has.
    func failure(at place: Int) -> (any Error)? { PendingMutation.lock.withLock { failures[place] } }

    /// Ends the mutation with a state, unless it has ended.
    ///
    /// - Returns: Whether the state was changed.
    func enter(_ state: State) -> Bool {
        PendingMutation.lock.withLock {
            if isOver { return false }
            set(state)
            return true
        }
    }

    /// Begins to send the mutation, unless it has ended, or another thread sends it already.
    ///
    /// - Parameter revision: The revision of the last commit.
    /// - Returns: Whether it is to be sent.
    func enterSending(at revision: UInt64) -> Bool {
        PendingMutation.lock.withLock {
            if isOver || isSent { return false }
            sentRevision = revision
            set(.sending)
            wasSent.store(true, ordering: .releasing)
            return true
        }
    }

    /// Changes the state, while the lock is held.
    private func set(_ state: consuming State) {
        isOver = !state.isPending
        current = state
    }

    /// Waits until the mutation has ended, and throws its error if it has failed.
    package func waitForEnd() async throws {
        let waiters: Waiters? = PendingMutation.lock.withLock {
            if hasEnded { return nil }
            let waiters = self.waiters ?? Waiters()
            self.waiters = waiters
            return waiters
        }
        if let waiters { try await wait(for: waiters) }
        try throwError()
    }

    /// Waits until the server has answered or the mutation has ended.
    func waitForAnswer() async throws {
        let waiters: Waiters? = PendingMutation.lock.withLock {
            if hasEnded || completion != nil { return nil }
            let waiters = answerWaiters ?? Waiters()
            answerWaiters = waiters
            return waiters
        }
        if let waiters { try await wait(for: waiters) }
    }

    /// Throws the error of a mutation that has failed or was dropped.
    func throwError() throws {
        switch state {
        case .failed(let error): throw error
        case .dropped(let error): throw error
        case .waiting, .sending, .confirmed: break
        }
    }
}

extension PendingMutation.State {
    /// Whether a mutation in this state has not ended.
    var isPending: Bool {
        switch self {
        case .waiting, .sending: true
        case .confirmed, .failed, .dropped: false
        }
    }
}
