public import Synchronization

/// The entities of one type in one cache.
@usableFromInline
final class Table<Value: Cachable>: Sendable {
    /// The number of the table in the cache, which determines the order of locks.
    @usableFromInline let ordinal: Int
    let layout: EntityLayout
    @usableFromInline let shards: Shards
    /// The locks of all shards.
    @usableFromInline let allLocks: LockSet
    /// Whether identifiers may be compared while a lock is held; see ``hasBuiltInIDs``.
    @usableFromInline let idsAreBuiltIn = BuiltInIDs.contains(Value.ID.self)
    /// The comparison of entities, so that writing an equal value doesn't notify, or `nil` if the type isn't
    /// `Equatable`.
    @usableFromInline let equality: ValueEquality?
    @usableFromInline let history: HistoryReference
    /// The object of `history`, kept alive for handles, which may outlive the cache.
    private let owner: History
    /// Whether entities of the table can be stale.
    @usableFromInline let mayBeStale = Atomic(false)
    /// Whether entities were evicted since all were removed.
    let hasEvicted = Atomic(false)
    /// Whether a store had entities that can't be read since all were removed.
    let hasUnreadable = Atomic(false)
    /// The number of keys with layers.
    ///
    /// A commit that locks the shard of a key and finds 0 knows that the key has none.
    @usableFromInline let layeredCount = Atomic<Int>(0)
    /// The revision of the last commit after which a key had no layers any more.
    @usableFromInline let layersEnd = Atomic<UInt64>(0)
    /// The code of layers, specialized for the type if the first mutation was begun by the module of the user.
    @usableFromInline let layeringCode = LazyReference<LayeringCode>()
    /// The entities with which others are merged, or `nil` if there never were any.
    @usableFromInline let mergeBases = LazyReference<ErasedMergeBases>()
    /// The keys by which entities that mutations insert are recognized, or `nil` if there never were any.
    @usableFromInline let matchingKeys = LazyReference<TableCompanion>()
    /// See ``mayForward``.
    @usableFromInline let hasReplacements = Atomic(false)
    /// The number of the newest round of evictions; see ``SlotUsage``.
    @usableFromInline let lastRound = Atomic<UInt64>(0)
    /// The indexes that commits keep current, or `nil` if there are none.
    ///
    /// The locks of all shards guard it, of which any one is enough to read.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var indexes: TableIndexes<Value>?
    /// Whether there may be indexes, for code that checks ``indexes`` later under a lock.
    let mayHaveIndexes = Atomic(false)
    /// The rules for entities that refer to a removed one.
    ///
    /// The locks of all shards guard it, of which any one is enough to read.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var removalRules: [RemovalRule<Value>]
    /// The object that another part of the library keeps with the entities, if there is one.
    let companion = LazyReference<TableCompanion>()
    /// The tracked reads of all entities, or `nil` if there are none.
    ///
    /// The locks of all shards guard it.
    @exclusivity(unchecked) nonisolated(unsafe) var trackedReads: (any TableReads)?
    /// The tracked reads of the number of entities, or `nil` if there are none.
    ///
    /// The locks of all shards guard it.
    @exclusivity(unchecked) nonisolated(unsafe) var trackedCounts: (any TableReads)?

    /// - Parameter clearedRevision: The revision of the last removal of all entities before the table was created, or 0.
    init(ordinal: Int, history: History, removalRules: [RemovalRule<Value>] = [], clearedRevision: UInt64 = 0) {
        self.ordinal = ordinal
        self.removalRules = removalRules
        layout = EntityLayout(of: Value.self)
        shards = Shards(layout)
        allLocks = LockSet(shards, ordinal)
        owner = history
        self.history = HistoryReference(history)
        equality = .of(Value.self)
        if clearedRevision > 0 {
            // The response to an older request can't have an entity of the type that is still valid.
            for shard in shards.all { shard.whileLocked { shard.noteCleared(clearedRevision, .user) } }
        }
    }

    deinit {
        shards.destroy()
    }

    /// The number of keys with layers.
    @inlinable var layeredKeyCount: Int { layeredCount.load(ordering: .relaxed) }

    /// Whether identifiers were replaced, so that a missing entity may have another identifier.
    @inlinable var mayForward: Bool { hasReplacements.load(ordering: .relaxed) }

    /// Whether a single entity can be stored without looking at others, for code that has locked a shard.
    @inlinable var isPlain: Bool {
        if case .none = indexes { !mayAwaitInsertions } else { false }
    }

    /// Whether an entity that comes in may be one that a mutation has inserted.
    @inlinable var mayAwaitInsertions: Bool { matchingKeys.exists }

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

/// A table without its static entity type.
@usableFromInline
protocol ErasedTable: AnyObject, Sendable {
    var entityType: any Cachable.Type { get }

    /// Whether the entities are internal to the library and not included in counts.
    var isInternal: Bool { get }

    /// Calls a visitor with the static type.
    func accept<Visitor: TableVisitor>(_ visitor: Visitor) -> Visitor.Result

    /// Notes that a key has layers now, or that it has no layers any more.
    func noteLayeredKey(_ difference: Int, at revision: UInt64)

    /// The locks of all shards.
    var allLocks: LockSet { get }

    /// What a large commit holds that has published its changes and not yet applied all of them, or `nil` if there is none.
    var holdOfLargeCommit: Hold? { get }

    /// Drops the versions of a shard that were only part of a closed snapshot.
    func prune(shard: Int, ofClosed snapshot: UInt64)

    /// Releases entities and observers when the cache is deallocated. Handles and subscriptions may still refer to
    /// slots.
    func close()
}

/// An operation on tables of any type.
@usableFromInline
protocol TableVisitor {
    associatedtype Result

    func visit<Value>(_ table: Table<Value>) -> Result
}

extension Table: ErasedTable {
    @usableFromInline var entityType: any Cachable.Type { Value.self }

    @usableFromInline var isInternal: Bool { Value.self is any InternalEntity.Type }

    @usableFromInline func accept<Visitor: TableVisitor>(_ visitor: Visitor) -> Visitor.Result { visitor.visit(self) }

    @usableFromInline func close() {
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
