/// The mutation that a transaction confirms.
@usableFromInline
final class Confirmation {
    /// The number of the mutation.
    let number: UInt64
    /// The condition of the entities in the answer that the mutation hasn't changed itself.
    let condition: WriteCondition

    init(of number: UInt64, sentAt revision: UInt64) {
        self.number = number
        condition = WriteCondition(since: revision, replacesNewerWrites: false, isPinned: false)
    }
}

/// A key that the confirmed mutation has changed.
@usableFromInline
final class ConfirmedKey<Value: Cachable> {
    /// The confirmed entity without the change.
    let before: Value?
    /// The first layer of the mutation.
    let layer: Layer<Value>
    /// The entity with which others are merged.
    let mergeBase: Value?
    /// Whether the change waits for those of earlier mutations.
    let isDelayed: Bool
    /// Whether the answer has the entity.
    var isAnswered = false
    var hasEnded = false

    init(_ before: Value?, _ layer: Layer<Value>, mergingWith mergeBase: Value?, isDelayed: Bool) {
        self.before = before
        self.layer = layer
        self.mergeBase = mergeBase
        self.isDelayed = isDelayed
    }

    /// Whether others have removed the entity since the mutation was sent.
    var isRemoved: Bool { layer.isRemoved }
}

/// The writes of entities that come in: by `set`, lists and setters, payloads, and fetches.
extension TableTransaction {
    /// Stores an entity as the merge of its type says.
    @inlinable func receive(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition = .always,
        merging merge: Merge<Value>
    ) {
        if receivesOtherwise {
            receiveOtherwise(value, id, hash, if: condition, merging: merge)
        } else if merge.isReplace {
            write(value, id, hash, if: condition)
        } else {
            write(id, hash, if: condition, resolving: merge.resolver(for: value))
        }
    }

    /// Whether an entity that comes in may be merged with another one than the stored one.
    @inlinable var receivesOtherwise: Bool { transaction.isConfirming || table.mayHaveMergeBases }

    /// Stores an entity of an answer to a mutation, or one that is merged with another one than the stored one.
    ///
    /// - Returns: Whether it was stored, and not kept by the merge.
    @_semantics("optimize.sil.specialize.generic.never") @inline(never) @discardableResult @usableFromInline
    func receiveOtherwise(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition,
        merging merge: Merge<Value>
    ) -> Bool {
        table.withSnapshot { receive(value, id, hash, if: condition, merging: merge, in: $0) }
    }

    private func receive(
        _ value: Value,
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition,
        merging merge: Merge<Value>,
        in snapshot: Snapshot
    ) -> Bool {
        if let (place, key) = confirmedKey(id, hash) { return receiveAnswer(value, at: place, key, merging: merge) }
        // Lists, references and what the library itself keeps aren't those of the server.
        let isOfAnswer = condition.isAlways && !(Value.self is any InternalEntity.Type)
        let condition = isOfAnswer ? transaction.confirmation?.condition ?? condition : condition
        guard mayWrite(id, hash, if: condition) else { return false }
        let base = merge.isReplace ? nil : mergeBases?.value(of: id, hash, in: snapshot)
        let resolve = merge.resolver(for: value)
        let stored = self.value(of: id, hash, in: snapshot)
        var resolved: Value?
        ReadContext.runOutside(of: table.history.object) {
            resolved = resolve(stored.flatMap { base.map { $0.value } ?? $0 })
        }
        guard let resolved else { return false }
        if base != nil { removeMergeBase(id) }
        write(resolved, id, hash, if: condition)
        return true
    }

    /// Stores an entity that the mutation has changed and that the answer has.
    ///
    /// It is merged with the confirmed entity without the change.
    private func receiveAnswer(
        _ value: Value,
        at place: Int,
        _ key: ConfirmedKey<Value>,
        merging merge: Merge<Value>
    ) -> Bool {
        if key.isRemoved { return false }
        var resolved: Value?
        ReadContext.runOutside(of: table.history.object) {
            let kept = key.layer.keeping(key.before, in: value, of: value.id)
            resolved = merge.resolver(for: kept)(key.mergeBase)
        }
        key.isAnswered = true
        if resolved == nil && key.isDelayed { return false }
        change(at: place, to: resolved ?? key.before, if: .always)
        return resolved != nil
    }

    /// The entity that fills in what a payload leaves out.
    func filling(_ id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        guard let (_, key) = confirmedKey(id, hash), key.isDelayed, !key.isAnswered, !key.isRemoved else {
            return value(of: id, hash, in: snapshot)
        }
        var changed: Value?
        ReadContext.runOutside(of: table.history.object) { changed = key.layer.confirmed(over: key.before, of: id) }
        return changed
    }

    private func confirmedKey(_ id: Value.ID, _ hash: HashedID) -> (place: Int, ConfirmedKey<Value>)? {
        guard let confirmed else { return nil }
        entries.makeRoom()
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        return confirmed[place].map { (place, $0) }
    }
}

/// The keys of the confirmed mutation.
extension TableTransaction {
    /// Begins to confirm the change of a key, or returns the key if one of its changes is being confirmed.
    ///
    /// - Parameters:
    ///   - layers: The layers of the key.
    ///   - number: The number of the mutation.
    ///   - mayWait: Whether the change waits for those of earlier mutations.
    func confirmKey(
        _ id: Value.ID,
        _ hash: HashedID,
        _ layers: [Layer<Value>],
        of number: UInt64,
        mayWait: Bool,
        in snapshot: Snapshot
    ) -> ConfirmedKey<Value>? {
        if let (_, key) = confirmedKey(id, hash) { return key }
        guard let layer = layers.first(where: { $0.number == number }) else { return nil }
        let before = value(of: id, hash, in: snapshot)
        let base = mergeBases?.value(of: id, hash, in: snapshot)
        let isDelayed = mayWait && layers.contains { $0.number < number }
        let key = ConfirmedKey(before, layer, mergingWith: base.map { $0.value } ?? before, isDelayed: isDelayed)
        confirm(id, hash, key)
        return key
    }

    /// Lets the entity of an answer, which takes the place of the inserted one, be stored over that.
    func confirmMovedKey(_ id: Value.ID, from old: Value.ID) {
        guard let (_, key) = confirmedKey(old, HashedID(old)) else { return }
        confirm(id, HashedID(id), ConfirmedKey(nil, key.layer.withoutNotes, mergingWith: nil, isDelayed: false))
    }

    private func confirm(_ id: Value.ID, _ hash: HashedID, _ key: ConfirmedKey<Value>) {
        entries.makeRoom()
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        var keys = confirmed ?? [:]
        confirmed = nil
        keys[place] = key
        confirmed = keys
    }

    /// Ends the confirmation after the answer is stored.
    ///
    /// What the answer doesn't have is merged without the change when it comes in.
    func endConfirmations(in cache: FlatCache) {
        if Value.merge.isReplace { return }
        for (place, key) in confirmed ?? [:] where !key.hasEnded {
            key.hasEnded = true
            let id = entries[place].slot.id
            if key.isAnswered {
                removeMergeBase(id)
            } else if !key.isDelayed, !key.isRemoved, !hasMoved(id) {
                setMergeBase(key.mergeBase, id, in: cache)
            }
        }
    }
}

extension Layer {
    fileprivate var withoutNotes: Layer {
        var layer = self
        layer.notes = nil
        return layer
    }
}
