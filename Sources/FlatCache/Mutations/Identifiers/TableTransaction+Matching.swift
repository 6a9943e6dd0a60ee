extension Transaction {
    /// Lets stored entities take the place of inserted ones that have equal matching keys.
    func matchInsertions(in cache: FlatCache) {
        // A match can add parts.
        let changed = parts
        for part in changed { part.matchInsertions(in: cache) }
    }
}

extension TableTransaction {
    func matchInsertionsOfType(in cache: FlatCache) {
        guard table.awaitsInsertions, let snapshot = cache.history.snapshotOfThread else { return }
        let keys = table.allMatchingKeys
        for place in entries.list.indices where entries[place].isChanged {
            guard let value = changedValue(at: place, in: snapshot), let condition = entries[place].condition else {
                continue
            }
            let id = entries[place].slot.id(of: Value.self)
            // What the mutation itself has inserted doesn't come from the server.
            if isUnidentified(id), cache.isInserted(Value.self, id, by: transaction.confirmation?.number) { continue }
            var matches: [InsertionMatch<Value>] = []
            ReadContext.runOutside(of: table.history.object) { matches = keys.compactMap { $0.match(of: value) } }
            if matches.isEmpty || !mayWrite(id, HashedID(id), if: condition) { continue }
            for match in matches { cache.match(match, with: id, in: transaction) }
        }
    }
}

extension Table {
    fileprivate var allMatchingKeys: [MatchingKey<Value>] {
        matchingKeys.load().map { unsafeDowncast($0, to: MatchingKeys<Value>.self).all } ?? []
    }

    fileprivate func add(_ key: MatchingKey<Value>) {
        unsafeDowncast(matchingKeys.storeIfNil(MatchingKeys<Value>()), to: MatchingKeys<Value>.self).add(key)
    }
}

extension FlatCache {
    /// Whether a mutation has inserted an entity with a temporary identifier.
    fileprivate func isInserted<Value: Cachable>(_ type: Value.Type, _ id: Value.ID, by number: UInt64?) -> Bool {
        guard let number, let mutation = mutations[number] else { return false }
        return mutation.steps.contains { $0.temporaryID(of: type) == id }
    }

    /// Lets an entity take the place of the inserted ones with an equal matching key, if there are any.
    fileprivate func match<Value: Cachable>(
        _ match: InsertionMatch<Value>,
        with id: Value.ID,
        in transaction: Transaction
    ) {
        guard let awaited = AwaitedInsertions<Value>.stored(match, in: self) else { return }
        for (temporaryID, mutation) in awaited.insertions {
            stopAwaiting(match, of: mutation, in: transaction)
            if temporaryID != id { replaceIdentifier(of: Value.self, temporaryID, by: id) }
            transaction.addEffect { isCommitted in
                if !isCommitted { return }
                // It can have inserted others. The thread can be in a body that reads what was before.
                let isAwaited = ReadContext.runOutside(of: self.history.object) { mutation.awaitsInsertions(in: self) }
                if !isAwaited { mutation.end() }
            }
        }
    }

    /// Lets an inserted entity be recognized when it comes from the server.
    func await<Value: Cachable>(
        _ match: InsertionMatch<Value>,
        _ id: Value.ID,
        of mutation: PendingMutation,
        in transaction: Transaction
    ) {
        registry.table(of: Value.self).takeUnretainedValue().add(match.key)
        AwaitedInsertions<Value>.writeEntry(match, in: transaction, of: self) { awaited in
            awaited.insertions.append((id, mutation))
        }
    }

    /// Doesn't let an inserted entity be recognized any more.
    ///
    /// - Parameter isDropped: Whether the mutation has failed after it was sent, so that the server can have the entity nevertheless.
    func stopAwaiting<Value: Cachable>(
        _ match: InsertionMatch<Value>,
        of mutation: PendingMutation,
        isDropped: Bool = false,
        in transaction: Transaction
    ) {
        AwaitedInsertions<Value>.writeEntry(match, in: transaction, of: self) { awaited in
            awaited.insertions.removeAll { $0.mutation === mutation }
            awaited.wasDropped = isDropped
        }
    }

    /// Whether the entity that a mutation has inserted hasn't come yet.
    func awaits<Value: Cachable>(_ match: InsertionMatch<Value>, of mutation: PendingMutation) -> Bool {
        AwaitedInsertions<Value>.stored(match, in: self)?.insertions.contains { $0.mutation === mutation } ?? false
    }

    /// Lets an entity that is stored already take the place of an inserted one with an equal matching key, if an earlier process has
    /// begun the insertion, or an earlier one with the key has failed.
    func matchStored<Value: Cachable>(_ match: InsertionMatch<Value>, of mutation: PendingMutation) {
        guard mutation.isReplay || AwaitedInsertions<Value>.stored(match, in: self)?.wasDropped == true else { return }
        // The inserted entity itself isn't confirmed.
        let stored = confirmed { allValues(of: Value.self) }
        guard let found = stored.first(where: { match.key.match(of: $0) == match }) else { return }
        commitTogether {
            guard let transaction = history.transactionOfThread, awaits(match, of: mutation) else { return }
            self.match(match, with: found.id, in: transaction)
        }
    }
}
