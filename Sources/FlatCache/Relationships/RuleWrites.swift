internal import Synchronization

/// The change of an entity by a delete rule, while the store may not have reached the owners of other removed entities.
///
/// A rule is applied to the owners in memory that weren't written since the removal. If another rule has changed an owner
/// meanwhile, that isn't a write of the app. So its last write is an earlier one, which this says.
struct RuleWrite<Owner: Cachable>: InternalEntity {
    let id: Owner.ID
    /// The revision of the last write of the app, or 0 if the store has loaded the entity and nothing has written it since.
    ///
    /// If the app has written the entity in the same transaction before a removal, it is the number of the removal.
    let before: UInt64
}

extension FlatCache {
    /// The revision of the last commit that has written an entity, other than a delete rule, or 0 if the store has loaded it since.
    func lastWrite<Owner: Cachable>(of type: Owner.Type, id: Owner.ID) -> UInt64 {
        let state = Cached(type, id: id, in: self).slotState
        if state.isLoaded { return 0 }
        guard registry.find(RuleWrite<Owner>.self) != nil,
            let write = get(RuleWrite<Owner>.self, id: id),
            // They are equal if the commit of the rule is the last one that has written the entity.
            Cached(RuleWrite<Owner>.self, id: id, in: self).slotState.revision == state.revision
        else { return state.revision }
        return write.before
    }

    /// Lets a delete rule change an entity in the transaction of the calling thread.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: Its identifier.
    ///   - update: A closure that changes the entity, and returns whether it is stored.
    func notingRuleWrite<Owner: Cachable>(of type: Owner.Type, id: Owner.ID, _ update: () -> Bool) {
        guard !(type is any InternalEntity.Type), mayHaveMoreInStore, let transaction = history.transactionOfThread
        else {
            _ = update()
            return
        }
        let changes = transaction.table(registry.table(of: type).takeUnretainedValue())
        let author = changes.author(of: id)
        let before = author == nil ? lastWrite(of: type, id: id) : 0
        if !update() || author == .app { return }
        changes.noteRule(asAuthorOf: id)
        if author == .rule { return }
        addRuleWrite(RuleWrite<Owner>(id: id, before: before), in: changes)
    }

    /// Notes that the entities of a type that the transaction of the calling thread has stored were stored before the removal of all
    /// entities of another type in it.
    ///
    /// So the removal concerns them, although the revision of the transaction is newer than the number of the removal.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - number: The number of the removal.
    func noteStored<Owner: Cachable>(_ type: Owner.Type, before number: UInt64) {
        guard let transaction = history.transactionOfThread else { return }
        let changes = transaction.table(registry.table(of: type).takeUnretainedValue())
        for id in changes.storedIDs where changes.noteRule(insteadOfAppAsAuthorOf: id) {
            addRuleWrite(RuleWrite<Owner>(id: id, before: number), in: changes)
        }
    }

    private func addRuleWrite<Owner: Cachable>(_ write: RuleWrite<Owner>, in changes: TableTransaction<Owner>) {
        set(write)
        let id = write.id
        changes.transaction.addRuleWrite { [unowned self, unowned transaction = changes.transaction] in
            // If the app has written the entity later in the transaction, its write counts.
            if transaction.table(registry.table(of: Owner.self).takeUnretainedValue()).author(of: id) == .rule {
                return
            }
            transaction.table(registry.table(of: RuleWrite<Owner>.self).takeUnretainedValue()).remove(id, HashedID(id))
        }
    }

    /// Whether the owners of some removed entities may be reached later.
    private var mayHaveMoreInStore: Bool {
        guard let connection, connection.isWriting else { return false }
        return mayHaveRemovalNotes.load(ordering: .relaxed)
            || registry.all.contains { ($0 as? any RuleWriteTable)?.mayHaveMore == true }
    }

    /// Whether there are notes of what delete rules have written.
    package var hasRuleWrites: Bool {
        registry.all.contains { ($0 as? any RuleWriteTable)?.hasRuleWrites(in: self) == true }
    }

    /// Forgets what delete rules have written, unless the owners of some removed entities aren't reached yet.
    ///
    /// A removal that another thread commits meanwhile keeps its notes, because they are read in one transaction.
    package func endRuleWrites() {
        if !hasRuleWrites { return }
        commit { [self] _ in
            if !notedRemovals.isEmpty { return }
            for table in registry.all { (table as? any RuleWriteTable)?.endRuleWrites(in: self) }
        }
    }
}

/// A table whose entities delete rules change.
private protocol RuleWriteTable {
    /// Whether the store may have entities that aren't in memory.
    var mayHaveMore: Bool { get }

    func hasRuleWrites(in cache: FlatCache) -> Bool

    func endRuleWrites(in cache: FlatCache)
}

extension Table: RuleWriteTable {
    fileprivate var mayHaveMore: Bool { !isInternal && hasMoreInStore }

    fileprivate func hasRuleWrites(in cache: FlatCache) -> Bool {
        !isInternal && cache.registry.find(RuleWrite<Value>.self) != nil && cache.count(of: RuleWrite<Value>.self) > 0
    }

    fileprivate func endRuleWrites(in cache: FlatCache) {
        if isInternal || cache.registry.find(RuleWrite<Value>.self) == nil { return }
        let ids = cache.allValues(of: RuleWrite<Value>.self).map { $0.id }
        if !ids.isEmpty { cache.remove(RuleWrite<Value>.self, ids: ids) }
    }
}

/// What has made the last change of an entity in a transaction.
private enum ChangeAuthor {
    case app
    case rule
}

extension TableTransaction {
    /// What has changed an entity in this transaction, or `nil` if nothing has.
    fileprivate func author(of id: Value.ID) -> ChangeAuthor? {
        guard let condition = entries[placeOfEntry(id)].condition else { return isCleared ? .app : nil }
        return condition.isOfRule ? .rule : .app
    }

    /// Notes that a rule has made the last change of an entity.
    ///
    /// The action that undoes the change undoes this, too.
    fileprivate func noteRule(asAuthorOf id: Value.ID) { entries[placeOfEntry(id)].condition = .alwaysByRule }

    /// Makes a rule the author of the last change of an entity, if the app is.
    ///
    /// - Returns: Whether the app was.
    fileprivate func noteRule(insteadOfAppAsAuthorOf id: Value.ID) -> Bool {
        let place = placeOfEntry(id)
        guard let condition = entries[place].condition, condition.isAlways, !condition.isOfRule else { return false }
        entries[place].condition = .alwaysByRule
        if transaction.isNested {
            transaction.addUndo { [self] in entries[place].condition = condition }
        }
        return true
    }

    /// The identifiers of the entities that this transaction has stored.
    fileprivate var storedIDs: [Value.ID] {
        entries.list.indices.lazy.filter { place in
            if case .some = self.entries[place].merge { return true }
            return self.entries.values[place]
        }
        .map { self.entries[$0].slot.id(of: Value.self) }
    }

    private func placeOfEntry(_ id: Value.ID) -> Int {
        entries.makeRoom()
        return table.withSlot(for: id, HashedID(id)) { place(of: $0) }
    }
}
