extension EntityTransaction {
    /// Stores the entity that a closure makes of the stored one, if a condition is met when the transaction is
    /// committed.
    ///
    /// This isn't a read. If another thread writes the entity, the resolver is called again and the body isn't run
    /// again. The last call before the commit determines the entity, so a resolver can record its result.
    ///
    /// - Parameters:
    ///   - id: The memory of the identifier of the entity.
    ///   - hash: Its hash.
    ///   - condition: The condition, which is evaluated in the commit.
    ///   - snapshot: The snapshot of the running body, to call the resolver immediately for the state that the body
    ///     reads. Without a snapshot, it is called when the entity is read or committed.
    ///   - resolver: Returns the entity to store.
    final func write(
        idAt id: UnsafeRawPointer,
        _ hash: HashedID,
        if condition: WriteCondition,
        in snapshot: Snapshot?,
        resolving resolver: @escaping EntityResolver
    ) {
        let place = place(ofIDAt: id, hash)
        if keepsOwnChange(at: place, condition) { return }
        if let known = knownEntity(at: place, in: snapshot) {
            var resolved: EntityBox?
            ReadContext.runOutside(of: entityTable.history.object) { resolved = resolver(known) }
            if let resolved { change(at: place, to: .copy(of: resolved.address), if: condition) }
            return withExtendedLifetime(resolved) {}
        }
        transaction.hasChanges = true
        hasMerges = true
        append(resolver, if: condition, at: place)
        if let snapshot { settle(at: place, in: snapshot) }
    }

    /// The entity to which a write is applied, or `nil` if it isn't known before the commit.
    ///
    /// It is known if the transaction has changed or read the entity.
    private func knownEntity(at place: Int, in snapshot: Snapshot?) -> EntityBox?? {
        if case .some = entries[place].merge { return nil }
        if entries[place].isChanged || isCleared { return .some(entries.values.box(place)) }
        guard let snapshot, case .some = entries[place].readRevision else { return nil }
        let slot = entries[place].slot
        return .some(entityTable.withSlot(slot) { entityTable.layout.confirmedEntity(of: slot, at: snapshot.revision) })
    }

    private func append(_ resolver: @escaping EntityResolver, if condition: WriteCondition, at place: Int) {
        let entry = entries[place]
        if !entry.isChanged { noteOrder(at: place) }
        let merge = entry.merge ?? PendingMerge(if: condition)
        if transaction.isNested {
            noteUndo(at: place, EntryChange(of: entry, entries.values.box(place)))
            transaction.addUndo(merge.undo())
        }
        merge.append(resolver, if: condition)
        entries[place].merge = merge
        entries[place].condition = condition
        if changeLog != nil { logChange(at: place) }
    }

    /// Applies the resolvers of an entity to the state that the body reads.
    @usableFromInline final func settle(at place: Int, in snapshot: Snapshot) {
        guard let merge = entries[place].merge, merge.isOpen else { return }
        let base: EntityBox?
        if merge.isNew {
            let slot = entries[place].slot
            base = entityTable.withSlot(slot) {
                merge.begin(at: slot.revision <= snapshot.revision ? slot.revision : nil)
                return entityTable.layout.confirmedEntity(of: slot, at: snapshot.revision)
            }
        } else {
            base = entries.values.box(place)
        }
        var result: EntityBox?
        ReadContext.runOutside(of: entityTable.history.object) { result = merge.apply(to: base) }
        entries.exchangeEntity(at: place, with: result)
    }

    /// Applies the resolvers of an entity to the stored one.
    @usableFromInline final func merge(at place: Int) {
        guard let merge = entries[place].merge else { return }
        let slot = entries[place].slot
        var isCurrent = false
        let stored: EntityBox? = entityTable.withSlot(slot) {
            isCurrent = merge.isCurrent(at: slot.revision)
            if isCurrent { return nil }
            merge.begin(at: slot.revision)
            return entityTable.layout.confirmedEntity(of: slot, at: .max)
        }
        let result = isCurrent ? nil : merge.apply(to: stored)
        let condition = merge.condition
        entries[place].condition = condition
        // An entity that is kept isn't changed.
        if condition == nil {
            entries.exchangeEntity(at: place, with: nil)
        } else if !isCurrent {
            entries.exchangeEntity(at: place, with: result)
        }
    }
}
