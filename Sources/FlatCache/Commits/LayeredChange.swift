/// A new confirmed entity and new layers of a key.
@frozen @usableFromInline
struct LayeredChange<Value: Cachable> {
    /// The new confirmed entity, or `nil` for none.
    @usableFromInline var confirmed: Value?
    /// The new layers.
    @usableFromInline var layers: [Layer<Value>]
    /// Whether the confirmed entity is written, even if it is equal.
    @usableFromInline var isWritten: Bool
    /// The place of the stored confirmed entity in the order of insertion, or `nil` if none is stored.
    @usableFromInline let ordinal: UInt64?

    @inlinable init(_ confirmed: Value?, _ layers: [Layer<Value>], isWritten: Bool, ordinal: UInt64?) {
        self.confirmed = confirmed
        self.layers = layers
        self.isWritten = isWritten
        self.ordinal = ordinal
    }

    /// Adds a layer at its place, which isn't the last one if an earlier process has begun its mutation.
    @inlinable mutating func insert(_ layer: Layer<Value>) {
        var place = layers.endIndex
        while place > layers.startIndex, layer.isBelow(layers[place - 1]) { place -= 1 }
        layers.insert(layer, at: place)
    }

    /// The entity that readers see under an identifier, for which the closures of all layers run.
    @inlinable func visible(of id: Value.ID) -> Value? {
        var value = confirmed
        for layer in layers { value = layer.change(value, id) }
        return value
    }

    /// What the slot keeps beside the entity that readers see, and the place of that entity in the order of insertion.
    ///
    /// - Parameters:
    ///   - slot: The slot, before the change.
    ///   - order: The place of an entity that isn't stored yet.
    ///   - commit: The commit that the change is part of.
    @inlinable func layered(
        of slot: Slot<Value>,
        order: UInt64,
        _ commit: borrowing Commit
    ) -> (LayeredEntity<Value>?, ordinal: UInt64) {
        let isConfirmed = if case .some = confirmed { true } else { false }
        // An entity that was only shown by a layer keeps its place when it is confirmed.
        let place = (isConfirmed ? ordinal : nil) ?? (slot.isStored ? slot.ordinal : order)
        if layers.isEmpty { return (nil, place) }
        // What a store loads doesn't count as written.
        let written = commit.origin == .load ? 0 : commit.revision
        let revision = isWritten ? written : slot.confirmedRevision
        return (LayeredEntity(confirmed, revision: revision, ordinal: isConfirmed ? place : 0, layers: layers), place)
    }
}
