extension Layer {
    /// Whether the server has confirmed the mutation, and its change waits for those of earlier mutations.
    var isSettled: Bool { notes?.isSettled == true }

    /// Whether others have removed the entity since the mutation was sent.
    var isRemoved: Bool { notes?.write?.isRemoval == true }

    /// The entity that readers see, made of the one below the layer.
    @inlinable func shown(over below: Value?, of id: Value.ID) -> Value? {
        if case .none = notes { change(below, id) } else { shownWithNotes(over: below, of: id) }
    }

    /// After the server has answered, the members that the mutation changes are those of the answer.
    @usableFromInline func shownWithNotes(over below: Value?, of id: Value.ID) -> Value? {
        // A missing entity is one of the problems of the mutation.
        let changed = change(below, id)
        if isRemoved { return below }
        guard let answer = notes?.answer else { return changed }
        guard let below, let changed else { return answer }
        return mutation.copyChanges(from: below, to: changed, of: answer, to: below)
    }

    /// The confirmed entity with the change of the mutation, when it is confirmed.
    ///
    /// What others have written since the mutation was sent stays: an entity that they have removed, and the members that they have
    /// changed.
    ///
    /// - Parameters:
    ///   - confirmed: The confirmed entity.
    ///   - id: The identifier of the key.
    func confirmed(over confirmed: Value?, of id: Value.ID) -> Value? {
        let changed = shown(over: confirmed, of: id)
        return notes?.answer == nil ? changed.map { keeping(confirmed, in: $0, of: id) } : changed
    }

    /// A changed entity with the members that others have written since the mutation was sent.
    ///
    /// An entity that the mutation itself inserts counts as what was stored before.
    ///
    /// - Parameters:
    ///   - confirmed: The confirmed entity, without the change of the mutation.
    ///   - changed: The entity that the mutation or its answer makes of it.
    ///   - id: The identifier of the key.
    func keeping(_ confirmed: Value?, in changed: Value, of id: Value.ID) -> Value {
        guard let write = notes?.write, let confirmed, let base = write.base ?? change(nil, id) else { return changed }
        return mutation.copyChanges(from: base, to: confirmed, of: confirmed, to: changed)
    }
}

extension LayeredChange {
    /// Notes that others write the confirmed entity.
    ///
    /// Changes that were confirmed before a removal end with the entity.
    ///
    /// - Parameters:
    ///   - new: The entity that is written, or `nil` if it is removed.
    ///   - number: The number of the mutation whose answer it is, which only those before it have not known, or the highest number.
    ///   - isCleared: Whether all entities are removed before.
    ///   - isMoved: Whether the entity with another identifier takes its place.
    @usableFromInline mutating func noteWrite(
        of new: Value?,
        before number: UInt64 = .max,
        isCleared: Bool = false,
        isMoved: Bool = false
    ) {
        let isRemoval = new == nil && !isMoved
        let count = layers.count
        // What moves with an answer isn't older than the answer.
        let isEnd = new == nil && (!isMoved || number == .max)
        if isEnd || isCleared { layers.removeAll { $0.number < number && $0.isSettled } }
        // Nothing is removed where nothing was confirmed, and changes of lists don't depend on what else is in them.
        if isRemoval && confirmed == nil && layers.count == count || Value.self is any InternalEntity.Type { return }
        for place in layers.indices where layers[place].number < number && layers[place].mutation.isSent {
            let notes = layers[place].notes
            let base = notes?.write.map { $0.base } ?? confirmed
            layers[place].notes = LayerNotes(
                LayerWrite(base: base, isRemoval: isRemoval),
                isSettled: notes?.isSettled == true,
                answer: notes?.answer == nil ? nil : new
            )
        }
    }

    /// Notes that the confirmed entity is loaded, which others have stored again if they had removed it.
    mutating func noteLoad() {
        for place in layers.indices where layers[place].isRemoved {
            guard let notes = layers[place].notes, var write = notes.write else { continue }
            write.isRemoval = false
            layers[place].notes = LayerNotes(write, isSettled: notes.isSettled, answer: notes.answer)
        }
    }

    /// Notes that an earlier mutation changes the confirmed entity, so that later ones don't take that for a write of others.
    mutating func noteEarlierChange(to new: Value?, after number: UInt64) {
        guard let old = confirmed, let new else { return }
        for place in layers.indices where layers[place].number > number {
            guard let notes = layers[place].notes, var write = notes.write, let base = write.base else { continue }
            write.base = layers[place].mutation.copyChanges(from: old, to: new, of: new, to: base)
            layers[place].notes = LayerNotes(write, isSettled: notes.isSettled, answer: notes.answer)
        }
    }

    /// Lets the change of a mutation that the server has confirmed wait for those of earlier mutations.
    ///
    /// - Parameters:
    ///   - number: The number of the mutation.
    ///   - answer: The confirmed entity, if the server has answered with it.
    mutating func settle(_ number: UInt64, answer: Value?) {
        for place in layers.indices where layers[place].number == number {
            layers[place].notes = LayerNotes(layers[place].notes?.write, isSettled: true, answer: answer)
        }
    }

    /// Makes the changes of mutations that don't wait for earlier ones any more.
    @usableFromInline mutating func confirmSettled(of id: Value.ID) {
        while let layer = layers.first, layer.isSettled {
            let new = layer.confirmed(over: confirmed, of: id)
            noteEarlierChange(to: new, after: layer.number)
            confirmed = new
            isWritten = true
            layers.removeFirst()
        }
    }
}
