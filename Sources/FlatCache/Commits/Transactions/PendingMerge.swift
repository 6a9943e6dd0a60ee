/// Returns the entity to store for the stored one, or `nil` to keep the stored one.
///
/// Both have the identifier of the entry. It may run user code.
typealias EntityResolver = (_ stored: EntityBox?) -> EntityBox?

/// The writes of an entity in a transaction whose result depends on the stored entity.
///
/// Each write has a resolver. The resolvers are applied in order, to the state that the transaction reads when its body
/// needs the result, and to the stored entity before the commit. Both happen while no lock is held. This isn't a read:
/// if another thread writes the entity, only the resolvers are applied again.
@usableFromInline
final class PendingMerge {
    @exclusivity(unchecked) private var resolvers: [EntityResolver] = []
    /// The part that a nested transaction undoes.
    @exclusivity(unchecked) private(set) var state: State

    struct State {
        /// The condition of the last write.
        fileprivate var condition: WriteCondition
        /// The number of resolvers that were applied for the current result.
        fileprivate var appliedCount = 0
        /// The revision of the slot to whose entity they were applied, or `nil` if it was an older version.
        fileprivate(set) var revision: UInt64?
        /// Whether one of them returned an entity.
        fileprivate var isStored = false
    }

    init(if condition: WriteCondition) {
        state = State(condition: condition)
    }

    /// The condition under which the entity is stored, or `nil` if the resolvers keep the stored one.
    var condition: WriteCondition? { state.isStored ? state.condition : nil }

    /// Whether the result is missing.
    var isOpen: Bool { state.appliedCount < resolvers.count }

    /// Whether no resolver was applied.
    var isNew: Bool { state.appliedCount == 0 }

    /// Whether the result is known for a revision of the slot.
    func isCurrent(at revision: UInt64) -> Bool { !isOpen && state.revision == revision }

    /// Forgets the result, to apply all resolvers to another version of the entity.
    ///
    /// - Parameter revision: The revision of the slot, or `nil` for a version that isn't the newest one.
    func begin(at revision: UInt64?) {
        state.appliedCount = 0
        state.isStored = false
        state.revision = revision
    }

    /// Adds a write.
    func append(_ resolver: @escaping EntityResolver, if condition: WriteCondition) {
        resolvers.append(resolver)
        state.condition = condition
    }

    /// A closure that undoes the next addition, after everything that was done later is undone.
    func undo() -> () -> Void {
        let before = state
        return { [self] in
            state = before
            // It is released last, because its release can run user code.
            _ = resolvers.removeLast()
        }
    }

    /// Applies the remaining resolvers.
    ///
    /// - Parameter entity: The stored entity, or the result of the resolvers before.
    /// - Returns: The result, which is the argument if all of them keep the stored entity.
    func apply(to entity: EntityBox?) -> EntityBox? {
        var entity = entity
        while isOpen {
            let resolved = resolvers[state.appliedCount](entity)
            state.appliedCount += 1
            guard let resolved else { continue }
            state.isStored = true
            entity = resolved
        }
        return entity
    }
}
