/// The mutation that a transaction confirms.
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
@_fixed_layout @usableFromInline
final class ConfirmedKey<Value: Cachable> {
    /// The confirmed entity without the change.
    @exclusivity(unchecked) private(set) var before: Value?
    /// The first layer of the mutation.
    @exclusivity(unchecked) @usableFromInline private(set) var layer: Layer<Value>
    /// The entity with which others are merged.
    let mergeBase: Value?
    /// Whether the change waits for those of earlier mutations.
    @usableFromInline let isDelayed: Bool
    /// Whether the server has confirmed a change above those of the mutation.
    @exclusivity(unchecked) @usableFromInline var isBelowSettled = false
    /// Whether the confirmed entity is without changes that wait for those of earlier mutations.
    @exclusivity(unchecked) @usableFromInline var isBase = true
    /// Whether the answer has the entity.
    @exclusivity(unchecked) var isAnswered = false
    @exclusivity(unchecked) var hasEnded = false

    @usableFromInline init(_ before: Value?, _ layer: Layer<Value>, mergingWith mergeBase: Value?, isDelayed: Bool) {
        self.before = before
        self.layer = layer
        self.mergeBase = mergeBase
        self.isDelayed = isDelayed
    }

    /// Whether what the transaction writes is without changes that wait for those of earlier mutations.
    var isWrittenToBase: Bool { isBase && (!isDelayed || isAnswered) }

    /// The number of the mutation.
    @inlinable var number: UInt64 { layer.number }

    /// Whether others have removed the entity since the mutation was sent.
    @inlinable var isRemoved: Bool { hasNotes && layer.isRemoved }

    /// Whether others have written the entity since the mutation was sent.
    @inlinable var hasNotes: Bool {
        if case .some = layer.notes { true } else { false }
    }

    /// Replaces an identifier in what is known of the key.
    fileprivate func rename(_ rename: (inout Value) -> Void) {
        func renamed(_ value: Value?) -> Value? {
            guard var value else { return nil }
            rename(&value)
            return value
        }
        before = renamed(before)
        layer.renameNotes(renamed)
    }

    /// A changed entity with what others have written since the mutation was sent.
    @usableFromInline func keeping(_ changed: Value?) -> Value? {
        changed.map { layer.keeping(before, in: $0) ?? $0 }
    }
}

/// The writes of entities that come in: by `set`, lists and setters, payloads, and fetches.
extension TableTransaction {
    /// Stores an entity as the merge of its type says.
    func receive(
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
        let slot = entries[place].slot
        let layers =
            key.hasNotes || key.isBelowSettled
            ? table.withSlot(slot) { slot.layered(of: Value.self)?.layers ?? [] } : []
        var resolved: Value?
        var isCopied = true
        ReadContext.runOutside(of: table.history.object) {
            isCopied = !key.isDelayed || key.layer.mutation.copiesMembers(of: value)
            if !isCopied { return }
            var kept = value
            if !layers.isEmpty {
                kept = key.layer.keeping(
                    key.before,
                    in: layers,
                    inAnswer: value,
                    isDelayed: key.isDelayed,
                    isNewest: key.mergeBase.map { merge.keeps(value, over: $0) } ?? false
                )
            }
            resolved = merge.resolver(for: kept)(key.mergeBase)
        }
        // Its other members would hide the changes for which it waits.
        if !isCopied { return false }
        key.isAnswered = true
        if resolved == nil && key.isDelayed { return false }
        change(at: place, to: resolved ?? key.before, if: .always)
        return resolved != nil
    }

    /// The entity that fills in what a payload leaves out.
    func filling(_ id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        guard let (place, key) = confirmedKey(id, hash), key.isDelayed, !key.isAnswered, !key.isRemoved else {
            return value(of: id, hash, in: snapshot)
        }
        let slot = entries[place].slot
        let own = table.withSlot(slot) { slot.layered(of: Value.self)?.layers ?? [] }.filter { $0.number == key.number }
        var changed: Value?
        ReadContext.runOutside(of: table.history.object) {
            changed = key.keeping(own.reduce(key.before) { $1.shown(over: $0, of: id) })
        }
        return changed
    }

    /// The confirmed entity as the commit stores it, with the changes that wait for those of earlier mutations.
    func confirmedValue(of id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        guard let (place, key) = confirmedKey(id, hash), key.isBelowSettled || key.isDelayed else {
            return value(of: id, hash, in: snapshot)
        }
        ReadContext.runOutside(of: table.history.object, replacing: transaction.replacedKeys) { applyLayers(at: place) }
        defer { undoLayers() }
        return layering?[place]?.result?.change?.confirmed
    }

    private func confirmedKey(_ id: Value.ID, _ hash: HashedID) -> (place: Int, ConfirmedKey<Value>)? {
        guard let layering else { return nil }
        entries.makeRoom()
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        return layering[place]?.confirmed.map { (place, $0) }
    }
}

/// The keys of the confirmed mutation.
extension TableTransaction {
    /// Begins to confirm the change of a key, or returns the key if one of its changes is being confirmed.
    ///
    /// - Parameters:
    ///   - place: The place of the entry of the key.
    ///   - before: The entity as the transaction sees it.
    ///   - layers: The layers of the key.
    ///   - number: The number of the mutation.
    ///   - mayWait: Whether the change waits for those of earlier mutations.
    /// - Returns: The key, or `nil` if the mutation has no layer.
    @inlinable func confirmKey(
        at place: Int,
        _ before: Value?,
        _ layers: [Layer<Value>],
        of number: UInt64,
        mayWait: Bool,
        in snapshot: Snapshot
    ) -> ConfirmedKey<Value>? {
        if let key = layering?[place]?.confirmed { return key }
        guard let first = layers.firstIndex(where: { $0.number == number }) else { return nil }
        let isOnly = first + 1 == layers.count || layers[first + 1].number != number
        let layer = isOnly ? layers[first] : firstLayer(in: layers, of: number)
        let base = table.mayHaveMergeBases ? mergeBase(before, at: place, in: snapshot) : before
        let key = ConfirmedKey(before, layer, mergingWith: base, isDelayed: mayWait && first > 0)
        key.isBelowSettled = layers.count > 1 && layers.contains { $0.isSettled && $0.number > number }
        // By a delete rule.
        if entries[place].isChanged { key.isBase = false }
        layeredEntry(at: place).confirmed = key
        return key
    }

    /// The entity to which layers are applied, as the transaction sees it.
    @usableFromInline func base(at place: Int, _ layers: [Layer<Value>], in snapshot: Snapshot) -> Value? {
        let slot = entries[place].slot
        // The transaction depends on the entity, also if it uses another one of the slot.
        let confirmed = value(of: slot, in: snapshot)
        if layers.count > 1, !entries[place].isChanged, layers.contains(where: { $0.isSettled }) {
            return table.withSlot(slot) { slot.base(of: Value.self) }
        }
        return confirmed
    }

    /// The entity with which others are merged.
    @usableFromInline func mergeBase(_ stored: Value?, at place: Int, in snapshot: Snapshot) -> Value? {
        let id = entries[place].slot.id(of: Value.self)
        return (mergeBases?.value(of: id, HashedID(id), in: snapshot)).map { $0.value } ?? stored
    }

    /// The first layer of the mutation, or if others have stored an entity where there was none, the one that inserts an entity.
    @usableFromInline func firstLayer(in layers: [Layer<Value>], of number: UInt64) -> Layer<Value> {
        let own = layers.filter { $0.number == number }
        return own.first { $0.notes?.write?.others != nil } ?? own[0]
    }

    /// A list, which the confirmed mutation has changed and in which an identifier was replaced, with what others have done with the
    /// new identifier since the mutation was sent.
    func keepingMembers(in renamed: Value, _ id: Value.ID, replacing rename: (inout Value) -> Void) -> Value {
        guard Value.self is any InternalEntity.Type, let (_, key) = confirmedKey(id, HashedID(id)), key.hasNotes else {
            return renamed
        }
        key.rename(rename)
        return key.keeping(renamed) ?? renamed
    }

    /// Whether others have removed the entity since the confirmed mutation was sent.
    func isRefused(_ id: Value.ID) -> Bool { confirmedKey(id, HashedID(id))?.1.isRemoved ?? false }

    /// Whether a confirmed entity is only the one that the mutation has inserted.
    func isUnidentified(_ id: Value.ID) -> Bool {
        guard let (_, key) = confirmedKey(id, HashedID(id)) else { return false }
        return !key.isAnswered && !key.isRemoved && key.before == nil
    }

    /// Lets the entity of an answer, which takes the place of the inserted one, be stored over that.
    func confirmMovedKey(_ id: Value.ID, from old: Value.ID) {
        guard let (_, key) = confirmedKey(old, HashedID(old)) else { return }
        confirm(id, HashedID(id), ConfirmedKey(nil, key.layer.withoutNotes, mergingWith: nil, isDelayed: false))
    }

    /// Lets the entity of an answer not be stored if others have removed the inserted one, whose place it would take.
    ///
    /// - Returns: Whether they have.
    func refuseMovedKey(_ id: Value.ID, from old: Value.ID) -> Bool {
        guard let (_, key) = confirmedKey(old, HashedID(old)), key.isRemoved else { return false }
        if confirmedKey(id, HashedID(id)) == nil {
            confirm(id, HashedID(id), ConfirmedKey(nil, key.layer, mergingWith: nil, isDelayed: false))
        }
        return true
    }

    private func confirm(_ id: Value.ID, _ hash: HashedID, _ key: ConfirmedKey<Value>) {
        entries.makeRoom()
        layeredEntry(at: table.withSlot(for: id, hash) { self.place(of: $0) }).confirmed = key
    }

    /// Ends the confirmation after the answer is stored.
    ///
    /// What the answer doesn't have is merged without the change when it comes in.
    func endConfirmations(in cache: FlatCache) {
        if Value.merge.isReplace { return }
        guard let layering else { return }
        for place in layering.entries.indices {
            guard let key = layering[place]?.confirmed, !key.hasEnded else { continue }
            key.hasEnded = true
            let id = entries[place].slot.id(of: Value.self)
            if key.isAnswered, key.isBelowSettled, table.mayHaveMergeBases {
                // Changes above it, which the server has confirmed without an answer, can be invented.
                setMergeBase(entity(at: place), id, in: cache)
            } else if key.isAnswered {
                removeMergeBase(id)
            } else if !key.isRemoved, !hasMoved(id) {
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
