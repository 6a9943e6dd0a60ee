/// Everything that has changed in the recorded types of a cache up to one revision.
///
/// The entities are read in pieces, while other threads write. Exactly one thread uses it, and must call ``end(isWritten:)``.
@usableFromInline
package final class RecordedChanges {
    private let cache: FlatCache
    private let revision: UInt64
    private let parts: [any TakenJournals]
    /// The stamp of entities whose own isn't known.
    private let stamp: UInt64
    private var isOpen = true

    init(in cache: FlatCache, _ revision: UInt64, _ parts: [any TakenJournals], stamp: UInt64) {
        self.cache = cache
        self.revision = revision
        self.parts = parts
        self.stamp = stamp
    }

    deinit { end(isWritten: false) }

    /// Whether nothing has changed.
    package var isEmpty: Bool { parts.allSatisfy { $0.isEmpty } }

    /// Closes the snapshot in which the entities are read, after the last one is read.
    package func endReading() {
        if isOpen { cache.history.object.close(revision) }
        isOpen = false
    }

    /// Ends the use of the changes.
    ///
    /// - Parameter isWritten: Whether a store has them. If not, they are part of the next changes.
    package func end(isWritten: Bool) {
        endReading()
        for part in parts { part.end(isWritten: isWritten) }
    }

    /// Notes that an entity can't be written, so that it isn't evicted until it is written.
    package func leaveOut<Value: Cachable>(_ type: Value.Type, id: Value.ID) { part(of: type)?.leaveOut(id) }

    /// Notes that a list can't be written.
    package func leaveOut<Value: Cachable>(listOf type: Value.Type, _ name: String) {
        part(of: ListContents<Value>.self)?.leaveOut(name)
    }

    /// Notes that a reference can't be written.
    package func leaveOut<Value: Cachable>(referenceTo type: Value.Type, _ name: String) {
        part(of: ReferenceContents<Value>.self)?.leaveOut(name)
    }

    /// Notes that the replacement of an identifier can't be written.
    package func leaveOut<Value: Cachable>(replacementOf type: Value.Type, _ id: Value.ID) {
        part(of: Forwarding<Value>.self)?.leaveOut(id)
    }

    /// Notes that what an entity is merged with can't be written.
    package func leaveOut<Value: Cachable>(mergeBaseOf type: Value.Type, _ id: Value.ID) {
        part(of: MergeBase<Value>.self)?.leaveOut(id)
    }

    @usableFromInline func part<Element: Cachable>(of type: Element.Type) -> TableJournals<Element>? {
        parts.first(from: { $0 as? TableJournals<Element> })
    }

    /// The time at which all entities of a type were last marked as stale, as a ``ChangedEntity/stamp``, or 0 for never.
    package func invalidation<Value: Cachable>(of type: Value.Type) -> UInt64 { cache.invalidation(of: type) }

    /// The changed entities of a type.
    ///
    /// It is inlinable to be specialized: without, it takes 25,000 instructions for an entity.
    @inlinable package func entities<Value: Cachable>(of type: Value.Type) -> RecordedPart<ChangedEntity<Value>> {
        RecordedPart(part(of: type)) { piece in
            let stamps = self.stamps(of: piece.map { ($0.entity?.slot, $0.entity?.revision ?? 0) }, type)
            return piece.indices.map { place in
                let entity = piece[place].entity
                return ChangedEntity(
                    id: piece[place].id,
                    value: entity?.value,
                    ordinal: entity?.ordinal ?? 0,
                    stamp: stamps[place]
                )
            }
        }
    }

    /// The stamps of entities, or 0 for those that are marked as stale or don't exist.
    @usableFromInline func stamps<Value: Cachable>(
        of entities: [(slot: SlotIdentity?, revision: UInt64)],
        _ type: Value.Type
    ) -> [UInt64] {
        let stale = cache.existingFetchQueue(of: type)?.look { state in
            entities.map { entity in entity.slot.map { state.invalidations.stale($0) } ?? 0 }
        }
        let history = cache.history.object
        return entities.enumerated().map { place, entity in
            if entity.slot == nil || entity.revision <= stale?[place] ?? 0 { return 0 }
            return history.stamp(of: entity.revision) ?? stamp
        }
    }

    /// The changed lists of a type.
    package func lists<Value: Cachable>(of type: Value.Type) -> RecordedPart<ChangedList<Value.ID>> {
        RecordedPart(part(of: ListContents<Value>.self)) { piece in
            piece.map { name, entity in
                ChangedList(
                    name: name,
                    ids: entity.map { Array($0.value.order) },
                    dropsRemoved: entity?.value.dropsRemoved ?? false,
                    keeps: entity?.value.keeps,
                    gaps: entity.map { $0.value.gaps.map($0.value.place(of:)) } ?? [],
                    own: entity?.value.placesOfOwn ?? [],
                    isStale: entity?.value.isStale ?? false
                )
            }
        }
    }

    /// The changed references of a type.
    package func references<Value: Cachable>(of type: Value.Type) -> RecordedPart<ChangedReference<Value.ID>> {
        RecordedPart(part(of: ReferenceContents<Value>.self)) { piece in
            piece.map { name, entity in
                ChangedReference(
                    name: name,
                    id: entity?.value.target,
                    dropsRemoved: entity?.value.dropsRemoved ?? false
                )
            }
        }
    }
}

extension FlatCache {
    /// The time at which all entities of a type were last marked as stale, as a ``ChangedEntity/stamp``, or 0 for never.
    package func invalidation<Value: Cachable>(of type: Value.Type) -> UInt64 {
        let revision = existingFetchQueue(of: type)?.look { $0.invalidations.all } ?? 0
        return revision <= UInt64.invalid ? 0 : history.object.stamp(of: revision) ?? 0
    }
}

extension RecordedChanges {
    /// The identifiers of a type that were replaced.
    package func replacements<Value: Cachable>(of type: Value.Type) -> RecordedPart<ChangedIdentifier<Value.ID>> {
        RecordedPart(part(of: Forwarding<Value>.self)) { piece in
            piece.map { id, entity in ChangedIdentifier(old: id, new: entity?.value.target) }
        }
    }
}

extension RecordedChanges {
    /// The entities of a type with which others are merged.
    package func mergeBases<Value: Cachable>(of type: Value.Type) -> RecordedPart<ChangedMergeBase<Value>> {
        RecordedPart(part(of: MergeBase<Value>.self)) { piece in
            piece.map { id, entity in
                ChangedMergeBase(id: id, isStored: entity != nil, value: entity?.value.value)
            }
        }
    }
}

/// The changes of a table, in pieces.
@frozen @usableFromInline
package struct RecordedPart<Change> {
    /// Whether everything was removed, before the changes.
    @usableFromInline package let isCleared: Bool
    /// Returns some of the changes, or `nil` after the last ones.
    @usableFromInline package let next: () -> [Change]?

    @inlinable init<Element: Cachable>(
        _ journals: TableJournals<Element>?,
        _ changes: @escaping ([(id: Element.ID, entity: StoredEntity<Element>?)]) -> [Change]
    ) {
        isCleared = journals?.isCleared ?? false
        // The changes can be read again.
        journals?.next = (0, 0)
        next = { journals?.nextPiece().map(changes) }
    }
}

/// An entity that was stored, changed or removed.
@frozen @usableFromInline
package struct ChangedEntity<Value: Cachable> {
    @usableFromInline package let id: Value.ID
    /// The entity, or `nil` if it was removed.
    @usableFromInline package let value: Value?
    /// Its place in the order of insertion.
    @usableFromInline package let ordinal: UInt64
    /// The time of the last write in 2⁻²⁰ milliseconds since 1970, or 0 if it is marked as stale.
    @usableFromInline package let stamp: UInt64

    @inlinable init(id: Value.ID, value: Value?, ordinal: UInt64, stamp: UInt64) {
        self.id = id
        self.value = value
        self.ordinal = ordinal
        self.stamp = stamp
    }
}

/// A list that was changed or removed.
package struct ChangedList<ID: Sendable> {
    package let name: String
    /// The identifiers, or `nil` if the list was removed.
    package let ids: [ID]?
    package let dropsRemoved: Bool
    /// The number of identifiers at the beginning whose entities aren't evicted, or `nil` for that of the limit.
    package let keeps: Int?
    /// The number of identifiers before each gap.
    package let gaps: [Int]
    /// The places of the identifiers that the app has added, and no page has brought.
    package let own: [Range<Int>]
    /// Whether the first page is marked as stale.
    package let isStale: Bool

    package init(
        name: String,
        ids: [ID]?,
        dropsRemoved: Bool,
        keeps: Int?,
        gaps: [Int],
        own: [Range<Int>],
        isStale: Bool
    ) {
        self.name = name
        self.ids = ids
        self.dropsRemoved = dropsRemoved
        self.keeps = keeps
        self.gaps = gaps
        self.own = own
        self.isStale = isStale
    }
}

/// An identifier that was replaced.
package struct ChangedIdentifier<ID: Sendable> {
    package let old: ID
    /// The identifier that has replaced it, or `nil` if none has any more.
    package let new: ID?

    package init(old: ID, new: ID?) {
        self.old = old
        self.new = new
    }
}

/// An entity with which others are merged in place of the stored one, or that isn't any more.
package struct ChangedMergeBase<Value: Cachable> {
    package let id: Value.ID
    /// Whether others are merged with it.
    package let isStored: Bool
    /// The entity, or `nil` if there was none without the changes of this device.
    package let value: Value?

    package init(id: Value.ID, isStored: Bool, value: Value?) {
        self.id = id
        self.isStored = isStored
        self.value = value
    }
}

/// A reference that was changed or removed.
package struct ChangedReference<ID: Sendable> {
    package let name: String
    /// The identifier, or `nil` if the reference was removed.
    package let id: ID?
    package let dropsRemoved: Bool

    package init(name: String, id: ID?, dropsRemoved: Bool) {
        self.name = name
        self.id = id
        self.dropsRemoved = dropsRemoved
    }
}
