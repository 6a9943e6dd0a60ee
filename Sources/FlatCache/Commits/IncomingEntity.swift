/// An entity of a payload or of a fetcher's answer that is to be stored.
enum IncomingEntity<Value: Cachable> {
    /// Makes the entity to store of the stored one, or of `nil` if none is stored.
    ///
    /// It may run user code and may be called more than once. The result has the identifier. If it throws an error,
    /// nothing is stored.
    typealias Make = (_ stored: Value?) throws -> Value

    /// Records the outcome of making an entity: an error, or `nil`.
    typealias Note = ((any Error)?) -> Void

    /// A whole entity.
    case whole(Value)
    /// An entity that is made of the stored one, and then merged with it.
    ///
    /// The stored entity isn't a read of the transaction. If another thread writes it, only the closure runs again.
    case dependent(id: Value.ID, Make)
    /// An entity that is made by the body of the transaction, from the entity that the transaction reads.
    case changed(id: Value.ID, Make)

    var id: Value.ID {
        switch self {
        case .whole(let value): value.id
        case .dependent(let id, _), .changed(let id, _): id
        }
    }

    /// Whether the entity doesn't depend on the stored one, except by the merge of the type.
    var isWhole: Bool {
        if case .whole = self { true } else { false }
    }

    /// Stores the entity in a transaction.
    ///
    /// - Parameters:
    ///   - changes: The changes of the transaction.
    ///   - id: The identifier.
    ///   - hash: Its hash.
    ///   - terms: The terms of the write.
    ///   - merge: The merge of the type.
    ///   - note: A closure that is called with the outcome of each call of the entity's closure. The last one counts.
    func write(
        in changes: TableTransaction<Value>,
        _ id: Value.ID,
        _ hash: HashedID,
        _ terms: IncomingTerms,
        merging merge: Merge<Value>,
        _ note: Note? = nil
    ) {
        // An entity that stays as it is has no outcome.
        let note = note == nil || changes.mayWrite(id, hash, if: terms.condition) ? note : nil
        if changes.receivesOtherwise { return receive(in: changes, id, hash, terms, merging: merge, note) }
        switch self {
        case .whole(let value) where merge.isReplace: changes.write(value, id, hash, if: terms.condition)
        case .whole(let value):
            changes.write(id, hash, if: terms.condition, resolving: merge.resolver(for: value))
        case .dependent:
            // A strict transaction runs again instead of storing an outdated outcome.
            if terms.isStrict { _ = changes.value(of: id, hash, in: terms.snapshot) }
            // A later entity can replace this one before the commit, so its outcome must be known now.
            let snapshot = terms.isImmediate || note != nil ? terms.snapshot : nil
            changes.write(id, hash, if: terms.condition, in: snapshot) { resolve($0, by: merge, note) }
        case .changed:
            let stored = changes.value(of: id, hash, in: terms.snapshot)
            guard let value = resolve(stored, by: merge, note) else { return }
            changes.write(value, id, hash, if: terms.condition)
        }
    }

    /// Stores the entity of an answer to a mutation, or one that is merged with another one than the stored one.
    private func receive(
        in changes: TableTransaction<Value>,
        _ id: Value.ID,
        _ hash: HashedID,
        _ terms: IncomingTerms,
        merging merge: Merge<Value>,
        _ note: Note?
    ) {
        // A patch isn't merged.
        var merge = merge
        if case .changed = self { merge = .replace }
        var made: Value?
        let filling = changes.filling(id, hash, in: terms.snapshot)
        ReadContext.runOutside(of: changes.table.history.object) { made = resolve(filling, by: .replace, note) }
        if let made { changes.receiveOtherwise(made, id, hash, if: terms.condition, merging: merge) }
    }

    /// Returns the entity to store, or `nil` to keep the stored one.
    func resolve(_ stored: Value?, by merge: Merge<Value>, _ note: Note?) -> Value? {
        do {
            let resolved =
                switch self {
                case .whole(let value): merge.resolver(for: value)(stored)
                case .dependent(_, let make) where !merge.isReplace: merge.resolver(for: try make(stored))(stored)
                case .dependent(_, let make), .changed(_, let make): Optional(try make(stored))
                }
            note?(nil)
            return resolved
        } catch {
            note?(error)
            return nil
        }
    }
}

/// The terms under which the entities of a payload or of an answer are stored.
struct IncomingTerms {
    var condition = WriteCondition.always
    /// The snapshot of the running body.
    let snapshot: Snapshot
    /// Whether the closures of dependent entities are called by the body, and not only before the commit.
    var isImmediate = false
    /// Whether the body runs again if an outcome is outdated.
    var isStrict = false
}
