/// A delete rule for the entities of a type, which an index finds.
final class OwnersRule<Related: Cachable, Owner: Cachable>:
    DeleteRuleOfRelated<Related>, RuleOfOwners, @unchecked Sendable
{
    private let index: FlatCache.Index<Owner>
    private let refers: @Sendable (Owner, KeySet<Related.ID>) -> Bool
    private let change: @Sendable (Owner, KeySet<Related.ID>) -> Owner?
    private let relatedIDs: @Sendable (Owner) -> [Related.ID]

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - index: An index by the identifiers of related entities.
    ///   - relatedIDs: Returns these identifiers, or none if no answer of the server has the entity.
    ///   - refers: Returns whether an entity refers to one of several others.
    ///   - change: Returns an entity that refers to removed ones as it is afterwards, or `nil` if it is removed, too.
    init(
        _ index: FlatCache.Index<Owner>,
        relatedIDs: @escaping @Sendable (Owner) -> [Related.ID] = { _ in [] },
        refers: @escaping @Sendable (Owner, KeySet<Related.ID>) -> Bool,
        _ change: @escaping @Sendable (Owner, KeySet<Related.ID>) -> Owner?
    ) {
        self.index = index
        self.relatedIDs = relatedIDs
        self.refers = refers
        self.change = change
    }

    override func apply(_ ids: [Related.ID], in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread else { return }
        buildIndex(in: cache)
        let removed = KeySet(ids)
        apply(to: owners(of: removed, in: snapshot, cache), removed, in: cache)
        applyToPending(ids, in: snapshot, cache)
    }

    /// Changes and removes what refers to removed entities only by the changes of pending mutations.
    ///
    /// - Parameter isConcerned: Returns whether the rule is for the owner with an identifier.
    private func applyToPending(
        _ ids: [Related.ID],
        in snapshot: Snapshot,
        _ cache: FlatCache,
        where isConcerned: (Owner.ID) -> Bool = { _ in true }
    ) {
        guard let transaction = snapshot.transaction, let changes = changesOfLayers(in: snapshot, cache) else { return }
        let related = transaction.table(cache.registry.table(of: Related.self).takeUnretainedValue())
        let removed = KeySet(ids.filter { !related.isShownAfterRemoval($0) })
        if removed.isEmpty { return }
        let lost: @Sendable (Owner, Owner?) -> KeySet<Related.ID> = { [refers] shown, below in
            guard refers(shown, removed) else { return KeySet([]) }
            let lost = below.map { below in KeySet(removed.keys.filter { !refers(below, KeySet([$0])) }) } ?? removed
            return refers(shown, lost) ? lost : KeySet([])
        }
        let owners = changes.pendingOwners(where: { !lost($0, $1).isEmpty }, in: snapshot, of: cache)
        var removedOwners: [Owner.ID] = []
        for owner in owners where isConcerned(owner.id) {
            let result = change(owner.shown, removed)
            let related = removed.keys.filter { refers(owner.shown, KeySet([$0])) }
            // A list loses what is removed also if that is stored again.
            let isUndone: @Sendable () -> Bool = { [hasOwners, cache = cache.reference] in
                hasOwners && related.allSatisfy { cache.object?.contains(Related.self, id: $0) == true }
            }
            if result == nil, hasOwners, !owner.isConfirmed {
                changes.removePending(owner.id, in: cache, unless: isUndone)
                removedOwners.append(owner.id)
            } else if result.map({ refers($0, removed) }) != true {
                changes.changePending(owner.id, unless: isUndone) { [change] below, shown in
                    let lost = lost(shown, below)
                    return lost.isEmpty ? shown : change(shown, lost)
                }
            }
        }
        if !removedOwners.isEmpty { cache.applyDeleteRules(in: changes) { removedOwners } }
    }

    /// The changes of the owners in a transaction, or `nil` if none of them has layers.
    private func changesOfLayers(in snapshot: Snapshot, _ cache: FlatCache) -> TableTransaction<Owner>? {
        let table = cache.registry.table(of: Owner.self).takeUnretainedValue()
        return table.hasLayers ? snapshot.transaction?.table(table) : nil
    }

    /// Changes and removes the entities that refer to removed ones.
    private func apply(to owners: [Owner], _ removed: KeySet<Related.ID>, in cache: FlatCache) {
        var removedOwners: [Owner.ID] = []
        for owner in owners {
            if change(owner, removed) == nil {
                removedOwners.append(owner.id)
            } else {
                cache.notingRuleWrite(of: Owner.self, id: owner.id) {
                    cache.update(Owner.self, id: owner.id) { $0 = change($0, removed) ?? $0 }
                }
            }
        }
        if !removedOwners.isEmpty { cache.remove(Owner.self, ids: removedOwners) }
    }

    override func buildIndex(in cache: FlatCache) { cache.buildIndex(index) }

    override func visit(
        _ ids: [Related.ID],
        in snapshot: Snapshot,
        of cache: FlatCache,
        _ visitor: inout some OwnerVisitor
    ) {
        let removed = KeySet(ids)
        // A transaction reads below layers.
        let pending = changesOfLayers(in: snapshot, cache)?.pendingOwners(
            where: { refers($0, removed) && !($1.map { refers($0, removed) } ?? false) },
            in: snapshot,
            of: cache
        )
        for owner in owners(of: removed, in: snapshot, cache) + (pending ?? []).map({ $0.shown }) {
            visitor.visit(owner) { [refers, change, reference = cache.reference] owner in
                // An identifier may have been replaced meanwhile.
                let removed = KeySet(ids.map { reference.object?.lastID(of: Related.self, $0) ?? $0 })
                return refers(owner, removed) ? change(owner, removed) : owner
            }
        }
    }

    override var hasOwners: Bool { !(Owner.self is any InternalEntity.Type) }

    override func mayHaveStoredOwners(in cache: FlatCache) -> Bool { cache.mayHaveStored(Owner.self) }

    override func apply(_ ids: [Related.ID], toOwnersBefore revision: UInt64, in cache: FlatCache) {
        guard hasOwners, let snapshot = cache.history.snapshotOfThread else { return }
        buildIndex(in: cache)
        let removed = KeySet(ids)
        let unwritten = owners(of: removed, in: snapshot, cache).filter {
            cache.lastWrite(of: Owner.self, id: $0.id) <= revision
        }
        apply(to: unwritten, removed, in: cache)
        applyToPending(ids, in: snapshot, cache) { cache.lastWrite(of: Owner.self, id: $0) <= revision }
    }

    override func noteOwners(before number: UInt64, in cache: FlatCache) {
        if hasOwners { cache.noteStored(Owner.self, before: number) }
    }

    func apply(to owner: Owner, below: [Owner], since revision: UInt64, in cache: FlatCache) {
        let ids = relatedIDs(owner).filter { id in !below.contains { refers($0, KeySet([id])) } }
        guard !ids.isEmpty, let snapshot = cache.history.snapshotOfThread, let transaction = snapshot.transaction else {
            return
        }
        let related = transaction.table(cache.registry.table(of: Related.self).takeUnretainedValue())
        let removed = ids.filter {
            // A replaced identifier is no removal.
            related.wasRemoved($0, since: revision, in: snapshot) && cache.currentID(of: Related.self, $0) == $0
                && !related.isShownAfterRemoval($0)
        }
        if removed.isEmpty { return }
        transaction.table(cache.registry.table(of: Owner.self).takeUnretainedValue()).depend(on: owner.id, in: snapshot)
        apply(to: [owner], KeySet(removed), in: cache)
    }

    func search(
        _ removals: any ErasedNotedRemovals,
        in cache: FlatCache
    ) -> (refers: (Owner) -> Bool, act: ([Owner]) -> Void)? {
        guard let removed = (removals as? NotedRemovals<Related>)?.removed, !removed.isEmpty else { return nil }
        return (refers: { self.refers($0, removed) }, act: { self.apply(to: $0, removed, in: cache) })
    }

    /// The entities that refer to removed ones, in the order of insertion.
    private func owners(of removed: KeySet<Related.ID>, in snapshot: Snapshot, _ cache: FlatCache) -> [Owner] {
        let table = cache.registry.table(of: Owner.self).takeUnretainedValue()
        let read = FlatCache.Query(Owner.self).code.read
        var found: [SlotIdentity: StoredEntity<Owner>] = [:]
        for id in removed.keys {
            let key = IndexedKey<Owner>(index.property, id)
            guard let entities = cache.indexedEntities(with: key, in: snapshot, of: table, read) else {
                // The index has keys of another type.
                found = [:]
                snapshot.forEachPiece(in: table) { for entity in $0 { found[entity.slot] = entity } }
                break
            }
            for entity in entities { found[entity.slot] = entity }
        }
        return found.values.filter { refers($0.value, removed) }
            .sorted { $0.ordinal < $1.ordinal }
            .map { $0.value }
    }
}

extension OwnersRule {
    /// Creates the rule of a relationship.
    convenience init<Kind: FlatCache.PropertyKind>(
        _ relationship: FlatCache.Relationship<Owner, Kind>,
        _ action: FlatCache.DeleteRule<Owner>.Action,
        index: FlatCache.Index<Owner>
    ) where Kind.Related == Related {
        self.init(index) {
            relationship.relatedIDs(of: $0)
        } refers: { owner, removed in
            relationship.relatedIDs(of: owner).contains(where: removed.contains)
        } _: { owner, removed in
            switch action {
            case .cascade: nil
            case .nullify: relationship.removing(removed, from: owner)
            }
        }
    }
}
