extension Layer {
    /// Whether the server has confirmed the mutation, and its change waits for those of earlier mutations.
    @inlinable var isSettled: Bool { notes?.isSettled == true }

    /// The layer after the server has confirmed the mutation before earlier ones.
    ///
    /// What others have written since the mutation was sent stays.
    ///
    /// - Parameters:
    ///   - base: The confirmed entity without the changes of such layers.
    ///   - answer: The confirmed entity, if the server has answered with it. The members that the mutation changes are those of it.
    ///   - later: The members about which the answer doesn't decide, or `nil` for none.
    ///   - isHidden: Whether an earlier mutation removes the entity.
    fileprivate func settled(
        over base: Value?,
        answer: Value?,
        later: (any MemberChanges<Value>)?,
        isHidden: Bool
    ) -> Layer {
        var layer = self
        if let answer {
            layer = Layer(of: mutation, place: place) { [body, unowned(unsafe) mutation] below, id, place in
                let changed = body(below, id, place)
                guard let below else { return isHidden && changed == nil ? nil : answer }
                guard let changed else { return answer }
                let made = mutation.changes(from: below, to: changed).copied(from: answer, to: below) ?? answer
                return later.map { $0.copied(from: changed, to: made) ?? changed } ?? made
            }
        }
        layer.notes = LayerNotes(SettledChange(base: base, overwritten: base == nil ? nil : notes?.write?.others))
        return layer
    }
}

extension SettledChange {
    /// The change after others have written members of the confirmed entity.
    func overwritten(_ changes: any MemberChanges<Value>) -> SettledChange {
        SettledChange(base: base, overwritten: changes.union(overwritten))
    }
}

/// Changes that the server has confirmed before those of earlier mutations.
extension LayeredChange {
    /// Whether there are such changes.
    @inlinable var isAnySettled: Bool {
        // The first layer doesn't wait for any.
        if layers.count < 2 { return false }
        for place in layers.indices {
            if case .some = layers[place].notes, layers[place].isSettled { return true }
        }
        return false
    }

    /// The entity to which the layers are applied: the confirmed one without such changes.
    @usableFromInline var base: Value? {
        for layer in layers {
            if let settled = layer.notes?.settled { return settled.base }
        }
        return confirmed
    }

    mutating func setBase(_ base: Value?) {
        for place in layers.indices {
            guard var settled = layers[place].notes?.settled else { continue }
            settled.base = base
            layers[place].notes = LayerNotes(settled)
        }
    }

    /// Lets the change of a mutation that the server has confirmed wait for those of earlier mutations.
    ///
    /// - Parameters:
    ///   - number: The number of the mutation.
    ///   - answer: The confirmed entity, if the server has answered with it.
    ///   - id: The identifier of the key.
    mutating func settle(_ number: UInt64, answer: Value?, of id: Value.ID) {
        let base = base
        let later = layers.settledChanges(after: number, over: answer, of: id)
        let earlier = layers.lazy.filter { $0.number < number }
        let isHidden = answer != nil && earlier.reduce(answer) { $1.shown(over: $0, of: id) } == nil
        for place in layers.indices where layers[place].number == number {
            layers[place] = layers[place].settled(over: base, answer: answer, later: later, isHidden: isHidden)
            noteEarlierChange(from: base, to: layers[place].shown(over: base, of: id), after: number)
        }
    }

    /// Makes such changes to the confirmed entity, after one of them or an earlier one was confirmed.
    mutating func makeSettled(of id: Value.ID) {
        var below = endWaiting(of: id)
        for layer in layers where layer.isSettled { below = layer.shown(over: below, of: id) }
        confirmed = below
        isWritten = true
    }

    /// Ends the layers of such changes that don't wait for earlier ones any more.
    ///
    /// The confirmed entity, which has them, stays as it is.
    ///
    /// - Returns: The entity to which the layers are applied that wait.
    @discardableResult @usableFromInline mutating func endWaiting(of id: Value.ID) -> Value? {
        var below = base
        while let layer = layers.first, layer.isSettled {
            below = layer.shown(over: below, of: id)
            layers.removeFirst()
        }
        setBase(below)
        return below
    }

    /// What others have written without such changes, except for those that they have overwritten.
    ///
    /// - Parameter new: What they have written.
    /// - Returns: The entity, or `nil` if the members can't be copied one by one.
    func withoutSettled(_ new: Value) -> Value? {
        guard let owner = layers.first?.mutation else { return new }
        return owner.changes(from: confirmed, to: base).copied(from: base, to: new).flatMap {
            owner.changes(from: confirmed, to: new).copied(from: new, to: $0)
        }
    }
}

extension Array {
    /// The members that the changes of later mutations change, or `nil` for none.
    ///
    /// - Parameters:
    ///   - number: The number of the mutation.
    ///   - made: What the mutation makes.
    ///   - id: The identifier of the key.
    func settledChanges<Value>(
        after number: UInt64,
        over made: Value?,
        of id: Value.ID
    ) -> (any MemberChanges<Value>)? where Element == Layer<Value> {
        guard let made, let first = first(where: { $0.number > number && $0.isSettled }) else { return nil }
        let shown: Value? = reduce(made) { $1.number > number && $1.isSettled ? $1.shown(over: $0, of: id) : $0 }
        return shown.map { first.mutation.changes(from: made, to: $0) }
    }
}

extension Slot {
    /// The entity to which the layers are applied.
    func base<Value: Cachable>(of type: Value.Type) -> Value? { LayeredChange<Value>(of: self).base }
}
