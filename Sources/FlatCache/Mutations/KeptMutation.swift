/// A mutation of an earlier process that isn't begun again yet.
///
/// It remains in the store, over any number of restarts, until its type is registered and it has ended, or until it is
/// discarded. Until then, its changes aren't shown.
///
/// Mutations with the same key of ``MutationOrder`` wait for it. A new one with ``MutationOrder/latest(_:)`` replaces
/// it instead. Mutations that change or name what it inserts wait for it, too, and so does
/// ``FlatCache/resolvedID(of:_:)``. So register the types of insertions when the app starts. Don't remove a type from
/// the app while users can have its mutations in their stores, or discard these.
public struct KeptMutation: Sendable {
    /// The ``StorableMutation/storedName`` of its type.
    public let name: String
    /// The idempotency key, which no other mutation has.
    public let idempotencyKey: String
    /// The reason why the arguments can't be decoded, or `nil` if the type isn't registered.
    public let error: (any Error)?
}

extension FlatCache {
    /// The mutations of an earlier process that aren't begun again yet, in the order in which they were begun.
    ///
    /// A mutation is here if its type isn't registered, or if its arguments can't be decoded. A cache whose store is open for
    /// reading only has none.
    public var keptMutations: [KeptMutation] {
        mutations.replays.map { KeptMutation(name: $0.content.name, idempotencyKey: $0.content.id, error: $0.error) }
    }

    /// Removes a mutation of an earlier process that isn't begun again yet, also from the store.
    ///
    /// Mutations that wait for it are sent, except for those of an entity that it inserts. These end, too.
    ///
    /// - Parameter mutation: The mutation.
    /// - Returns: Whether it was removed. If not, it is begun or has ended.
    /// - Complexity: O(*n*) for *n* mutations that have not ended.
    @discardableResult
    public func discard(_ mutation: KeptMutation) -> Bool {
        let waiting = mutations.replays.first { $0.content.id == mutation.idempotencyKey }
        return waiting.map { drop([$0], .cancelled) } ?? false
    }
}

/// The place of a mutation of an earlier process among the others, until it is begun again.
package final class WaitingReplay: PendingMutation, @unchecked Sendable {  // The lock guards the variable.
    package let content: StoredMutation
    private let lock = Lock()
    private var failure: (any Error)?

    init(_ content: StoredMutation, number: UInt64, in reference: WeakReference<FlatCache>) {
        self.content = content
        super.init(number: number, .several([]), content.order, content, in: reference)
    }

    override var mayInsert: Bool { true }

    override var isWaitingReplay: Bool { true }

    override func dropUnsent(_ error: MutationError) -> Bool { enter(.dropped(error)) }

    /// The reason why the arguments can't be decoded, or `nil` if nobody has tried.
    package var error: (any Error)? {
        get { lock.withLock { failure } }
        set { lock.withLock { failure = newValue } }
    }
}

extension KeptMutation: CustomStringConvertible, CustomReflectable {
    /// A line with the name, the idempotency key and the error: `KeptMutation("like"): 8f1c…, …`.
    public var description: String {
        Summary.line("KeptMutation", String(reflecting: name), [idempotencyKey, error.map { "\($0)" }])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
