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
    let reference: WeakReference<FlatCache>
    private let lock = Lock()
    private var current = State.waiting
    private var failures: [FlatCacheKey: any Error] = [:]
    private var isReady = false
    private var isDue = false

    init(number: UInt64, _ steps: [any MutationStep], _ order: MutationOrder, in reference: WeakReference<FlatCache>) {
        self.number = number
        self.steps = steps
        self.order = order
        self.reference = reference
    }

    /// The current state.
    public var state: State { lock.withLock { current } }

    /// Whether the mutation has not ended.
    public var isPending: Bool { lock.withLock { current.isPending } }

    /// The keys of the entities that the mutation changes, in the order of its changes.
    ///
    /// Lists and references aren't included.
    public var keys: [FlatCacheKey] { steps.map { $0.key }.filter { !($0.entityType is any InternalEntity.Type) } }

    /// The keys on which the mutation has no effect, each with the reason.
    ///
    /// A change has no effect while its entity is missing, or if its closure throws. It is made again when the confirmed entity
    /// changes, and then it can succeed.
    public var problems: [FlatCacheKey: any Error] { lock.withLock { failures } }

    /// Drops the changes of a mutation that isn't sent yet.
    ///
    /// A mutation that is being sent stays until the answer, because the server may have it already.
    ///
    /// - Returns: Whether the changes were dropped. If not, the mutation is being sent or has ended.
    @discardableResult
    public func cancel() -> Bool {
        guard let cache = reference.object, cache.mutations.remove(self) else { return false }
        return drop(.cancelled) { cache.removeLayers(of: self, .dropped(nil)) }
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
        finish(with: error)
        return true
    }

    /// Throws an error to those who wait for the answer.
    func finish(with error: any Error) {}

    /// Starts to send the mutation.
    func send(in cache: FlatCache) {}

    /// Notes whether a change has an effect.
    @usableFromInline func note(_ error: (any Error)?, of key: @autoclosure () -> FlatCacheKey) {
        if error == nil, lock.withLock({ failures.isEmpty }) { return }
        let key = key()
        let old = lock.withLock {
            let old = failures[key]
            if error != nil || old != nil { failures[key] = error }
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Changes the state, unless the mutation has ended.
    ///
    /// - Returns: Whether the state was changed.
    func enter(_ state: State) -> Bool {
        lock.withLock {
            guard current.isPending else { return false }
            current = state
            return true
        }
    }

    /// Notes that the layers are there, so that the mutation can be sent.
    ///
    /// - Returns: Whether it is to be sent now.
    func becomeReady() -> Bool {
        lock.withLock {
            isReady = true
            return isDue
        }
    }

    /// Notes that nothing is to be sent before.
    ///
    /// - Returns: Whether it is to be sent now. If not, its layers aren't there yet.
    func becomeDue() -> Bool {
        lock.withLock {
            isDue = true
            return isReady
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

/// When a mutation is sent, if others are pending.
public enum MutationOrder: Hashable, Sendable {
    /// At once.
    case concurrent
    /// After all earlier mutations with the same key have ended.
    case serial(String)
    /// After the mutation with the same key that is being sent has ended. It replaces those that aren't sent yet.
    ///
    /// Use it for changes that set a value, such as the text of a draft. A change that depends on the value before, such as an
    /// increment, would be lost with the mutation that is replaced.
    case latest(String)

    /// The key of mutations that wait for each other.
    var key: String? {
        switch self {
        case .concurrent: nil
        case .serial(let key), .latest(let key): key
        }
    }
}
