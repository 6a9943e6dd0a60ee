internal import Synchronization

/// An entity that a store gives back.
package struct RestoredEntity<Value: Cachable>: Sendable {
    package let value: Value
    /// Its place in the order of insertion.
    package let ordinal: UInt64
    /// The time of the last write, as in ``ChangedEntity/stamp``.
    package let stamp: UInt64

    package init(_ value: Value, ordinal: UInt64, stamp: UInt64) {
        self.value = value
        self.ordinal = ordinal
        self.stamp = stamp
    }
}

/// Stores the entities of a type in a new cache that no other code uses, except for other values of this structure.
///
/// Nobody observes them, no merge and no rule runs, and no entity is newer than it was. It is inlinable to be specialized:
/// without, it takes 9,000 instructions for an entity, and 800 with.
@frozen @usableFromInline
package struct EntityRestoration<Value: Cachable> {
    @usableFromInline let cache: FlatCache
    @usableFromInline let table: Table<Value>
    @usableFromInline let time: UInt64
    @usableFromInline let now: UInt64

    /// Begins to store entities.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - time: The current time in milliseconds since 1970.
    @inlinable package init(in cache: FlatCache, at time: UInt64) {
        self.cache = cache
        self.time = time
        table = cache.registry.table(of: Value.self).takeUnretainedValue()
        now = cache.lastRevision
    }

    /// Stores an entity.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - ordinal: Its place in the order of insertion.
    ///   - stamp: The time of its last write, as in ``ChangedEntity/stamp``.
    @inlinable package func store(_ value: consuming Value, ordinal: UInt64, stamp: UInt64) {
        let id = value.id
        let hash = HashedID(id)
        // It can have been written in the current millisecond, and transactions don't end with entities from the future.
        let revision = Swift.min(cache.restoredRevision(stamp, at: time), now)
        var value: Value? = value
        table.withSlot(for: id, hash) { slot in
            let shard = table.shards[hash]
            slot.exchange(&value)
            if case .none = value { shard.pointer.pointee.storedCount += 1 }
            slot.ordinal = ordinal
            slot.revision = revision
            shard.pointer.pointee.changedRevision = now
        }
        withExtendedLifetime(value) {}
    }
}

extension FlatCache {
    /// Makes revisions encode the time since 1970, before the first use of a new cache.
    ///
    /// - Parameters:
    ///   - time: The current time in milliseconds since 1970.
    ///   - ordinal: The last place in the order of insertion of the entities that are restored. New entities follow.
    package func beginRestoring(at time: UInt64, after ordinal: UInt64) {
        history.object.begin(at: time, after: ordinal)
    }

    /// The revision of an entity that was written at a time.
    @usableFromInline func restoredRevision(_ stamp: UInt64, at time: UInt64) -> UInt64 {
        if stamp == 0 { return .invalid }
        // If the clock has gone back since, the entity is as old as any.
        return stamp >> revisionBits <= time ? max(stamp, .invalid + 1) : .invalid + 1
    }

    /// Marks the entities as stale that have the revision of invalid ones.
    @usableFromInline package func beginWithInvalidEntities<Value: Cachable>(of type: Value.Type) {
        fetchQueue(of: type).change { $0.allInvalidated(at: .invalid) }
        registry.table(of: type).takeUnretainedValue().mayBeStale.store(true, ordering: .relaxed)
    }
}

extension UInt64 {
    /// The revision of restored entities that were marked as stale.
    static var invalid: UInt64 { 1 }
}

extension FlatCache {
    /// Lets reads under replaced identifiers follow the replacements that a store has kept, in a new cache that no other code
    /// uses.
    package func restore<Value: Cachable>(_ type: Value.Type, replacements: [ChangedIdentifier<Value.ID>]) {
        if replacements.isEmpty { return }
        self.replacements.begin()
        defer { self.replacements.end() }
        registry.table(of: type).takeUnretainedValue().noteReplacement()
        for replacement in replacements {
            update(default: Forwarding<Value>(id: replacement.old)) { $0.lead(to: replacement.new) }
        }
    }

    /// Lets entities that come in be merged with others than the stored ones, in a new cache that no other code uses.
    package func restore<Value: Cachable>(_ type: Value.Type, mergeBases: [ChangedMergeBase<Value>]) {
        if mergeBases.isEmpty || Value.merge.isReplace { return }
        commitTogether {
            if let transaction = history.transactionOfThread {
                StoreCommit(cache: self, transaction: transaction).set(mergeBases)
            }
        }
    }

    /// Stores lists and references of a type in a new cache that no other code uses.
    package func restore<Value: Cachable>(
        _ type: Value.Type,
        lists: [ChangedList<Value.ID>],
        references: [ChangedReference<Value.ID>]
    ) {
        for list in lists {
            guard let ids = list.ids else { continue }
            self.list(list.name, of: type, dropsRemoved: list.dropsRemoved, keeps: list.keeps).change {
                $0.restore(ids, gapsAt: list.gaps, own: list.own)
                $0.isStale = list.isStale
            }
        }
        for reference in references {
            self.reference(reference.name, of: type, dropsRemoved: reference.dropsRemoved).id = reference.id
        }
    }
}

extension FlatCache {
    /// Makes a commit of changes that come from the store, and so aren't written to it.
    ///
    /// No merge and no delete rule runs.
    ///
    /// - Parameters:
    ///   - isRecorded: Whether the changes are written to the store nevertheless, because what isn't written yet would undo them
    ///     there.
    ///   - body: A closure that makes the changes. It may run more than once.
    /// - Returns: The revision of the commit, or 0 if nothing was changed.
    @discardableResult
    package func commitFromStore(isRecorded: Bool = false, _ body: (StoreCommit) -> Void) -> UInt64 {
        commit(from: isRecorded ? .restore : .store) { body(StoreCommit(cache: self, transaction: $0)) }
    }

    /// Makes a commit of entities that a store loads because they aren't in memory.
    ///
    /// It doesn't count as a write of them: an answer to an earlier request is stored.
    ///
    /// - Parameter body: A closure that inserts the entities. It may run more than once.
    /// - Returns: The revision of the commit, or 0 if nothing was changed.
    package func commitLoaded(_ body: (StoreCommit) -> Void) -> UInt64 {
        commit(from: .load) { body(StoreCommit(cache: self, transaction: $0)) }
    }

    /// Begins to distinguish loaded entities of a type from written ones, if no store takes the changes.
    package func followLoads<Value: Cachable>(of type: Value.Type) {
        let table = registry.table(of: type).takeUnretainedValue()
        let signal = JournalSignal {}
        table.withAllShards {
            for shard in table.shards.all {
                shard.pointer.pointee.journal = ShardJournal(signal, hasMore: false, isTaken: false)
            }
        }
    }

    /// Notes that a store has entities of a type that can't be read, and so aren't in memory.
    ///
    /// Removals of missing entities are recorded from now on, and the type isn't complete.
    package func noteUnreadable<Value: Cachable>(of type: Value.Type) {
        let table = registry.table(of: type).takeUnretainedValue()
        table.noteMoreInStore()
        table.hasUnreadable.store(true, ordering: .relaxed)
    }

    /// The revision of the last commit.
    @usableFromInline package var lastRevision: UInt64 { history.lastRevision }

    /// Notes when entities were written that a commit from the store has stored.
    ///
    /// - Parameters:
    ///   - entities: The entities.
    ///   - revision: The revision of the commit. Entities that have another one are left out.
    ///   - time: The current time in milliseconds since 1970.
    ///   - isNews: Whether another process has written the entities.
    ///   - compared: A revision up to which the store has compared the writes with the mark of all entities.
    package func noteLoaded<Value: Cachable>(
        _ entities: [RestoredEntity<Value>],
        at revision: UInt64,
        time: UInt64,
        isNews: Bool = false,
        compared: UInt64 = 0
    ) {
        let queue = fetchQueue(of: Value.self)
        for entity in entities {
            let handle = Cached(Value.self, id: entity.value.id, in: self)
            guard handle.slotState.revision == revision else { continue }
            let written = entity.stamp == 0 ? 0 : restoredRevision(entity.stamp, at: time)
            queue.change {
                $0.loaded(
                    FetchEntity(marking: handle),
                    at: revision,
                    written: written,
                    isNews: isNews,
                    compared: compared
                )
            }
        }
        registry.table(of: Value.self).takeUnretainedValue().mayBeStale.store(true, ordering: .relaxed)
    }
}

/// A running commit of changes that come from the store.
package struct StoreCommit {
    /// The cache, whose lists and references can be changed in the commit.
    package let cache: FlatCache
    let transaction: Transaction

    func table<Value: Cachable>(of type: Value.Type) -> TableTransaction<Value> {
        transaction.table(cache.registry.table(of: type).takeUnretainedValue())
    }

    /// Stores an entity of another process in place of the current one.
    ///
    /// A new entity has the place in the order of insertion that the other process has given it, if ``follow(_:)`` was called.
    package func set<Value: Cachable>(_ entity: RestoredEntity<Value>) {
        let id = entity.value.id
        table(of: Value.self).write(entity.value, id, HashedID(id))
        notePlace(of: entity)
    }

    /// Lets entities that are inserted later follow those of another process in the order of insertion.
    ///
    /// - Parameter ordinal: The last place of these.
    package func follow(_ ordinal: UInt64) {
        // Revisions must not overflow if the place is damaged.
        if ordinal < 1 << 62 { cache.history.object.move(to: ordinal) }
    }

    /// Gives an entity that isn't stored the place in the order of insertion that it had.
    private func notePlace<Value: Cachable>(of entity: RestoredEntity<Value>) {
        // Another process may have given a place that this one gives to another entity.
        guard entity.ordinal > 0, entity.ordinal <= cache.lastRevision else { return }
        table(of: Value.self).noteOrdinal(entity.ordinal, of: entity.value.id)
    }

    /// Whether an entity was changed or removed, which the store doesn't have yet.
    package func isChanged<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Bool {
        let table = cache.registry.table(of: type).takeUnretainedValue()
        return table.isClearPending || table.isNoted(id)
    }

    /// Stores an entity that isn't in memory, unless it was stored or removed after a revision, or the store doesn't have its
    /// last change yet.
    ///
    /// It has the place in the order of insertion that it had.
    package func insert<Value: Cachable>(_ entity: RestoredEntity<Value>, unlessChangedAfter revision: UInt64) {
        let id = entity.value.id
        if cache.contains(Value.self, id: id) || isChanged(Value.self, id: id) { return }
        let condition = WriteCondition(since: revision, replacesNewerWrites: false, isPinned: false)
        table(of: Value.self).write(entity.value, id, HashedID(id), if: condition)
        notePlace(of: entity)
    }

    /// Removes an entity, which need not be stored.
    package func remove<Value: Cachable>(_ type: Value.Type, id: Value.ID) {
        table(of: type).remove(id, HashedID(id))
    }

    /// Removes the entities of a type, except for some, and those whose last change the store doesn't have yet.
    package func removeEntities<Value: Cachable>(of type: Value.Type, except ids: [Value.ID]) {
        let kept = KeySet(ids)
        for value in cache.allValues(of: type) where !kept.contains(value.id) && !isChanged(type, id: value.id) {
            remove(type, id: value.id)
        }
    }

    /// Removes the lists of a type, except for some, and those whose last change the store doesn't have yet.
    package func removeLists<Value: Cachable>(of type: Value.Type, except names: [String]) {
        removeEntities(of: ListContents<Value>.self, except: names)
    }

    /// Removes the references of a type, except for some, and those whose last change the store doesn't have yet.
    package func removeReferences<Value: Cachable>(of type: Value.Type, except names: [String]) {
        removeEntities(of: ReferenceContents<Value>.self, except: names)
    }

    /// Lets entities that come in be merged with others than the stored ones.
    package func set<Value: Cachable>(_ mergeBases: [ChangedMergeBase<Value>]) {
        let changes = table(of: Value.self)
        for base in mergeBases {
            if base.isStored {
                changes.setMergeBase(base.value, base.id, in: cache)
            } else {
                changes.removeMergeBase(base.id)
            }
        }
    }

    /// Lets entities of a type that come in be merged with the stored ones again, except for some.
    package func removeMergeBases<Value: Cachable>(of type: Value.Type, except ids: [Value.ID]) {
        if cache.registry.find(MergeBase<Value>.self) == nil { return }
        removeEntities(of: MergeBase<Value>.self, except: ids)
    }

    /// Whether an identifier was replaced.
    package func isReplaced<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Bool {
        cache.get(Forwarding<Value>.self, id: id)?.target != nil
    }

    /// Whether an identifier was replaced, which the store doesn't have yet.
    package func isReplacementChanged<Value: Cachable>(of id: Value.ID, _ type: Value.Type) -> Bool {
        isChanged(Forwarding<Value>.self, id: id)
    }

    /// Whether a list was changed, which the store doesn't have yet.
    package func isListChanged<Value: Cachable>(_ name: String, of type: Value.Type) -> Bool {
        isChanged(ListContents<Value>.self, id: name)
    }

    /// Whether a reference was changed, which the store doesn't have yet.
    package func isReferenceChanged<Value: Cachable>(_ name: String, of type: Value.Type) -> Bool {
        isChanged(ReferenceContents<Value>.self, id: name)
    }
}
