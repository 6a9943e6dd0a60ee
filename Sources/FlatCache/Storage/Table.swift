public import Synchronization

/// The entities of one type in one cache.
@usableFromInline
final class Table<Value: Cachable>: Sendable {
    /// The place among the tables of the cache, which orders their locks.
    @usableFromInline let ordinal: Int
    @usableFromInline let shards = Shards<Value>()
    /// Whether identifiers may be compared while a lock is held; see ``hasBuiltInIDs``.
    @usableFromInline let idsAreBuiltIn = BuiltInIDs.contains(Value.ID.self)
    /// Tells equal entities, so that observers aren't notified of writes that change nothing; `nil` when the type isn't
    /// `Equatable`.
    @usableFromInline let equality: ValueEquality?
    @usableFromInline let history: HistoryReference
    /// Keeps what `history` refers to alive for handles, which may outlive the cache.
    private let owner: History
    /// Whether entities of the table can be stale.
    @usableFromInline let mayBeStale = Atomic(false)
    /// What another part of the library keeps beside the entities, once it has something to keep.
    let companion = AtomicLazyReference<TableCompanion>()
    /// The tracked reads of all entities; `nil` while there are none.
    ///
    /// Guarded by the locks of all shards.
    @exclusivity(unchecked) nonisolated(unsafe) var trackedReads: (any TableReads)?

    init(ordinal: Int, history: History) {
        self.ordinal = ordinal
        owner = history
        self.history = HistoryReference(history)
        equality = .of(Value.self)
    }

    deinit {
        shards.destroy()
    }

    /// Whether a large commit or a reservation is under way in shards, which are locked.
    @inlinable func isAnyGated(_ mask: ShardMask) -> Bool {
        for number in 0..<shardCount where mask.contains(number) && shards[number].isGated { return true }
        return false
    }
}

/// What another part of the library keeps for the entities of a table.
///
/// A class, because only a class can be in an `AtomicLazyReference`.
class TableCompanion: @unchecked Sendable {  // Has no variables; subclasses guard their own.
    /// Ends everything, because the cache is gone.
    func close() {}
}

/// The tracked reads of all entities of a type, in the table of the type.
protocol TableReads: AnyObject, Sendable {
    /// Lets go of the table, when the cache goes.
    func close()

    /// Notifies the framework.
    func finish()
}

/// A table whose entity type is not known to the caller.
@usableFromInline
protocol ErasedTable: AnyObject, Sendable {
    var entityType: any Cachable.Type { get }

    /// Whether the entities are the library's own, and not counted among those of users.
    var isBookkeeping: Bool { get }

    /// Does something in code that knows the type.
    func accept<Visitor: TableVisitor>(_ visitor: Visitor) -> Visitor.Result

    /// Drops the versions of a shard that only a closed snapshot has shown.
    func prune(shard: Int, ofClosed snapshot: UInt64)

    /// Lets go of entities and observers when the cache goes; handles and subscriptions may still refer to slots.
    func close()
}

/// Something to be done with tables of whatever types.
@usableFromInline
protocol TableVisitor {
    associatedtype Result

    func visit<Value>(_ table: Table<Value>) -> Result
}

extension Table: ErasedTable {
    @usableFromInline var entityType: any Cachable.Type { Value.self }

    @usableFromInline var isBookkeeping: Bool { Value.self is any Bookkeeping.Type }

    @usableFromInline func accept<Visitor: TableVisitor>(_ visitor: Visitor) -> Visitor.Result { visitor.visit(self) }

    @usableFromInline func close() {
        companion.load()?.close()
        let trackedTable = withAllShards {
            trackedReads?.close()
            return trackedReads.take()
        }
        for shard in shards.all {
            shard.lock()
            let old = shard.pointer.pointee.index
            shard.pointer.pointee.index = SlotIndex()
            shard.pointer.pointee.storedCount = 0
            let watchers = shard.pointer.pointee.watchers
            var observers = watchers?.list ?? []
            shard.pointer.pointee.watchers = nil
            var reads = shard.pointer.pointee.kept?.missingReads.takeAll() ?? []
            var left: [(Value?, SlotExtras<Value>?)] = []
            old.forEach { reference, _ in
                let slot = reference.takeUnretainedValue()
                // Nobody else refers to the other slots: their entities go with the old index.
                guard slot.extras != nil || slot.pins != 0 else { return }
                observers += slot.observers?.list ?? []
                if let tracked = slot.extras?.trackedReads { reads.append(tracked) }
                left.append((slot.value, slot.extras))
                slot.extras = nil
                slot.value = nil
            }
            shard.unlock()
            old.destroy()
            for observer in observers { observer.finish() }
            for reads in reads { reads.notify() }
            withExtendedLifetime((left, watchers)) {}
        }
        withExtendedLifetime(trackedTable) {}
    }
}
