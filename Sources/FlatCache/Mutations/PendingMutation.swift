/// A change that readers see at once and that the server has not confirmed yet, without the type of its answer.
///
/// All members can be used from any thread.
public class PendingMutation: @unchecked Sendable {  // The lock guards the variables.
    /// What happens to a mutation.
    public enum State: Sendable {
        /// It waits until mutations before it have ended.
        case waiting
        /// It is being sent.
        case sending
        /// The server has confirmed it.
        case confirmed
        /// Sending it has failed, and its changes were dropped.
        case failed(any Error)
        /// It was cancelled or replaced before it was sent, or all entities were removed.
        case dropped(MutationError)
    }

    @usableFromInline let number: UInt64
    let steps: [any MutationStep]
    let order: MutationOrder
    /// What a store keeps of the mutation, or `nil` if it isn't kept.
    let stored: StoredMutation?
    /// Whether a store keeps it, which takes less time than a copy of ``stored``.
    let isStored: Bool
    let reference: WeakReference<FlatCache>
    /// The mutations with the same key, if it has one, guarded by the lock of the queue.
    @exclusivity(unchecked) var line: MutationLine?
    /// The place among the mutations in the order in which they were added to the queue, which is set once.
    ///
    /// A mutation waits only for those before it, so none wait for each other.
    @exclusivity(unchecked) var entry: UInt64 = 0
    /// The mutation that the task sends, or `nil` for none.
    @TaskLocal static var sending: PendingMutation?
    /// The mutation in whose `send` closure this one was begun, or `nil` for none.
    private let outer = PendingMutation.sending
    /// All mutations have one lock, which is held for some instructions, because a lock of its own would take each one memory.
    private static let lock = Lock()
    @exclusivity(unchecked) private var current = State.waiting {
        didSet { isOver = !current.isPending }
    }
    /// Whether the end has begun, which takes less time than a copy of the state.
    @exclusivity(unchecked) private var isOver = false
    /// Whether it was being sent when its end began.
    @exclusivity(unchecked) private var wasSending = false
    /// The last commit before it was sent, set before the state.
    @exclusivity(unchecked) var sentRevision: UInt64 = 0
    /// The errors of changes without an effect, by the place of the change.
    @exclusivity(unchecked) private var failures: [Int: any Error] = [:]
    @exclusivity(unchecked) private var hasBegun = false
    @exclusivity(unchecked) private var isReady = false
    @exclusivity(unchecked) private var isDue = false
    /// The mutations that must end before this one is sent, which keep it until then.
    @exclusivity(unchecked) private var obstacles: Set<ObjectIdentifier> = []
    /// The insertions without which the mutation can't be sent.
    @exclusivity(unchecked) private var needed: Set<ObjectIdentifier> = []
    /// The mutations that are sent after this one, or `nil` after it has ended.
    @exclusivity(unchecked) private var followers: [PendingMutation]? = []
    /// Those who wait for the end, or `nil` if nobody has.
    @exclusivity(unchecked) private var waiters: Waiters?
    /// Whether those who wait were resumed.
    @exclusivity(unchecked) private var hasEnded = false

    init(
        number: UInt64,
        _ steps: [any MutationStep],
        _ order: MutationOrder,
        _ stored: consuming StoredMutation?,
        in reference: WeakReference<FlatCache>
    ) {
        self.number = number
        self.steps = steps
        self.order = order
        isStored = stored != nil
        self.stored = stored
        self.reference = reference
    }

    /// The current state, which changes with the commit that confirms or drops the changes.
    public var state: State {
        let (last, previous): (State, State?) = PendingMutation.lock.withLock {
            let isEnding = !hasEnded && isOver
            return (current, isEnding ? (wasSending ? .sending : .waiting) : nil)
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
    /// A mutation that is being sent stays until the answer, because the server may have it already.
    ///
    /// - Returns: Whether the changes were dropped. If not, the mutation is being sent or has ended.
    @discardableResult
    public func cancel() -> Bool {
        if dropBeforeBeginning() { return true }
        guard let cache = reference.object else { return false }
        if cache.mutations.remove(self) {
            guard drop(.cancelled, removingLayers: { cache.removeLayers(of: self, .dropped(nil)) }) else {
                return false
            }
        } else {
            guard withdraw(because: .cancelled, in: cache) else { return false }
        }
        cache.dropFollowers(of: self, because: MutationError.cancelled)
        return true
    }

    /// Begins, unless it was cancelled before.
    func enterBeginning() -> Bool {
        PendingMutation.lock.withLock {
            hasBegun = !isOver
            return hasBegun
        }
    }

    private func dropBeforeBeginning() -> Bool {
        let isDropped = PendingMutation.lock.withLock {
            if hasBegun || isOver { return false }
            current = .dropped(.cancelled)
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
            guard case .waiting = current, !obstacles.isEmpty else { return false }
            current = .dropped(error)
            return true
        }
    }

    /// Ends a mutation that waits for the end of others.
    ///
    /// - Returns: Whether it was waiting.
    func withdraw(because error: MutationError, in cache: FlatCache) -> Bool {
        guard dropUnsent(error) else { return false }
        if case .cancelled = error {
            cache.removeLayers(of: self, .dropped(nil))
        } else {
            cache.removeLayers(of: self, .dropped(error))
        }
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
        let waiters: Waiters? = PendingMutation.lock.withLock {
            hasEnded = true
            return self.waiters
        }
        waiters?.finish()
    }

    /// Starts to send the mutation.
    func send(in cache: FlatCache) {}

    /// Whether it was sent.
    @usableFromInline var isSent: Bool {
        PendingMutation.lock.withLock {
            if case .sending = current { true } else { wasSending }
        }
    }

    /// Whether an earlier process has begun it.
    var isReplay: Bool {
        if case .bytes = stored?.arguments { true } else { false }
    }

    /// Whether it inserts an entity with an identifier that the server replaces.
    var isInsertion: Bool { steps.contains { $0.isTemporary } }

    /// Whether it inserts such an entity, as far as it is known.
    var mayInsert: Bool { isInsertion }

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

    /// Changes the state, unless the mutation has ended.
    ///
    /// - Returns: Whether the state was changed.
    func enter(_ state: State) -> Bool {
        PendingMutation.lock.withLock {
            if isOver { return false }
            if case .sending = current { wasSending = true }
            current = state
            return true
        }
    }

    /// Notes that the layers are there, so that the mutation can be sent.
    ///
    /// - Parameter isFirst: Whether nothing is to be sent before.
    /// - Returns: Whether it is to be sent now, or `nil` if it has ended.
    func becomeReady(isFirst: Bool) -> Bool? {
        PendingMutation.lock.withLock {
            if isOver { return nil }
            isReady = true
            if isFirst { isDue = true }
            return isDue && obstacles.isEmpty
        }
    }

    /// Notes that nothing is to be sent before.
    ///
    /// - Returns: Whether it is to be sent now. If not, its layers aren't there yet.
    func becomeDue() -> Bool {
        PendingMutation.lock.withLock {
            isDue = true
            return isReady && obstacles.isEmpty
        }
    }

    /// Lets the mutation be sent after another one has ended, unless that has.
    ///
    /// - Parameters:
    ///   - other: The other mutation.
    ///   - isNeeded: Whether the other one inserts what this one changes, so that this one fails if that does.
    func wait(for other: PendingMutation, isNeeded: Bool = false) {
        let isNew = PendingMutation.lock.withLock {
            if isNeeded { needed.insert(ObjectIdentifier(other)) }
            return obstacles.insert(ObjectIdentifier(other)).inserted
        }
        if !isNew { return }
        let isAdded = PendingMutation.lock.withLock {
            other.followers?.append(self)
            return other.followers != nil
        }
        if !isAdded { PendingMutation.lock.withLock { _ = obstacles.remove(ObjectIdentifier(other)) } }
    }

    /// Whether the mutation was begun while another one was sent, which may wait for it.
    func isBegun(in other: PendingMutation) -> Bool { outer.map { $0 === other || $0.isBegun(in: other) } ?? false }

    /// Whether the mutation can't be sent without an insertion.
    func needs(_ insertion: PendingMutation) -> Bool {
        PendingMutation.lock.withLock { needed.contains(ObjectIdentifier(insertion)) }
    }

    /// Notes that a mutation has ended for which this one waits.
    ///
    /// - Returns: Whether this one is to be sent now.
    func doesNotWait(for other: PendingMutation) -> Bool {
        PendingMutation.lock.withLock {
            obstacles.remove(ObjectIdentifier(other))
            return isReady && isDue && obstacles.isEmpty
        }
    }

    /// Removes and returns the mutations that wait for this one, because it has ended.
    func takeFollowers() -> [PendingMutation] {
        PendingMutation.lock.withLock {
            defer { followers = nil }
            return followers ?? []
        }
    }

    /// Waits until the mutation has ended, and throws its error if it has failed.
    package func waitForEnd() async throws {
        let waiters: Waiters? = PendingMutation.lock.withLock {
            if hasEnded { return nil }
            let waiters = self.waiters ?? Waiters()
            self.waiters = waiters
            return waiters
        }
        try await waiters?.wait()
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
