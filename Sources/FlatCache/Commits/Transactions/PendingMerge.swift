/// The writes of an entity in a transaction whose result depends on the stored entity.
///
/// Each write has a resolver. The resolvers are applied in order, to the state that the transaction reads when its body
/// needs the result, and to the stored entity before the commit. Both happen while no lock is held. This isn't a read:
/// if another thread writes the entity, only the resolvers are applied again.
@usableFromInline
class PendingMerge {
    /// The number of resolvers.
    @exclusivity(unchecked) final fileprivate(set) var count = 0
    /// The part that a nested transaction undoes.
    @exclusivity(unchecked) @usableFromInline final var state: State

    @usableFromInline struct State {
        /// The condition of the last write.
        var condition: WriteCondition
        /// The number of resolvers that were applied for the current result.
        @usableFromInline var appliedCount = 0
        /// The revision of the slot to whose entity they were applied, or `nil` if it was an older version.
        var revision: UInt64?
        /// Whether one of them returned an entity.
        @usableFromInline var isStored = false
    }

    fileprivate init(if condition: WriteCondition) {
        state = State(condition: condition)
    }

    /// The condition under which the entity is stored, or `nil` if the resolvers keep the stored one.
    @usableFromInline final var condition: WriteCondition? { state.isStored ? state.condition : nil }

    /// Whether the result is missing.
    @usableFromInline final var isOpen: Bool { state.appliedCount < count }

    /// Whether no resolver was applied.
    final var isNew: Bool { state.appliedCount == 0 }

    /// Whether the result is known for a revision of the slot.
    @usableFromInline final func isCurrent(at revision: UInt64) -> Bool { !isOpen && state.revision == revision }

    /// Forgets the result, to apply all resolvers to another version of the entity.
    ///
    /// - Parameter revision: The revision of the slot, or `nil` for a version that isn't the newest one.
    @usableFromInline final func begin(at revision: UInt64?) {
        state.appliedCount = 0
        state.isStored = false
        state.revision = revision
    }
}

/// The writes with the closures that determine their result.
@usableFromInline
final class EntityMerge<Value: Cachable>: PendingMerge {
    /// Returns the entity to store for the stored one, or `nil` to keep the stored one.
    ///
    /// Its argument and its result have the identifier of the entry.
    @usableFromInline typealias Resolver = (_ stored: Value?) -> Value?

    @exclusivity(unchecked) @usableFromInline private(set) var resolvers: [Resolver] = []

    override init(if condition: WriteCondition) {
        super.init(if: condition)
    }

    /// Adds a write.
    func append(_ resolver: @escaping Resolver, if condition: WriteCondition) {
        resolvers.append(resolver)
        count += 1
        state.condition = condition
    }

    /// A closure that undoes the next addition, after everything that was done later is undone.
    func undo() -> () -> Void {
        let before = state
        return { [self] in
            state = before
            count -= 1
            // It is released last, because its release can run user code.
            _ = resolvers.removeLast()
        }
    }

    /// Applies the remaining resolvers.
    ///
    /// - Parameter value: The stored entity, or the result of the resolvers before.
    /// - Returns: The result, which is the argument if all of them keep the stored entity.
    @inlinable func apply(to value: Value?) -> Value? {
        var value = value
        while isOpen {
            let resolved = resolvers[state.appliedCount](value)
            state.appliedCount += 1
            guard let resolved else { continue }
            state.isStored = true
            value = resolved
        }
        return value
    }
}
