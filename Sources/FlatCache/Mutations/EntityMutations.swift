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

    /// Changes the entry, so that observers are notified.
    mutating func change(isIdle: Bool) {
        // An observer of an entry that isn't stored is notified when it is.
        self.isIdle = changes > 0 && isIdle
        changes += 1
    }
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

extension MutationError {
    /// What becomes of a mutation that wasn't sent.
    ///
    /// A cancellation is no error for those who observe its keys.
    var outcome: MutationOutcome {
        if case .cancelled = self { .dropped(nil) } else { .dropped(self) }
    }
}

/// A key whose mutations are observed, or whose last error is kept.
struct NotedKey {
    let key: FlatCacheKey
    /// The change of the key.
    let step: any MutationStep
}

extension FlatCache {
    /// The keys of a mutation whose entries its beginning or end changes.
    ///
    /// - Parameter others: Keys that aren't returned.
    func notedKeys(
        of mutation: PendingMutation,
        _ outcome: MutationOutcome,
        except others: [NotedKey] = []
    ) -> [NotedKey] {
        var isError = false
        if case .dropped(.some) = outcome { isError = true }
        guard isError || registry.find(EntityMutations.self) != nil else { return [] }
        let others = Set(others.map { $0.key })
        return mutation.steps.map { NotedKey(key: $0.key(of: mutation, in: self), step: $0) }.filter { noted in
            (isError || EntityMutations.mayHaveSlot(noted.key, in: self)) && !others.contains(noted.key)
        }
    }

    /// Changes the entries of keys, in the commit that adds or removes the layers.
    func note(
        _ outcome: MutationOutcome,
        of mutation: PendingMutation,
        _ keys: [NotedKey],
        in transaction: Transaction
    ) {
        for noted in keys {
            EntityMutations.writeEntry(noted.key, in: transaction, of: self) { entry in
                let layers = noted.step.layerNumbers(of: mutation, in: self)
                let isIdle = layers.allSatisfy { $0 == mutation.number }
                if case .begun = outcome { entry.change(isIdle: false) } else { entry.change(isIdle: isIdle) }
                switch outcome {
                case .dropped(nil): break
                case .begun, .confirmed: entry.lastError = nil
                case .dropped(let error): entry.lastError = error
                }
            }
        }
    }

    /// Notifies those who have begun to observe the mutations of a key while its layers were added or removed.
    ///
    /// An observer reads the entry before it reads the layers. So if the entry is missing here, the observer reads the new layers.
    ///
    /// - Parameter noted: The keys whose entries were changed with the layers.
    func noteLate(_ outcome: MutationOutcome, of mutation: PendingMutation, except noted: [NotedKey]) {
        let keys = notedKeys(of: mutation, outcome, except: noted)
        if keys.isEmpty { return }
        let transaction = Transaction()
        note(outcome, of: mutation, keys, in: transaction)
        transaction.commit(to: self)
        transaction.release()
    }
}

extension FlatCache {
    /// Notifies those who observe the mutations of keys from which layers were removed.
    func noteRemovedLayers(of keys: [UnlayeredKey]) {
        let keys = keys.filter { EntityMutations.mayHaveSlot($0.key, in: self) }
        if keys.isEmpty { return }
        let transaction = Transaction()
        for removed in keys {
            EntityMutations.writeEntry(removed.key, in: transaction, of: self) { $0.change(isIdle: removed.isIdle) }
        }
        transaction.commit(to: self)
        transaction.release()
    }
}

/// A commit that begins or ends mutations, and notifies those who observe the mutations of their keys.
struct MutationCommit {
    private let transaction: Transaction
    private let cache: FlatCache
    private var notes: [(MutationOutcome, PendingMutation, [NotedKey])] = []

    init(in transaction: Transaction = Transaction(), of cache: FlatCache) {
        self.transaction = transaction
        self.cache = cache
    }

    /// Adds the layers of a mutation.
    ///
    /// - Parameter noted: The keys whose mutations are observed.
    mutating func add(_ mutation: PendingMutation, noting noted: [NotedKey]) {
        for step in mutation.steps {
            step.add(to: transaction, of: mutation, in: cache)
            step.await(of: mutation, in: transaction, cache)
        }
        note(.begun, mutation, noted)
    }

    /// Keeps a mutation in the store.
    func keep(_ record: StoredMutation) { record.write(to: transaction, in: cache) }

    /// Removes the layers of a mutation, and what the store keeps of it.
    ///
    /// Those that wait for an insertion, which end after it, aren't kept any longer than it.
    mutating func remove(_ mutation: PendingMutation, _ outcome: MutationOutcome) {
        for step in mutation.steps {
            step.remove(from: transaction, of: mutation, in: cache)
            step.stopAwaiting(of: mutation, isDropped: mutation.isSent, in: transaction, cache)
        }
        end(mutation, outcome)
    }

    /// Removes what the store keeps of a mutation, whose layers are removed or wait for those of earlier ones.
    mutating func end(_ mutation: PendingMutation, _ outcome: MutationOutcome) {
        if case .dropped = outcome, mutation.mayInsert, !transaction.removesEverything {
            mutation.stored?.removeFollowers(from: transaction, in: cache)
        }
        mutation.stored?.remove(from: transaction, in: cache)
        note(outcome, mutation, cache.notedKeys(of: mutation, outcome))
    }

    private mutating func note(_ outcome: MutationOutcome, _ mutation: PendingMutation, _ keys: [NotedKey]) {
        cache.note(outcome, of: mutation, keys, in: transaction)
        notes.append((outcome, mutation, keys))
    }

    /// Makes the commit.
    func make() {
        transaction.commit(to: cache)
        transaction.release()
        noteLate()
    }

    /// Notifies those who have begun to observe the mutations of a key meanwhile.
    func noteLate() {
        for (outcome, mutation, noted) in notes { cache.noteLate(outcome, of: mutation, except: noted) }
    }
}
