extension Layer {
    /// Whether others have removed the entity since the mutation was sent.
    @usableFromInline var isRemoved: Bool { notes?.write?.isRemoval == true }

    /// The entity that readers see, made of the one below the layer.
    @inlinable func shown(over below: Value?, of id: Value.ID) -> Value? {
        if let notes, !notes.showsChange { shownWithNotes(over: below, of: id) } else { change(below, id) }
    }

    @usableFromInline func shownWithNotes(over below: Value?, of id: Value.ID) -> Value? {
        // A missing entity is one of the problems of the mutation.
        let changed = change(below, id)
        if isRemoved { return below }
        guard let overwritten = notes?.settled?.overwritten, let below else { return changed }
        if let changed { return overwritten.copied(from: below, to: changed) ?? below }
        // Others have stored what it has removed.
        return overwritten.copied(from: below, to: below) == nil ? below : nil
    }

    /// A changed entity with the members that others have written since the mutation was sent.
    ///
    /// - Parameters:
    ///   - confirmed: The confirmed entity, without the change of the mutation.
    ///   - changed: The entity that the mutation or its answer makes of it.
    /// - Returns: The entity, or `nil` if the members can't be copied one by one.
    func keeping(_ confirmed: Value?, in changed: Value) -> Value? {
        guard let confirmed, let others = notes?.write?.others else { return changed }
        return others.copied(from: confirmed, to: changed)
            ?? (Value.self is any InternalEntity.Type ? confirmed : nil)
    }

    /// An answer with what was written since the mutation was sent.
    ///
    /// Of what earlier mutations have changed, it decides about the members that the mutation changes itself. It decides about
    /// nothing that later confirmed ones have changed.
    ///
    /// - Parameters:
    ///   - confirmed: The confirmed entity, without the changes of the mutation and of later ones.
    ///   - layers: The layers of the key.
    ///   - answer: The answer.
    ///   - isDelayed: Whether the change waits for those of earlier mutations, and is made to the entity again.
    ///   - isNewest: Whether the answer is newer than what others have written since, by the merge of the type.
    /// - Returns: The entity. If the members can't be copied one by one, it is what the mutation makes of the confirmed entity.
    func keeping(
        _ confirmed: Value?,
        in layers: [Layer],
        inAnswer answer: Value,
        isDelayed: Bool,
        isNewest: Bool
    ) -> Value {
        let own = layers.filter { $0.number == number }
        let changed = own.reduce(confirmed) { $1.shown(over: $0, of: answer.id) }
        let made = changed.flatMap { keeping(confirmed, in: $0) } ?? changed
        var kept: Value? = answer
        if let earlier = notes?.write?.earlier, let confirmed {
            let changes = mutation.changes(from: confirmed, to: changed)
            kept = earlier.copied(from: confirmed, to: answer).flatMap { changes.copied(from: answer, to: $0) }
        }
        if !isNewest { kept = kept.flatMap { keeping(confirmed, in: $0) } }
        if let later = layers.settledChanges(after: number, over: made, of: answer.id) {
            kept = kept.flatMap { later.copied(from: isDelayed ? confirmed : made, to: $0) }
        }
        return kept ?? changed ?? answer
    }
}

extension Layer {
    /// Replaces identifiers in what is noted.
    mutating func renameNotes(_ renamed: (Value?) -> Value?) {
        if var settled = notes?.settled {
            settled.base = renamed(settled.base)
            settled.overwritten = settled.overwritten?.renamed(renamed)
            notes = LayerNotes(settled)
        } else if var write = notes?.write {
            write.others = write.others?.renamed(renamed)
            write.earlier = write.earlier?.renamed(renamed)
            write.removed = renamed(write.removed)
            notes = LayerNotes(write)
        }
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
    ///   - isBase: Whether the entity was made of the one to which the layers are applied.
    ///   - revision: The revision before the request whose response it is, so that the mutations that were sent later have known more,
    ///     or `nil` if it is none.
    ///   - isCleared: Whether all entities are removed before.
    ///   - isMoved: Whether the entity with another identifier takes its place.
    @usableFromInline mutating func noteWrite(
        of new: Value?,
        before number: UInt64 = .max,
        isBase: Bool = false,
        since revision: UInt64? = nil,
        isCleared: Bool = false,
        isMoved: Bool = false
    ) {
        let isRemoval = new == nil && !isMoved
        let base = base
        let old = isBase ? base : confirmed
        let count = layers.count
        // What moves with an answer isn't older than the answer.
        let isEnd = new == nil && (!isMoved || number == .max)
        if isEnd || isCleared { layers.removeAll { $0.number < number && $0.isSettled } }
        // Nothing is removed where nothing was confirmed.
        if isRemoval && base == nil && layers.count == count { return }
        var below = new
        if let new, !isBase, isAnySettled {
            below = withoutSettled(new) ?? (base == nil || confirmed == nil ? new : nil)
            // The changes would be made to it again.
            if below == nil { layers.removeAll { $0.isSettled } }
        }
        guard let owner = layers.first?.mutation else { return }
        let changes = owner.changes(from: old, to: new)
        for place in layers.indices where layers[place].number < number && layers[place].mutation.isSent {
            let layer = layers[place]
            if let revision, layer.mutation.sentRevision > revision { continue }
            if let settled = layer.notes?.settled {
                layers[place].notes = LayerNotes(settled.overwritten(changes))
            } else {
                var write = layer.notes?.write ?? LayerWrite()
                if isMoved && new == nil {
                    (write.removed, write.isMoved) = (old, true)
                } else {
                    write.note(new, over: old, changes, of: layer)
                }
                layers[place].notes = LayerNotes(write)
            }
        }
        setBase(below)
        if let new, number == .max, isAnySettled { noteDifferences(from: new) }
    }

    /// Notes what others have written otherwise than changes make it that were confirmed before earlier ones, such as the order of a
    /// list.
    ///
    /// - Parameter new: What they have written.
    private mutating func noteDifferences(from new: Value) {
        guard let base, let owner = layers.first?.mutation else { return }
        let settled = layers.filter { $0.isSettled }
        guard let made = settled.reduce(base, { $1.shown(over: $0, of: new.id) }) else { return }
        var changes = owner.changes(from: made, to: new)
        if changes.isEmpty { return }
        // Identifiers stand among those that the changes have added or moved.
        if Value.self is any InternalEntity.Type { changes = owner.changes(from: base, to: made).union(changes) }
        for place in layers.indices {
            guard let settled = layers[place].notes?.settled else { continue }
            layers[place].notes = LayerNotes(settled.overwritten(changes))
        }
        setBase(changes.copied(from: new, to: base) ?? base)
    }

    /// Notes that others store the confirmed entity, in a commit of its own.
    @inlinable mutating func noteReplacement(by new: Value) {
        if isAnySent(besides: nil) { noteWrite(of: new) }
    }

    /// Notes that the confirmed entity is loaded, which others have stored again if they had removed it.
    mutating func noteLoad(of new: Value?) {
        for place in layers.indices where layers[place].isRemoved {
            guard var write = layers[place].notes?.write else { continue }
            write.isRemoval = false
            layers[place].notes = LayerNotes(write)
        }
        setBase(new)
    }

    /// Replaces identifiers in all that is known of the key, because the replacement of an identifier is no write of others.
    @usableFromInline mutating func rename(_ renamings: [(Value) -> Value]) {
        func renamed(_ value: Value?) -> Value? { value.map { renamings.reduce($0) { $1($0) } } }
        confirmed = renamed(confirmed)
        for place in layers.indices { layers[place].renameNotes(renamed) }
    }

    /// Notes that an earlier mutation changes the confirmed entity, which the answers to later ones that were sent may not know.
    @usableFromInline mutating func noteEarlierChange(from old: Value?, to new: Value?, after number: UInt64) {
        guard let old, let new, !(Value.self is any InternalEntity.Type) else { return }
        let later = layers.indices.filter {
            layers[$0].number > number && !layers[$0].isSettled && layers[$0].mutation.isSent
        }
        guard let first = later.first else { return }
        let changes = layers[first].mutation.changes(from: old, to: new)
        // Layers of which the same is known share it, because they can be many.
        var (known, noted) = (layers[first].notes, LayerNotes<Value>?.none)
        for place in later {
            if noted == nil || layers[place].notes !== known {
                known = layers[place].notes
                var write = known?.write ?? LayerWrite()
                write.earlier = changes.union(write.earlier)
                noted = LayerNotes(write)
            }
            layers[place].notes = noted
        }
    }

    /// Notes that the confirmed entity has taken the place of one with another identifier, whose layers it has now.
    mutating func noteMove() {
        for place in layers.indices {
            guard var write = layers[place].notes?.write, write.isMoved else { continue }
            write.isMoved = false
            let changes = layers[place].mutation.changes(from: nil, to: confirmed)
            write.note(confirmed, over: nil, changes, of: layers[place])
            layers[place].notes = LayerNotes(write)
        }
    }
}
