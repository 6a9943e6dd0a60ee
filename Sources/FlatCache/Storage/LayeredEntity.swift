internal import Synchronization

/// A change that isn't confirmed, as a layer over the confirmed entity of a key.
@frozen @usableFromInline
struct Layer<Value: Cachable>: Sendable {
    /// The number of the mutation, which all of its layers have.
    @usableFromInline let number: UInt64
    /// The place of the change among those of the mutation.
    @usableFromInline let place: Int
    /// Returns the entity that readers see, made of the one below the layer.
    ///
    /// `nil` stands for a missing entity. It is user code. The result has the identifier of the key.
    @usableFromInline let body: LayerBody<Value>
    /// The mutation, which the closure keeps, so that a copy of the layer doesn't count as another reference.
    @usableFromInline unowned(unsafe) let mutation: any LayerOwner
    /// What has happened since the mutation was sent, or `nil` for nothing.
    @usableFromInline var notes: LayerNotes<Value>?

    @inlinable init(
        of mutation: any LayerOwner,
        place: Int,
        _ body: @escaping LayerBody<Value>
    ) {
        number = mutation.number
        self.mutation = mutation
        self.place = place
        self.body = body
    }
}

/// A closure of a layer, with the entity below the layer, the identifier of the key and ``Layer/place``.
///
/// A closure that captures nothing but an object takes no memory of its own, so it is given the place.
@usableFromInline typealias LayerBody<Value: Cachable> = @Sendable (Value?, Value.ID, Int) -> Value?

extension Layer {
    /// The entity that readers see, made of the one below the layer.
    @inlinable func change(_ below: Value?, _ id: Value.ID) -> Value? { body(below, id, place) }

    /// Whether the layer is below another one.
    @inlinable func isBelow(_ other: Layer) -> Bool { (number, place) < (other.number, other.place) }
}

/// The confirmed entity of a key with layers, and the layers.
///
/// The slot of the key has the entity that readers see, with all layers applied.
@_fixed_layout @usableFromInline
final class LayeredEntity<Value: Cachable>: LayeredState, @unchecked Sendable {
    /// The confirmed entity, or `nil` if there is none.
    @usableFromInline let confirmed: Value?
    /// The layers, in the order of their mutations and of the changes of each.
    @usableFromInline let layers: [Layer<Value>]

    @inlinable init(_ confirmed: Value?, revision: UInt64, ordinal: UInt64, layers: [Layer<Value>]) {
        let isUnconfirmed = if case .none = confirmed { true } else { false }
        self.confirmed = confirmed
        self.layers = layers
        super.init(revision: revision, ordinal: ordinal, isUnconfirmed: isUnconfirmed)
    }

    override func confirmedEntity(_ layout: EntityLayout) -> EntityBox? { confirmed.map { EntityBox($0, layout) } }
}

/// What code that doesn't know the type needs of a ``LayeredEntity``.
@_fixed_layout @usableFromInline
class LayeredState: @unchecked Sendable {  // Constant, like its subclass.
    /// The revision of the last commit that wrote the confirmed entity.
    @usableFromInline final let revision: UInt64
    /// The place of the confirmed entity in the order of insertion, or 0 if there is none.
    @usableFromInline final let ordinal: UInt64
    /// Whether there is no confirmed entity.
    @usableFromInline final let isUnconfirmed: Bool

    @inlinable init(revision: UInt64, ordinal: UInt64, isUnconfirmed: Bool) {
        self.revision = revision
        self.ordinal = ordinal
        self.isUnconfirmed = isUnconfirmed
    }

    /// A copy of the confirmed entity, or `nil` if there is none.
    func confirmedEntity(_ layout: EntityLayout) -> EntityBox? { nil }
}

extension EntityLayout {
    /// A copy of the confirmed entity of a locked slot after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot, or `.max` for the current state.
    func confirmedEntity(of slot: Slot, at snapshot: UInt64) -> EntityBox? {
        let layered = slot.revision <= snapshot ? slot.layeredState : slot.version(at: snapshot)?.layered
        return layered.map { $0.confirmedEntity(self) } ?? entity(of: slot, at: snapshot).box(self)
    }
}

extension EntityTable {
    /// Notes that a key has layers now, or that it has no layers any more.
    ///
    /// - Parameters:
    ///   - difference: 1 or -1.
    ///   - revision: The revision of the commit.
    func noteLayeredKey(_ difference: Int, at revision: UInt64) {
        if difference < 0 { layersEnd.max(revision, ordering: .relaxed) }
        layeredCount.add(difference, ordering: .releasing)
    }

    /// Whether a key may have had layers after a commit.
    func hadLayers(after revision: UInt64) -> Bool {
        layeredCount.load(ordering: .acquiring) != 0 || layersEnd.load(ordering: .relaxed) > revision
    }

    /// Whether a mutation of the type may have begun.
    var mayHaveLayers: Bool { layeringCode.load() != nil }

}

extension Table {
    /// The layers of the key with an identifier.
    func layers(of id: Value.ID, _ hash: HashedID) -> [Layer<Value>] {
        hasLayers ? withSlot(for: id, hash) { $0.layered(of: Value.self)?.layers ?? [] } : []
    }
}

/// The code of layers for one type; see `LayerCode`.
///
/// It is a class because `LazyReference` requires one.
@usableFromInline
class LayeringCode: @unchecked Sendable {  // It has no variables, nor have subclasses.
    @usableFromInline init() {}
}

extension Slot {
    /// The bit of ``pins`` of slots with layers, which keeps the slot and the entity.
    @inlinable static var layeredBit: UInt32 { 1 << 31 }

    /// Whether the entity has layers.
    @inlinable var isLayered: Bool { pins >= Self.layeredBit }

    /// The confirmed entity and the layers, or `nil` if there are no layers.
    @inlinable func layered<Value: Cachable>(of type: Value.Type) -> LayeredEntity<Value>? {
        layeredState.map { unsafeDowncast($0, to: LayeredEntity<Value>.self) }
    }

    /// The ``layered(of:)`` for code that doesn't know the type.
    @inlinable var layeredState: LayeredState? { isLayered ? extras?.layered : nil }

    /// Sets or removes the layers.
    ///
    /// - Parameters:
    ///   - layered: The layers, or `nil` to remove them.
    ///   - isWritten: Whether the commit writes the confirmed entity, too.
    ///   - table: The table.
    /// - Returns: The previous layers, to be released after unlocking.
    @usableFromInline func setLayered(_ layered: LayeredState?, isWritten: Bool, in table: EntityTable) -> LayeredState?
    {
        let old = extras?.layered
        if let layered {
            makeExtras().layered = layered
            pins |= Self.layeredBit
        } else if let extras {
            extras.layered = nil
            pins &= ~Self.layeredBit
            noteWriteBelowLayers(isWritten ? nil : old)
        }
        let difference = (layered == nil ? 0 : 1) - (old == nil ? 0 : 1)
        if difference != 0 { table.noteLayeredKey(difference, at: revision) }
        return old
    }

    /// The confirmed entity, or `nil` if none is stored.
    @inlinable func confirmed<Value: Cachable>(of type: Value.Type) -> Value? {
        isLayered ? layered(of: type)?.confirmed : copy(of: type)
    }

    /// Whether a confirmed entity is stored, also if layers hide it.
    var isConfirmed: Bool { layeredState.map { !$0.isUnconfirmed } ?? isStored }

    /// Notes the last write of the confirmed entity, after a commit that has removed its layers and changed nothing else.
    ///
    /// - Parameter layered: The confirmed entity and the layers before, or `nil` if the commit has written the entity.
    func noteWriteBelowLayers(_ layered: LayeredState?) {
        var write: WriteBelowLayers?
        // A confirmed entity that a store has loaded has no revision of a write.
        if let layered, layered.revision != 0 || layered.isUnconfirmed {
            write = WriteBelowLayers(written: layered.revision, revision: revision)
        }
        extras?.writeBelowLayers = write
        dropEmptyExtras()
    }

    /// The revision of the last commit that wrote the confirmed entity.
    @usableFromInline var confirmedRevision: UInt64 { extras.map { confirmedRevision(with: $0) } ?? revision }

    private func confirmedRevision(with extras: SlotExtras) -> UInt64 {
        if isLayered, let layered = extras.layered { return layered.revision }
        if let write = extras.writeBelowLayers, write.revision == revision { return write.written }
        return revision
    }

    /// The revision of the last commit that wrote what readers see, which is that of the confirmed entity, if there is one.
    @usableFromInline var visibleRevision: UInt64 { extras.map { visibleRevision(with: $0) } ?? revision }

    private func visibleRevision(with extras: SlotExtras) -> UInt64 {
        guard let layered = layeredState else { return confirmedRevision(with: extras) }
        return isStored && !layered.isUnconfirmed && layered.revision != 0 ? layered.revision : revision
    }

    /// Whether layers showed an entity after all commits up to a revision.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    func isShownByLayers(at snapshot: UInt64) -> Bool {
        if revision <= snapshot { return isLayered && isStored }
        guard let version = version(at: snapshot), version.layered != nil, version.value != nil else {
            return false
        }
        return true
    }

    /// The confirmed entity after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    @inlinable func confirmedValue<Value: Cachable>(of type: Value.Type, at snapshot: UInt64) -> Value? {
        revision <= snapshot && !isLayered ? copy(of: type) : otherConfirmedEntity(of: type, at: snapshot)?.value
    }

    /// The confirmed entity after all commits up to a revision, or `nil` if none was stored.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    @inlinable func confirmedEntity<Value: Cachable>(of type: Value.Type, at snapshot: UInt64) -> StoredEntity<Value>? {
        revision <= snapshot && !isLayered
            ? entity(of: type, at: snapshot) : otherConfirmedEntity(of: type, at: snapshot)
    }

    /// The same as ``confirmedEntity(at:)``, with the revision of the last write, which is older than the one of a commit that has
    /// only removed layers.
    @inlinable func writtenEntity<Value: Cachable>(of type: Value.Type, at snapshot: UInt64) -> StoredEntity<Value>? {
        guard let entity = confirmedEntity(of: type, at: snapshot) else { return nil }
        let written = confirmedRevision
        if entity.revision != revision || written == revision { return entity }
        return StoredEntity(value: entity.value, slot: entity.slot, revision: written, ordinal: entity.ordinal)
    }

    @usableFromInline func otherConfirmedEntity<Value: Cachable>(
        of type: Value.Type,
        at snapshot: UInt64
    ) -> StoredEntity<Value>? {
        let state = revision <= snapshot ? layeredState : version(at: snapshot)?.layered
        guard let state else { return entity(of: type, at: snapshot) }
        return unsafeDowncast(state, to: LayeredEntity<Value>.self).confirmed.map {
            StoredEntity(value: $0, slot: SlotIdentity(self), revision: state.revision, ordinal: state.ordinal)
        }
    }
}
