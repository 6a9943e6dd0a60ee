/// Entities of one type that a write depends on, without their static type.
@usableFromInline
protocol ErasedHeldEntities: AnyObject, Sendable {
    /// Loads those that only a store has.
    func load(in cache: FlatCache, isolation: isolated (any Actor)?) async
}

/// Entities of one type that a write depends on, which stay in memory until the write is made.
///
/// Each slot is pinned, so a limit doesn't evict its entity. Unlike a handle, a pin isn't a use of the entity: what an answer
/// contains isn't protected from later evictions.
final class HeldEntities<Value: Cachable>: ErasedHeldEntities, @unchecked Sendable {  // It has only constants.
    private let table: Table<Value>
    private let slots: [Slot]
    /// The condition of the write.
    private let condition: WriteCondition

    init(_ ids: [Value.ID], of table: Table<Value>, if condition: WriteCondition) {
        self.table = table
        self.condition = condition
        slots = ids.map { table.pinnedSlot(for: $0, HashedID($0)) }
    }

    deinit {
        for slot in slots { table.unpin(slot) }
    }

    func load(in cache: FlatCache, isolation: isolated (any Actor)?) async {
        let missing = missing
        // An eviction is noted before it is made. So none has taken away an entity if there is no note now.
        guard !missing.isEmpty, cache.mayHaveStored(Value.self), let connection = cache.connection else { return }
        // Without the entities, the write would replace those of the store. So a cancelled task waits for them, too.
        await connection.loadStored(Value.self, ids: missing, endsIfCancelled: false, isolation: isolation)
    }

    /// The identifiers of the entities that aren't in memory and may be written, each once.
    private var missing: [Value.ID] {
        var known: Set<SlotIdentity> = []
        return slots.compactMap { slot in
            let isMissing = table.withSlot(slot) {
                !slot.isConfirmed && condition.allowsWrite(to: slot, of: table.shards[HashedID(slot)])
            }
            return isMissing && known.insert(SlotIdentity(slot)).inserted ? slot.id(of: Value.self) : nil
        }
    }
}

extension FlatCache {
    /// Keeps entities in memory that a write depends on.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - condition: The condition of the write.
    ///   - ids: Returns the identifiers.
    /// - Returns: The entities, or `nil` if all of the type that a store may have are in memory and remain there.
    func hold<Value: Cachable>(
        _ type: Value.Type,
        if condition: WriteCondition = .always,
        _ ids: () -> [Value.ID]
    ) -> HeldEntities<Value>? {
        guard let connection, connection.mayKeep(type), mayHaveStored(type) || keptCount(of: type) != nil else {
            return nil
        }
        // What is written under a replaced identifier concerns the entity under the new one.
        let ids = ids().map { currentID(of: type, $0) }
        if ids.isEmpty { return nil }
        return HeldEntities(ids, of: registry.table(of: type).takeUnretainedValue(), if: condition)
    }

    /// Loads the entities that only the store has.
    func load(_ held: [any ErasedHeldEntities], isolation: isolated (any Actor)?) async {
        for entities in held { await entities.load(in: self, isolation: isolation) }
    }
}
