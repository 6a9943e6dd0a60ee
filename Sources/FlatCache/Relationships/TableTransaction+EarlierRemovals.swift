extension TableTransaction {
    func applyEarlierRemovalsOfType(in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread,
            entries.list.indices.contains(where: { requestRevision(of: $0) != nil })
        else { return }
        let rules = cache.registry.declaredRules(of: Value.self).compactMap { $0.rule as? any RuleOfOwners<Value> }
        if rules.isEmpty { return }
        for place in entries.list.indices {
            let slot = entries[place].slot
            guard let revision = requestRevision(of: place), let condition = entries[place].condition,
                mayWrite(slot.id(of: Value.self), HashedID(slot), if: condition)
            else { continue }
            for rule in rules {
                guard let owner = changedValue(at: place, in: snapshot) else { break }
                rule.apply(to: owner, below: belowAnswer(at: place), since: revision, in: cache)
            }
        }
    }

    /// The entities that others have stored where the confirmed mutation has changed or inserted one.
    private func belowAnswer(at place: Int) -> [Value] {
        let places = [place] + (layering?[place]?.sources ?? [])
        return places.compactMap { layering?[$0]?.confirmed?.before }
    }

    /// The last revision before the request whose response has the entity of an entry, or `nil` if none has.
    private func requestRevision(of place: Int) -> UInt64? {
        guard let condition = entries[place].condition else { return nil }
        if condition.isOfRequest { return condition.since }
        return layering?[place]?.confirmed?.isAnswered == true ? transaction.confirmation?.condition.since : nil
    }

    /// Whether an entity was removed since a request, and the transaction doesn't store it.
    ///
    /// The transaction depends on it from now on.
    func wasRemoved(_ id: Value.ID, since revision: UInt64, in snapshot: Snapshot) -> Bool {
        entries.makeRoom()
        return table.withSlot(for: id, HashedID(id)) { slot in
            let place = dependentPlace(of: slot, in: snapshot)
            let shard = table.shards[HashedID(slot)]
            if isCleared || entries[place].condition?.allowsWrite(to: slot, of: shard) == true { return false }
            return shard.wasRemoved(slot, since: revision)
        }
    }

    /// Lets the transaction depend on a stored entity, also if it replaces it.
    func depend(on id: Value.ID, in snapshot: Snapshot) {
        entries.makeRoom()
        table.withSlot(for: id, HashedID(id)) { _ = dependentPlace(of: $0, in: snapshot) }
    }

    private func dependentPlace(of slot: Slot, in snapshot: Snapshot) -> Int {
        let place = place(of: slot)
        if entries[place].readRevision == nil {
            entries[place].readRevision = min(slot.revision, snapshot.revision)
        }
        return place
    }
}
