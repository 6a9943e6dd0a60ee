extension TableTransaction {
    /// Stores the entity that a closure makes of the stored one, if a condition is met when the transaction is
    /// committed.
    ///
    /// This isn't a read. If another thread writes the entity, the resolver is called again and the body isn't run
    /// again. The last call before the commit determines the entity, so a resolver can record its result.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entity.
    ///   - hash: Its hash.
    ///   - condition: The condition, which is evaluated in the commit.
    ///   - snapshot: The snapshot of the running body, to call the resolver immediately for the state that the body
    ///     reads. Without a snapshot, it is called when the entity is read or committed.
    ///   - resolver: Returns the entity to store, which must have the identifier, or `nil` to keep the stored one. Its
    ///     argument is the stored entity, or `nil` if none is stored. It may run user code.
    @usableFromInline func write(
        _ id: Value.ID,
        _ hash: HashedID,
        if condition: WriteCondition = .always,
        in snapshot: Snapshot? = nil,
        resolving resolver: @escaping (_ stored: Value?) -> Value?
    ) {
        entries.makeRoom()
        let place = table.withSlot(for: id, hash) { self.place(of: $0) }
        if keepsOwnChange(at: place, condition) { return }
        resolve(at: place, if: condition, in: snapshot, resolver)
    }

    func resolve(
        at place: Int,
        if condition: WriteCondition,
        in snapshot: Snapshot?,
        _ resolver: @escaping EntityMerge<Value>.Resolver
    ) {
        if let base = knownValue(at: place, in: snapshot) {
            var resolved: Value?
            ReadContext.runOutside(of: table.history.object) { resolved = resolver(base) }
            if let resolved { change(at: place, to: resolved, if: condition) }
            return
        }
        transaction.hasChanges = true
        hasMerges = true
        append(resolver, if: condition, at: place)
        if let snapshot { settle(at: place, in: snapshot) }
    }

    /// The entity to which a write is applied, or `nil` if it isn't known before the commit.
    ///
    /// It is known if the transaction has changed or read the entity.
    private func knownValue(at place: Int, in snapshot: Snapshot?) -> Value?? {
        if case .some = entries[place].merge { return nil }
        if entries[place].isChanged || isCleared { return .some(entity(at: place)) }
        guard let snapshot, case .some = entries[place].readRevision else { return nil }
        let slot = entries[place].slot
        return .some(table.withSlot(slot) { slot.confirmedValue(of: Value.self, at: snapshot.revision) })
    }

    private func append(
        _ resolver: @escaping EntityMerge<Value>.Resolver,
        if condition: WriteCondition,
        at place: Int
    ) {
        let entry = entries[place]
        if !entry.isChanged { noteOrder(at: place) }
        let merge =
            entry.merge.map { unsafeDowncast($0, to: EntityMerge<Value>.self) } ?? EntityMerge(if: condition)
        if transaction.isNested {
            noteUndo(at: place, EntryChange(of: entry, entity(at: place).map { EntityBox($0, table.layout) }))
            transaction.addUndo(merge.undo())
        }
        merge.append(resolver, if: condition)
        entries[place].merge = merge
        entries[place].condition = condition
        if changeLog != nil { logChange(at: place) }
    }

    /// Applies the resolvers of an entity to the state that the body reads.
    @usableFromInline func settle(at place: Int, in snapshot: Snapshot) {
        guard let merge = entries[place].merge.map({ unsafeDowncast($0, to: EntityMerge<Value>.self) }), merge.isOpen
        else { return }
        var base = entity(at: place)
        if merge.isNew {
            let slot = entries[place].slot
            base = table.withSlot(slot) {
                merge.begin(at: slot.revision <= snapshot.revision ? slot.revision : nil)
                return slot.confirmedValue(of: Value.self, at: snapshot.revision)
            }
        }
        var result: Value?
        ReadContext.runOutside(of: table.history.object) { result = merge.apply(to: base) }
        exchangeEntity(at: place, &result)
    }
}

extension TableTransaction {
    /// Applies the resolvers of an entity to the stored one.
    @inlinable func merge(at place: Int) {
        guard let merge = entries[place].merge.map({ unsafeDowncast($0, to: EntityMerge<Value>.self) }) else { return }
        let slot = entries[place].slot
        var isCurrent = false
        let stored: Value? = table.withSlot(slot) {
            isCurrent = merge.isCurrent(at: slot.revision)
            if isCurrent { return nil }
            merge.begin(at: slot.revision)
            return slot.confirmed(of: Value.self)
        }
        var result = isCurrent ? entity(at: place) : merge.apply(to: stored)
        // An entity that is kept isn't changed.
        let condition = merge.condition
        if case .none = condition { result = nil }
        entries[place].condition = condition
        exchangeEntity(at: place, &result)
    }
}
