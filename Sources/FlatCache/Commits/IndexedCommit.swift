/// Prepares the changes of the entries of an index by a commit of one entity, or returns `nil` if there are none.
///
/// It runs user code, so no lock may be held.
@usableFromInline typealias EntryPreparation<Value: Cachable> = @Sendable (IndexedChange<Value>) -> EntryWrites?

/// The changes of the entries of an index by a commit of one entity, as closures, because closures are specialized for the
/// types where the index is declared.
@frozen @usableFromInline
struct EntryWrites {
    /// The number of entries.
    @usableFromInline let count: Int
    /// Adds the locks of the shards of the entries.
    @usableFromInline let insertLocks: (inout LockSet) -> Void
    /// Whether the entries are unchanged since the preparation, and can be written.
    ///
    /// Their shards must be locked.
    @usableFromInline let areCurrent: () -> Bool
    /// Makes the changes, while the shards are locked, and unpins the slots of the entries.
    @usableFromInline let store: (inout Commit) -> Void
    /// Unpins the slots without a commit.
    @usableFromInline let release: () -> Void

    @inlinable init(
        count: Int,
        insertLocks: @escaping (inout LockSet) -> Void,
        areCurrent: @escaping () -> Bool,
        store: @escaping (inout Commit) -> Void,
        release: @escaping () -> Void
    ) {
        self.count = count
        self.insertLocks = insertLocks
        self.areCurrent = areCurrent
        self.store = store
        self.release = release
    }
}

extension FlatCache {
    /// Stores an entity of an indexed type together with the changes of the indexes, and unpins its slot.
    ///
    /// It has the steps of a transaction of one write. A transaction makes the commit if a large commit or a reservation
    /// is active in one of the shards, or if the entries are often changed by other threads.
    ///
    /// - Returns: Whether the commit was made. If not, another commit has changed the slot.
    @inlinable func commitIndexed<Value: Cachable>(
        _ value: Value,
        to slot: Slot,
        at revision: UInt64,
        of table: Table<Value>
    ) -> Bool {
        var attempts = 0
        while attempts < 4 {
            switch tryCommitIndexed(value, to: slot, at: revision, of: table) {
            case .made: return true
            case .outdated: return false
            case .overtaken: attempts += 1
            case .obstructed: attempts = .max
            }
        }
        let transaction = Transaction()
        let changes = transaction.table(table)
        changes.write(value, slot.id(of: Value.self), HashedID(slot))
        changes.expect(slot, revision)
        let isMade = transaction.commit(to: self)
        transaction.release()
        if isMade { table.unpin(slot) }
        return isMade
    }

    /// Stores an entity together with the changes of the indexes of its type, and unpins its slot.
    ///
    /// - Parameters:
    ///   - value: The entity.
    ///   - slot: Its slot, pinned by the caller. If no commit is made, it remains pinned.
    ///   - revision: The revision that the slot must have.
    ///   - table: Its table.
    /// - Returns: Whether the commit was made. If not, another commit has changed the slot.
    @inlinable func commitWithIndexes<Value: Cachable>(
        _ value: Value,
        to slot: Slot,
        at revision: UInt64,
        of table: Table<Value>
    ) -> Bool {
        guard let indexes = table.shards[HashedID(slot)].whileLocked({ table.indexes }) else { return false }
        let maintained = unsafeDowncast(indexes, to: MaintainedIndexes<Value>.self)
        return maintained.code.commit(self, value, slot, revision, table)
    }

    /// Makes one attempt to store an entity together with the changes of the indexes.
    ///
    /// The arguments are those of ``commitIndexed(_:to:at:of:)``.
    @inlinable func tryCommitIndexed<Value: Cachable>(
        _ value: Value,
        to slot: Slot,
        at revision: UInt64,
        of table: Table<Value>
    ) -> IndexedCommitOutcome {
        let hash = HashedID(slot)
        let shard = table.shards[hash]
        shard.lock()
        guard !shard.isGated, !slot.isLayered, let tableIndexes = table.indexes else {
            shard.unlock()
            return .obstructed
        }
        guard slot.revision == revision else {
            shard.unlock()
            return .outdated
        }
        let ordinal = slot.isStored ? slot.ordinal : nil
        let change = IndexedChange(
            id: slot.id(of: Value.self),
            old: slot.copy(of: Value.self),
            new: value,
            ordinal: ordinal,
            order: 0
        )
        shard.unlock()

        let indexes = unsafeDowncast(tableIndexes, to: MaintainedIndexes<Value>.self)
        var writes: [EntryWrites] = []
        let prepare = {
            for preparation in indexes.preparations {
                if let prepared = preparation(change) { writes.append(prepared) }
            }
        }
        if table.hasBuiltInIDs, case .some = indexes.comparisons {
            prepare()
        } else {
            ReadContext.runOutside(of: history.object, prepare)
        }
        SyncPoint.reach(.listed)

        guard writes.reduce(0, { $0 + $1.count }) < smallCommit else {
            for entries in writes { entries.release() }
            return .obstructed
        }
        var mask = ShardMask()
        mask.insert(hash.shard)
        var locks = LockSet()
        locks.insert(mask, of: table)
        for entries in writes { entries.insertLocks(&locks) }
        locks.lock()
        let isOutdated = slot.revision != revision
        guard !isOutdated, !shard.isGated, table.indexes === tableIndexes, writes.allSatisfy({ $0.areCurrent() }) else {
            locks.unlock()
            for entries in writes { entries.release() }
            return isOutdated ? .outdated : .overtaken
        }
        var commit = Commit(of: self)
        let replaced = shard.replace(slot, with: value, &commit)
        slot.pins -= 1
        for entries in writes { entries.store(&commit) }
        let committed = commit.revision
        commit.finish(isOfOne: true) { locks.unlock() }
        keepLimits(after: committed, mayEvictNewer: false)
        withExtendedLifetime((replaced, change, writes)) {}
        return .made
    }
}

/// The outcome of an attempt to store an entity with the changes of its indexes.
@frozen @usableFromInline
enum IndexedCommitOutcome {
    case made
    /// Another commit has changed the entity.
    case outdated
    /// Another commit has changed an entry or the indexes.
    case overtaken
    /// A transaction must make the commit.
    case obstructed
}
