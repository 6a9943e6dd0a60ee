/// The last error of the mutations of a key, stored like an entity, for those who read ``Cached/mutations``.
///
/// The mutations themselves are those of the layers. A key whose mutations nobody observes has such an entry only after an
/// error.
struct EntityMutations: IndexContents {
    let id: FlatCacheKey
    /// The number of changes, which differs after each, so that observers are notified.
    var changes: UInt64 = 0
    /// The error of the last mutation that ended, or `nil` if it succeeded.
    var lastError: (any Error)?
    /// Whether the key has no mutations.
    var isIdle = false

    init(id: FlatCacheKey) {
        self.id = id
    }

    var isEmpty: Bool { isIdle && lastError == nil }
}

/// What becomes of a mutation.
enum MutationOutcome {
    /// It has begun.
    case begun
    /// The server has made the change.
    case confirmed
    /// The change isn't made.
    case dropped((any Error)?)
}

extension FlatCache {
    /// Notifies those who observe the mutations of the keys of a mutation, after its layers were added or removed.
    ///
    /// An observer reads the entry before it reads the layers. So if the entry is missing here, the observer reads the new layers.
    func note(_ outcome: MutationOutcome, of mutation: PendingMutation) {
        if case .dropped(.some) = outcome {} else if registry.find(EntityMutations.self) == nil { return }
        for step in mutation.steps { note(outcome, of: step, mutation) }
    }

    private func note(_ outcome: MutationOutcome, of step: some MutationStep, _ mutation: PendingMutation) {
        let table = registry.table(of: EntityMutations.self).takeUnretainedValue()
        let key = step.key(of: mutation, in: self)
        if case .dropped(.some) = outcome {} else if !table.mayHaveSlot(HashedID(key)) { return }
        let isIdle = step.layerNumbers(of: mutation, in: self).isEmpty
        let transaction = Transaction()
        transaction.table(table).writeEntry(key) { entry in
            // An observer of an entry that isn't stored is notified when it is.
            entry.isIdle = isIdle && entry.changes > 0
            entry.changes += 1
            switch outcome {
            case .begun, .dropped(nil): break
            case .confirmed: entry.lastError = nil
            case .dropped(let error): entry.lastError = error
            }
        }
        transaction.commit(to: self)
        transaction.release()
    }
}
