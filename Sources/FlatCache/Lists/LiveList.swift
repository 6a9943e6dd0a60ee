/// The observer that keeps the contents of a list current.
///
/// The contents of two states share most of their memory, so a commit costs what it changes, independent of the length of
/// the list.
final class LiveList<Value: Cachable>:
    LiveAnswer<Value, ListedEntities<Value>.ByID, CachedListState<Value>>, @unchecked Sendable
{
    private let list: EntryMembers<Value, ListContents<Value>, Value.ID>
    private let code: ListCode<Value>

    /// Creates an observer of a list.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - cache: The cache.
    ///   - code: The steps that use the type of the entities.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - receiver: The receiver of the states.
    init(
        of name: String,
        in cache: FlatCache,
        _ code: ListCode<Value>,
        onMainActor: Bool = false,
        _ receiver: Receiver
    ) {
        self.code = code
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let lists = cache.registry.table(of: ListContents<Value>.self).takeUnretainedValue()
        list = EntryMembers(of: name, in: lists, of: table, { $0.order.tree }, id: { $0 })
        super.init(in: cache, table, list, IDTrie(), onMainActor: onMainActor, receiver)
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
                news.isWhole ? readAll(&entities, in: snapshot) : make(news.changes, in: &entities, of: snapshot)
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
        of snapshot: Snapshot
    ) -> Bool {
        var areDifferent = false
        let (entered, left) = list.update(to: snapshot)
        for (id, _) in left { _ = entities.remove(id) }
        for change in changes where list.contains(change.slotIdentity) {
            if code.apply(change, &entities) { areDifferent = true }
        }
        // The changes of an entity that was listed before can be older than this state.
        for entity in entered { entities.set(ListedEntity(entity.value, entity.revision), for: entity.value.id) }
        return areDifferent
    }

    /// Reads all entities.
    ///
    /// - Returns: Whether an entity differs.
    private func readAll(_ entities: inout ListedEntities<Value>.ByID, in snapshot: Snapshot) -> Bool {
        var areDifferent = false
        _ = list.update(to: snapshot)
        let earlier = entities
        entities = IDTrie()
        for id in list.known {
            let old = earlier[id]
            guard let stored = snapshot.entity(of: id, in: table) else {
                areDifferent = areDifferent || old != nil
                continue
            }
            let isSame = old.map { $0.revision == stored.revision || $0.isEqual(to: stored.value, table.equality) }
            areDifferent = areDifferent || isSame != true
            entities.set(ListedEntity(stored.value, stored.revision), for: id)
        }
        return areDifferent
    }
}

/// The steps of an observed list that use the type of the entity, as closures, because closures are specialized for the type
/// where the observation begins, and methods of a generic observer aren't.
@usableFromInline
struct ListCode<Value: Cachable>: Sendable {
    /// Applies the change of an entity, and returns whether the entity differs before and after.
    let apply: Apply

    @usableFromInline typealias Apply = @Sendable (any SlotChange, inout ListedEntities<Value>.ByID) -> Bool

    @usableFromInline init(apply: @escaping Apply) {
        self.apply = apply
    }

    @inlinable init() {
        self.init { change, entities in
            let pending = unsafeDowncast(change, to: PendingChange<Value>.self)
            if !pending.hasNews { return false }
            if let value = pending.change.value {
                entities.set(ListedEntity(value, pending.revision), for: pending.change.id)
            } else {
                _ = entities.remove(pending.change.id)
            }
            return true
        }
    }
}
