/// The state of a cache after one commit, for as long as the body of a `read` or `transaction` runs.
///
/// Nothing is copied when a snapshot is opened. What has not changed since is read where it is stored; the entities that
/// have been replaced since are kept by the ``History``.
@usableFromInline
final class Snapshot: @unchecked Sendable {
    // `kept` is guarded by the lock of the history; the draft and the dependencies are used only by the thread of the body;
    // everything else is constant.

    /// The commit whose state this is.
    @usableFromInline let revision: UInt64
    let history: History
    /// The changes of a transaction; `nil` for a `read`.
    @usableFromInline let draft: Draft?
    /// What notes on which entities the result of the body depends; `nil` when nobody wants to know.
    @exclusivity(unchecked) @usableFromInline var dependencies: Dependencies?
    /// The entities of each type that commits have replaced, by identifier; dictionaries in boxes of their types.
    private var kept: [ObjectIdentifier: AnyObject] = [:]

    init(revision: UInt64, of history: History, draft: Draft?) {
        self.revision = revision
        self.history = history
        self.draft = draft
    }

    /// The entity of an identifier as the body sees it: at the time of the snapshot, or as the transaction has changed it.
    @inline(never) @inlinable func value<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Value? {
        if let draft { return draft.table(table).value(of: id, hash, in: self) }
        return committedValue(of: id, hash, in: table)
    }

    /// The entities of a type as the body sees them.
    func values<Value: Cachable>(in table: Table<Value>) -> [Value] {
        if let draft { return draft.table(table).values(in: self) }
        return committedValues(in: table)
    }

    /// Keeps an entity that is being replaced, while the lock of the history is held.
    func keep<Value: Cachable>(_ value: Value, of id: Value.ID) {
        let type = ObjectIdentifier(Value.self)
        if let entities = kept[type] as? KeptEntities<Value> {
            entities.values[id] = value
        } else {
            kept[type] = KeptEntities<Value>(values: [id: value])
        }
    }

    /// What was kept of a type, while the lock of the history is held.
    func kept<Value: Cachable>(_ type: Value.Type) -> [Value.ID: Value] {
        (kept[ObjectIdentifier(type)] as? KeptEntities<Value>)?.values ?? [:]
    }

    /// The entity of an identifier at the time of the snapshot; `nil` when there was none.
    @inlinable func committedValue<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> Value? {
        let shard = table.shards[hash]
        shard.lock()
        if let slot = slot(of: id, hash, in: table, shard)?.takeUnretainedValue(),
            slot.revision <= revision,
            let value = slot.copy
        {
            shard.unlock()
            return value
        }
        shard.unlock()
        return keptValue(of: id)
    }

    /// The slot of an identifier, while its shard is locked; made if there is none and somebody wants to know when that
    /// changes.
    @inlinable func slot<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>,
        _ shard: ShardReference<Value>
    ) -> Unmanaged<Slot<Value>>? {
        guard let dependencies else { return shard.pointer.pointee.index.find(id, hash) }
        let slot = shard.slot(for: id, hash)
        dependencies.note(slot.takeUnretainedValue(), hash, in: table, self)
        return slot
    }

    @usableFromInline func keptValue<Value: Cachable>(of id: Value.ID) -> Value? {
        history.withKept(Value.self, for: self) { $0[id] }
    }

    /// Whether an entity is still the one that the snapshot shows, while its shard is locked.
    @inlinable func isCurrent<Value: Cachable>(_ id: Value.ID, _ hash: HashedID, in table: Table<Value>) -> Bool {
        if let slot = table.shards[hash].pointer.pointee.index.find(id, hash)?.takeUnretainedValue() {
            if slot.revision > revision { return false }
            if slot.value != nil { return true }
        }
        // The slot may be a new one, made since the entity was removed; that the entity was there is known from what is kept.
        return isNoneKept(of: table, id: id)
    }

    @usableFromInline func isNoneKept<Value: Cachable>(of table: Table<Value>, id: Value.ID) -> Bool {
        history.withKept(Value.self, for: self) { $0[id] == nil }
    }

    /// Whether all entities of a type are those that the snapshot shows, while all shards are locked.
    @usableFromInline func isCurrent<Value: Cachable>(_ table: Table<Value>) -> Bool {
        var isCurrent = history.withKept(Value.self, for: self) { $0.isEmpty }
        for number in 0..<shardCount where isCurrent {
            table.shards[number].pointer.pointee.index.forEach { slot, _ in
                if slot._withUnsafeGuaranteedRef({ $0.revision > revision }) { isCurrent = false }
            }
        }
        return isCurrent
    }

    /// The entities of a type at the time of the snapshot.
    func committedValues<Value: Cachable>(in table: Table<Value>) -> [Value] {
        table.withAllShards { shards in
            dependencies?.note(table, self)
            var values: [Value] = []
            for shard in shards {
                shard.pointer.pointee.index.forEach { slot, _ in
                    slot._withUnsafeGuaranteedRef { slot in
                        if let value = slot.value, slot.revision <= revision { values.append(value) }
                    }
                }
            }
            history.withKept(Value.self, for: self) { values += $0.values }
            return values
        }
    }
}

/// The entities of a type that a snapshot still shows although they were replaced.
private final class KeptEntities<Value: Cachable> {
    // Guarded by the lock of the history.
    var values: [Value.ID: Value]

    init(values: [Value.ID: Value]) {
        self.values = values
    }
}
