/// A change of the confirmed entity or the layers of a key.
@frozen @usableFromInline
enum LayerEdit<Value: Cachable> {
    /// A layer is added.
    case add(Layer<Value>)
    /// The layers of the mutation with a number are removed.
    case remove(UInt64)
    /// The change of the only layer of the mutation with a number is made to the confirmed entity, and the layer is removed.
    ///
    /// It is refused if there is no entity, others have written it since the mutation was sent, or changes of mutations have to wait
    /// for those of earlier ones.
    case confirm(UInt64)
    /// The entity that a closure makes of the confirmed one is stored, unless it returns `nil`.
    case write((_ confirmed: Value?) -> Value?)
}

/// A new confirmed entity and new layers of a key.
@frozen @usableFromInline
struct LayeredChange<Value: Cachable> {
    /// The new confirmed entity, or `nil` for none.
    @usableFromInline var confirmed: Value?
    /// The new layers.
    @usableFromInline var layers: [Layer<Value>]
    /// Whether the confirmed entity is written, even if it is equal.
    @usableFromInline var isWritten: Bool
    /// The number of the origin of the commit.
    @usableFromInline var origin = OriginNumber.user
    /// The place of the stored confirmed entity in the order of insertion, or `nil` if none is stored.
    @usableFromInline let ordinal: UInt64?

    @inlinable init(_ confirmed: Value?, _ layers: [Layer<Value>], isWritten: Bool, ordinal: UInt64?) {
        self.confirmed = confirmed
        self.layers = layers
        self.isWritten = isWritten
        self.ordinal = ordinal
    }

    /// Adds a layer at its place.
    ///
    /// - Returns: Whether it is above all others. If not, an earlier process has begun its mutation.
    @inlinable mutating func insert(_ layer: Layer<Value>) -> Bool {
        if layers.isEmpty {
            // This takes less time than to append it.
            layers = [layer]
            return true
        }
        var place = layers.endIndex
        while place > layers.startIndex, layer.isBelow(layers[place - 1]) { place -= 1 }
        if place == layers.endIndex {
            layers.append(layer)
            return true
        }
        layers.insert(layer, at: place)
        return false
    }

    /// Makes an edit, for which user code runs.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - shown: The entity that readers see before, if the edit needs it.
    ///   - id: The identifier of the key.
    /// - Returns: The entity that readers see afterwards.
    /// - Complexity: The time of the closure of a layer that is added above all others, or that is confirmed below others that weren't
    ///   sent, or else of the closures of all layers.
    @inlinable mutating func make(_ edit: LayerEdit<Value>, over shown: Value?, of id: Value.ID) -> Value? {
        switch edit {
        case .add(let layer):
            let count = layers.count
            if insert(layer) && count > 0 { return visible(of: id, after: count, over: shown) }
        case .remove(let number):
            removeLayers(of: number)
            if isFirstSettled { endWaiting(of: id) }
        case .confirm(let number):
            let isSame = showsSame(confirming: number)
            confirm(number, of: id)
            if isSame && isWritten { return shown }
        case .write(let resolve):
            if let resolved = resolve(confirmed) {
                noteReplacement(by: resolved)
                confirmed = resolved
                isWritten = true
            }
        }
        return visible(of: id)
    }

    /// Whether readers see the same after a change is confirmed, because its layer is below all others.
    ///
    /// Mutations that were sent may look at the confirmed entity again, which can end them.
    @inlinable func showsSame(confirming number: UInt64) -> Bool {
        guard layers.count > 1, layers[0].number == number, layers[1].number != number else { return false }
        return !isFirstNoted && !isAnySent(besides: number)
    }

    @inlinable mutating func confirm(_ number: UInt64, of id: Value.ID) {
        guard !layers.isEmpty, layers[0].number == number, !isFirstNoted, !isAnySettled else { return }
        guard let new = layers[0].change(confirmed, id) else { return }
        if layers.count > 1 { noteEarlierChange(from: confirmed, to: new, after: number) }
        removeLayers(of: number)
        confirmed = new
        isWritten = true
        origin = .server
    }

    @inlinable mutating func removeLayers(of number: UInt64) {
        // This takes less time if there is no other layer.
        if layers.count == 1, layers[0].number == number { return layers = [] }
        layers.removeAll { $0.number == number }
    }

    /// Whether something is noted when the confirmed entity is written: the mutation of a layer was sent.
    ///
    /// - Parameter number: The number of the mutation that writes it, which notes nothing of itself, or `nil` if others do.
    @inlinable func isAnySent(besides number: UInt64?) -> Bool {
        for layer in layers where layer.number != number && layer.mutation.isSent { return true }
        return false
    }

    /// Whether the first layer doesn't wait for earlier ones any more.
    @inlinable var isFirstSettled: Bool { isFirstNoted && layers[0].isSettled }

    /// Whether something is noted of the first layer.
    @inlinable var isFirstNoted: Bool {
        if !layers.isEmpty, case .some = layers[0].notes { true } else { false }
    }

    /// The entity that readers see under an identifier, for which the closures of all layers run.
    @inlinable mutating func visible(of id: Value.ID) -> Value? {
        if layers.isEmpty { return confirmed }
        if isAnySettled { return visible(of: id, after: 0, over: base) }
        // It isn't copied for the closures.
        let below = confirmed.take()
        let value = visible(of: id, after: 0, over: below)
        confirmed = consume below
        return value
    }

    /// The entity that readers see under an identifier, for which the closures of some layers run.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - count: The number of layers that were applied before.
    ///   - below: Their result.
    @inlinable func visible(of id: Value.ID, after count: Int, over below: Value?) -> Value? {
        if count == layers.count { return below }
        var value = layers[count].shown(over: below, of: id)
        for place in (count + 1)..<layers.count { value = layers[place].shown(over: value, of: id) }
        return value
    }

    /// What the slot keeps beside the entity that readers see, and the place of that entity in the order of insertion.
    ///
    /// - Parameters:
    ///   - slot: The slot, before the change.
    ///   - isShown: Whether readers see an entity after the change.
    ///   - order: The place of an entity that isn't stored yet.
    ///   - commit: The commit that the change is part of.
    @inlinable consuming func layered(
        of slot: Slot,
        isShown: Bool,
        order: UInt64,
        _ commit: borrowing Commit
    ) -> (LayeredEntity<Value>?, ordinal: UInt64) {
        let isConfirmed = if case .some = confirmed { true } else { false }
        // An entity that was only shown by a layer keeps its place when it is confirmed.
        let place = (isConfirmed ? ordinal : nil) ?? (slot.isStored ? slot.ordinal : order)
        if layers.isEmpty { return (nil, place) }
        // What a store loads doesn't count as written. If readers see it, the slot has a note of that.
        let written = commit.origin == .load && !isShown ? 0 : commit.revision
        let revision = isWritten ? written : slot.confirmedRevision
        let confirmedPlace = isConfirmed ? place : 0
        return (LayeredEntity(confirmed.take(), revision: revision, ordinal: confirmedPlace, layers: layers), place)
    }
}
