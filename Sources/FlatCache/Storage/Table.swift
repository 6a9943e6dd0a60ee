public import Synchronization

/// The entities of one type in one cache, for code that knows the type.
@usableFromInline
final class Table<Value: Cachable>: EntityTable, @unchecked Sendable {  // It has no variables of its own.
    init(ordinal: Int, history: History, removalRules: [RemovalRule] = [], clearedRevision: UInt64 = 0) {
        super.init(
            of: Value.self,
            .of(Value.self),
            ordinal: ordinal,
            history: history,
            removalRules: removalRules,
            clearedRevision: clearedRevision
        )
    }

    override func accept<Visitor: TableVisitor>(_ visitor: Visitor) -> Visitor.Result { visitor.visit(self) }
}

/// An operation on tables of any type.
protocol TableVisitor {
    associatedtype Result

    func visit<Value>(_ table: Table<Value>) -> Result
}

/// The entities of one type in one cache.
@usableFromInline
class EntityTable: @unchecked Sendable {  // The locks of its shards guard its variables.
    final let entityType: any Cachable.Type
    /// The number of the table in the cache, which determines the order of locks.
    final let ordinal: Int
    @usableFromInline final let layout: EntityLayout
    @usableFromInline final let shards: Shards
    /// The locks of all shards.
    final let allLocks: LockSet
    @usableFromInline final let history: HistoryReference
    /// The object of `history`, kept alive for handles, which may outlive the cache.
    private let owner: History
    /// Whether entities of the table can be stale.
    @usableFromInline final let mayBeStale = Atomic(false)
    /// Whether entities were evicted since all were removed.
    final let hasEvicted = Atomic(false)
    /// Whether a store had entities that can't be read since all were removed.
    final let hasUnreadable = Atomic(false)
    /// The number of keys with layers.
    ///
    /// A commit that locks the shard of a key and finds 0 knows that the key has none.
    @usableFromInline final let layeredCount = Atomic<Int>(0)
    /// The revision of the last commit after which a key had no layers any more.
    final let layersEnd = Atomic<UInt64>(0)
    /// The code of layers, specialized for the type if the first mutation was begun by the module of the user.
    @usableFromInline final let layeringCode = LazyReference<LayeringCode>()
    /// The entities with which others are merged, or `nil` if there never were any.
    @usableFromInline final let mergeBases = LazyReference<ErasedMergeBases>()
    /// The keys by which entities that mutations insert are recognized, or `nil` if there never were any.
    final let matchingKeys = LazyReference<TableCompanion>()
    /// See ``mayForward``.
    @usableFromInline final let hasReplacements = Atomic(false)
    /// The number of the newest round of evictions; see ``SlotUsage``.
    @usableFromInline final let lastRound = Atomic<UInt64>(0)
    /// The indexes that commits keep current, or `nil` if there are none.
    ///
    /// The locks of all shards guard it, of which any one is enough to read.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) final var indexes: TableIndexes?
    /// Whether there may be indexes, for code that checks ``indexes`` later under a lock.
    final let mayHaveIndexes = Atomic(false)
    /// The rules for entities that refer to a removed one.
    ///
    /// The locks of all shards guard it, of which any one is enough to read.
    @exclusivity(unchecked) nonisolated(unsafe) final var removalRules: [RemovalRule]
    /// The object that another part of the library keeps with the entities, if there is one.
    final let companion = LazyReference<TableCompanion>()
    /// The tracked reads of all entities, or `nil` if there are none.
    ///
    /// The locks of all shards guard it.
    @exclusivity(unchecked) nonisolated(unsafe) final var trackedReads: (any TableReads)?
    /// The tracked reads of the number of entities, or `nil` if there are none.
    ///
    /// The locks of all shards guard it.
    @exclusivity(unchecked) nonisolated(unsafe) final var trackedCounts: (any TableReads)?

    /// - Parameter clearedRevision: The revision of the last removal of all entities before the table was created, or 0.
    fileprivate init(
        of type: any Cachable.Type,
        _ layout: EntityLayout,
        ordinal: Int,
        history: History,
        removalRules: [RemovalRule],
        clearedRevision: UInt64
    ) {
        entityType = type
        self.layout = layout
        self.ordinal = ordinal
        self.removalRules = removalRules
        shards = Shards()
        allLocks = LockSet(shards, ordinal)
        owner = history
        self.history = HistoryReference(history)
        shards.create(for: self)
        if clearedRevision > 0 {
            // The response to an older request can't have an entity of the type that is still valid.
            for shard in shards.all { shard.whileLocked { shard.noteCleared(clearedRevision, .user) } }
        }
    }

    deinit {
        shards.destroy()
    }

    /// Whether a commit has removed all entities since a revision.
    final func isCleared(since revision: UInt64) -> Bool {
        shards.all.contains { shard in shard.whileLocked { shard.clearedRevision > revision } }
    }

    /// Calls a visitor with the table of the static type.
    func accept<Visitor: TableVisitor>(_ visitor: Visitor) -> Visitor.Result {
        preconditionFailure("Only subclasses have instances.")
    }
}

extension EntityTable {
    /// Whether the entities are internal to the library and not included in counts.
    var isInternal: Bool { entityType is any InternalEntity.Type }

    /// The comparison of entities; see ``EntityLayout/equality``.
    var equality: ValueEquality? { layout.equality }

    /// The number of keys with layers.
    @inlinable var layeredKeyCount: Int { layeredCount.load(ordering: .relaxed) }

    /// Whether identifiers were replaced, so that a missing entity may have another identifier.
    var mayForward: Bool { hasReplacements.load(ordering: .relaxed) }

    /// Whether a single entity can be stored without looking at others, for code that has locked a shard.
    var isPlain: Bool {
        if case .none = indexes { !mayAwaitInsertions } else { false }
    }

    /// Whether an entity that comes in may be one that a mutation has inserted.
    var mayAwaitInsertions: Bool { matchingKeys.exists }

    /// Whether a mutation may have inserted an entity that is recognized by a matching key when it comes from the server.
    @usableFromInline var awaitsInsertions: Bool { mayAwaitInsertions && hasLayers }

    /// Notes that an identifier is replaced, before the commit.
    func noteReplacement() { hasReplacements.store(true, ordering: .relaxed) }

    /// Whether any key has layers.
    @inlinable var hasLayers: Bool { layeredCount.load(ordering: .relaxed) != 0 }

    /// Whether a large commit or a reservation is active in some of the given shards, which are locked.
    @inlinable func isAnyGated(_ mask: ShardMask) -> Bool {
        var bits = mask.bits
        while bits != 0 {
            if shards[bits.trailingZeroBitCount].isGated { return true }
            bits &= bits &- 1
        }
        return false
    }
}

/// An object that another part of the library keeps with the entities of a table.
///
/// It is a class because `LazyReference` requires one.
@usableFromInline
class TableCompanion: @unchecked Sendable {  // It has no variables; subclasses guard theirs.
    /// Ends all work, because the cache is deallocated.
    func close() {}
}

/// The tracked reads of all entities of a type, in the table of the type.
protocol TableReads: AnyObject, Sendable {
    /// Releases the table when the cache is deallocated.
    func close()

    /// Notifies the framework.
    func finish()
}

extension EntityTable {
    /// Releases entities and observers when the cache is deallocated.
    ///
    /// Handles and subscriptions may still refer to slots.
    func close() {
        companion.load()?.close()
        let trackedTable = withAllShards {
            trackedReads?.close()
            trackedCounts?.close()
            return (trackedReads.take(), trackedCounts.take())
        }
        for shard in shards.all {
            shard.lock()
            let old = shard.pointer.pointee.index
            var remaining = SlotIndex()
            var unneeded: [Slot] = []
            unneeded.reserveCapacity(old.count)
            shard.pointer.pointee.storedCount = 0
            let watchers = shard.pointer.pointee.watchers
            var observers = watchers?.list ?? []
            shard.pointer.pointee.watchers = nil
            var reads = shard.pointer.pointee.kept?.missingReads.takeAll() ?? []
            var left: [(EntityBox?, SlotExtras?)] = []
            old.forEach { slot, tag in
                // Nothing refers to the other slots, so their entities are released with them.
                guard slot.extras != nil || slot.pins != 0 || slot.isNoted else { return unneeded.append(slot) }
                // Subscriptions refer to the slot as long as they refer to the table, also if their observers have moved.
                if slot.observers != nil || slot.extras?.heirs.isEmpty == false { slot.pins += 1 }
                observers += slot.observers?.list ?? []
                if let tracked = slot.extras?.trackedReads { reads.append(tracked) }
                left.append((slot.isStored ? EntityBox(movedFrom: slot, layout) : nil, slot.extras))
                slot.extras = nil
                slot.pins &= ~Slot.layeredBit
                // A recorder still has the slots that it has noted.
                if slot.pins == 0 && !slot.isNoted { unneeded.append(slot) } else { remaining.insert(slot, tag: tag) }
            }
            shard.pointer.pointee.index = remaining
            shard.unlock()
            old.deallocate()
            shard.free(unneeded)
            for observer in observers { observer.finish() }
            for reads in reads { reads.notify() }
            withExtendedLifetime((left, watchers)) {}
        }
        withExtendedLifetime(trackedTable) {}
    }
}
