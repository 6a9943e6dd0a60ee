/// The writes of an entity in a transaction whose result depends on the stored entity.
///
/// Each write has a resolver. The resolvers are applied in order, to the state that the transaction reads when its body
/// needs the result, and to the stored entity before the commit. Both happen while no lock is held. This isn't a read:
/// if another thread writes the entity, only the resolvers are applied again.
@_fixed_layout @usableFromInline
final class PendingMerge<Value: Cachable> {
    /// Returns the entity to store for the stored one, or `nil` to keep the stored one.
    ///
    /// Its argument and its result have the identifier of the entry.
    @usableFromInline typealias Resolver = (_ stored: Value?) -> Value?

    @exclusivity(unchecked) @usableFromInline var resolvers: [Resolver] = []
    /// The part that a nested transaction undoes.
    @exclusivity(unchecked) @usableFromInline var state: State

    @frozen @usableFromInline struct State {
        /// The condition of the last write.
        @usableFromInline var condition: WriteCondition
        /// The number of resolvers that were applied for the current result.
        @usableFromInline var appliedCount = 0
        /// The revision of the slot to whose entity they were applied, or `nil` if it was an older version.
        @usableFromInline var revision: UInt64?
        /// Whether one of them returned an entity.
        @usableFromInline var isStored = false

        @inlinable init(condition: WriteCondition) {
            self.condition = condition
        }
    }

    @inlinable init(if condition: WriteCondition) {
        state = State(condition: condition)
    }

    /// The condition under which the entity is stored, or `nil` if the resolvers keep the stored one.
    @inlinable var condition: WriteCondition? { state.isStored ? state.condition : nil }

    /// Whether the result is missing.
    @inlinable var isOpen: Bool { state.appliedCount < resolvers.count }

    /// Whether no resolver was applied.
    @inlinable var isNew: Bool { state.appliedCount == 0 }

    /// Whether the result is known for a revision of the slot.
    @inlinable func isCurrent(at revision: UInt64) -> Bool { !isOpen && state.revision == revision }

    /// Adds a write.
    @inlinable func append(_ resolver: @escaping Resolver, if condition: WriteCondition) {
        resolvers.append(resolver)
        state.condition = condition
    }

    /// A closure that undoes the next addition, after everything that was done later is undone.
    @usableFromInline func undo() -> () -> Void {
        let before = state
        return { [self] in
            state = before
            // It is released last, because its release can run user code.
            _ = resolvers.removeLast()
        }
    }

    /// Forgets the result, to apply all resolvers to another version of the entity.
    ///
    /// - Parameter revision: The revision of the slot, or `nil` for a version that isn't the newest one.
    @inlinable func begin(at revision: UInt64?) {
        state.appliedCount = 0
        state.isStored = false
        state.revision = revision
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
