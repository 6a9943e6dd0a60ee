/// The observer that keeps the contents of a list current.
///
/// The contents of two states share most of their memory, so a commit costs what it changes, independent of the length of
/// the list.
final class LiveList<Value: Cachable>:
    LiveAnswer<Value, ListedEntities<Value>.ByID, CachedListState<Value>>, @unchecked Sendable
{
    private let list: EntryMembers<Value, ListContents<Value>, Value.ID>
    private let replaced: ReplacedMembers<Value>

    /// Creates an observer of a list.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - cache: The cache.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - receiver: The receiver of the states.
    init(
        of name: String,
        in cache: FlatCache,
        onMainActor: Bool = false,
        _ receiver: Receiver
    ) {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let lists = cache.registry.table(of: ListContents<Value>.self).takeUnretainedValue()
        list = EntryMembers(of: name, in: lists, of: table, { $0.order.tree }, id: { $0 })
        replaced = ReplacedMembers(of: table, in: cache)
        super.init(in: cache, table, list, IDTrie(), onMainActor: onMainActor, receiver)
    }

    override func begin(in cache: FlatCache, isSilent: Bool = false) -> CacheSubscription {
        replaced.begin(self)
        return super.begin(in: cache, isSilent: isSilent)
    }

    override func finish() {
        super.finish()
        replaced.finish()
    }

    override func answer(
        _ news: AnswerNews,
        in snapshot: Snapshot,
        _ entities: inout ListedEntities<Value>.ByID,
        isInitial: Bool,
        _ cache: FlatCache
    ) -> CachedListState<Value>? {
        let earlier = CachedListIDs(tree: list.known)
        let areDifferent = cache.asCurrent {
            ReadContext.run(on: snapshot) {
                news.isWhole
                    ? readAll(&entities, in: snapshot, cache) : make(news.changes, in: &entities, of: snapshot, cache)
            }
        }
        let ids = CachedListIDs(tree: list.known)
        return isInitial || areDifferent || ids != earlier ? CachedListState(ids: ids, entities) : nil
    }

    /// Makes changes of the entities and of the order.
    ///
    /// - Returns: Whether an entity differs.
    private func make(
        _ changes: GatheredChanges,
        in entities: inout ListedEntities<Value>.ByID,
        of snapshot: Snapshot,
        _ cache: FlatCache
    ) -> Bool {
        var areDifferent = false
        let (entered, missing, left) = list.update(to: snapshot)
        // Loops over nothing would take time, because they aren't specialized.
        if !left.isEmpty {
            for (id, _) in left {
                _ = entities.remove(id)
                replaced.remove(id)
            }
        }
        for change in changes where list.contains(change.slot) {
            if apply(change, to: &entities) { areDifferent = true }
            if change.changesPresence { notePresence(change) }
        }
        // The changes of an entity that was listed before can be older than this state.
        if !entered.isEmpty {
            for entity in entered {
                entities.set(ListedEntity(entity.value, entity.revision), for: entity.value.id)
                replaced.remove(entity.value.id)
            }
        }
        if !missing.isEmpty {
            for id in missing {
                _ = entities.remove(id)
                replaced.insert(id)
            }
        }
        if table.mayForward, follow(changes, in: &entities, of: snapshot, cache) { areDifferent = true }
        return areDifferent
    }

    /// Makes the changes of the entities that have replaced listed ones.
    ///
    /// - Returns: Whether an entity differs.
    private func follow(
        _ changes: GatheredChanges,
        in entities: inout ListedEntities<Value>.ByID,
        of snapshot: Snapshot,
        _ cache: FlatCache
    ) -> Bool {
        var areDifferent = false
        let replacedIDs = changes.compactMap { list.contains($0.slot) ? nil : replaced.replacedID($0) }
        for id in replacedIDs where list.names(id) {
            let entity = list.observeAgain(id, from: snapshot)
            if set(entity, for: id, in: &entities) { areDifferent = true }
            if entity == nil { replaced.insert(id) } else { replaced.remove(id) }
        }
        if !replacedIDs.isEmpty { replaced.followAgain() }
        replaced.forEach(in: snapshot, cache) { id, entity in
            if set(entity, for: id, in: &entities) { areDifferent = true }
        }
        return areDifferent
    }

    /// Notes whether an entity is stored under its own identifier.
    private func notePresence(_ change: SlotChange) {
        let id = change.id(of: Value.self)
        if change.isStored { replaced.remove(id) } else { replaced.insert(id) }
    }

    /// Applies the change of a listed entity.
    ///
    /// - Returns: Whether the entity differs before and after.
    private func apply(_ change: SlotChange, to entities: inout ListedEntities<Value>.ByID) -> Bool {
        if !change.hasNews { return false }
        let id = change.id(of: Value.self)
        if let value = change.entity(of: Value.self) {
            entities.set(ListedEntity(value, change.revision), for: id)
        } else {
            _ = entities.remove(id)
        }
        return true
    }

    /// Sets the entity of a listed identifier.
    ///
    /// - Returns: Whether it differs.
    private func set(
        _ new: StoredEntity<Value>?,
        for id: Value.ID,
        in entities: inout ListedEntities<Value>.ByID
    ) -> Bool {
        guard let new else { return entities.remove(id) }
        if let old = entities[id], isSame(old, new) { return false }
        entities.set(ListedEntity(new.value, new.revision), for: id)
        return true
    }

    private func isSame(_ old: ListedEntity<Value>, _ new: StoredEntity<Value>) -> Bool {
        // One commit can write an entity and the one that takes its place later.
        if old.revision == new.revision, old.value.id == new.value.id { return true }
        return old.isEqual(to: new.value, table.equality)
    }

    /// Reads all entities.
    ///
    /// - Returns: Whether an entity differs.
    private func readAll(
        _ entities: inout ListedEntities<Value>.ByID,
        in snapshot: Snapshot,
        _ cache: FlatCache
    ) -> Bool {
        var areDifferent = false
        _ = list.update(to: snapshot)
        replaced.removeAll()
        let earlier = entities
        entities = IDTrie()
        func note(_ new: StoredEntity<Value>?, for id: Value.ID) {
            let old = earlier[id]
            guard let new else {
                areDifferent = areDifferent || old != nil
                return
            }
            areDifferent = areDifferent || old.map { isSame($0, new) } != true
            entities.set(ListedEntity(new.value, new.revision), for: id)
        }
        for id in list.known {
            if let stored = snapshot.entity(of: id, in: table) {
                note(stored, for: id)
            } else {
                replaced.insert(id)
                if !replaced.follows(id) { note(nil, for: id) }
            }
        }
        replaced.forEach(in: snapshot, cache) { note($1, for: $0) }
        return areDifferent
    }
}
