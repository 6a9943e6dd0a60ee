/// The changes that a transaction makes to the entities of one type, and what it has read of them.
@usableFromInline
final class TableDraft<Value: Cachable> {
    private let table: Table<Value>
    /// Lives as long as the transaction, and this with it.
    private unowned let draft: Draft
    private var entries: [HashedKey: Entry] = [:]
    /// Whether all entities are removed, before the written entries are stored.
    private var isCleared: Bool
    /// Whether the transaction has read all entities of the type.
    private var hasReadAll = false

    /// An identifier with the hash that it has in the table, so that it is not hashed again.
    private struct HashedKey: Hashable {
        let id: Value.ID
        let hash: HashedID

        static func == (lhs: Self, rhs: Self) -> Bool { lhs.hash.bits == rhs.hash.bits && lhs.id == rhs.id }

        func hash(into hasher: inout Hasher) { hasher.combine(hash.bits) }
    }

    /// What the transaction has done with one key.
    private struct Entry {
        /// Whether the result of the transaction depends on what was stored.
        var isRead = false
        var change: Change?
    }

    private enum Change {
        case stored(Value)
        case removed

        var value: Value? {
            switch self {
            case .stored(let value): value
            case .removed: nil
            }
        }
    }

    init(of table: Table<Value>, in draft: Draft, isCleared: Bool) {
        self.table = table
        self.draft = draft
        self.isCleared = isCleared
    }

    /// The entity as the transaction sees it.
    @usableFromInline func value(of id: Value.ID, _ hash: HashedID, in snapshot: Snapshot) -> Value? {
        let key = HashedKey(id: id, hash: hash)
        if let change = entries[key]?.change { return change.value }
        if isCleared { return nil }
        entries[key, default: Entry()].isRead = true
        return snapshot.committedValue(of: id, hash, in: table)
    }

    /// The entities as the transaction sees them.
    func values(in snapshot: Snapshot) -> [Value] {
        var values: [Value] = []
        if !isCleared {
            hasReadAll = true
            values = snapshot.committedValues(in: table).filter { value in
                entries[HashedKey(id: value.id, hash: HashedID(value.id))]?.change == nil
            }
        }
        for entry in entries.values {
            if let value = entry.change?.value { values.append(value) }
        }
        return values
    }

    /// Stores an entity, or removes it when there is none.
    @usableFromInline func write(_ value: Value?, for id: Value.ID, _ hash: HashedID) {
        let key = HashedKey(id: id, hash: hash)
        draft.noteUndo { [change = entries[key]?.change] in self.entries[key]?.change = change }
        entries[key, default: Entry()].change = value.map { .stored($0) } ?? .removed
    }

    /// Changes an entity, and stores others with it; the body runs once, on what the transaction sees.
    @usableFromInline func update<Related: Cachable, Result, Failure: Error>(
        _ id: Value.ID,
        _ hash: HashedID,
        in snapshot: Snapshot,
        storing batch: EntityBatch<Related>?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard var value = value(of: id, hash, in: snapshot) else { return nil }
        let result = try body(&value)
        batch?.store(in: draft)
        if value.id != id { write(nil, for: id, hash) }
        write(value, for: value.id, HashedID(value.id))
        return result
    }

    /// Removes all entities.
    @usableFromInline func removeAll() {
        draft.noteUndo { [entries, isCleared] in
            // What was read in between has been read all the same.
            let isRead = self.entries.filter(\.value.isRead)
            self.entries = entries.merging(isRead) { entry, _ in Entry(isRead: true, change: entry.change) }
            self.isCleared = isCleared
        }
        entries = entries.filter(\.value.isRead).mapValues { _ in Entry(isRead: true) }
        isCleared = true
    }
}

/// The changes to the entities of one type, which is not known to the caller.
protocol ErasedTableDraft: AnyObject {
    var hasChanges: Bool { get }

    /// Adds the locks of everything that is read or changed.
    func insertLocks(into locks: inout LockSet)

    /// Whether everything that was read is still as in the snapshot, while the shards are locked.
    func isCurrent(in snapshot: Snapshot) -> Bool

    /// Makes the changes, while the shards are locked.
    ///
    /// - Returns: What was replaced, to be released after unlocking.
    func store(_ commit: inout Commit) -> ReplacedEntities
}

/// What a commit has replaced in one table, to be released after unlocking, for its release can run user code.
struct ReplacedEntities {
    let values: any Sendable
    let removed: (any AnyObject & Sendable)?
}

extension TableDraft: ErasedTableDraft {
    var hasChanges: Bool { isCleared || entries.values.contains { $0.change != nil } }

    func insertLocks(into locks: inout LockSet) {
        if isCleared || hasReadAll {
            locks.insertAll(of: table)
        } else {
            locks.insert(ShardMask(entries.keys.lazy.map(\.hash)), of: table)
        }
    }

    func isCurrent(in snapshot: Snapshot) -> Bool {
        if hasReadAll { return snapshot.isCurrent(table) }
        return entries.allSatisfy { key, entry in !entry.isRead || snapshot.isCurrent(key.id, key.hash, in: table) }
    }

    func store(_ commit: inout Commit) -> ReplacedEntities {
        let removed = isCleared ? table.removeAll(&commit) : nil
        var replaced: [Value] = []
        for (key, entry) in entries {
            guard let change = entry.change else { continue }
            let shard = table.shards[key.hash]
            let old: Value?
            switch change {
            case .stored(let value): old = shard.replace(shard.slot(for: key.id, key.hash), with: value, &commit)
            case .removed: old = shard.remove(key.id, key.hash, &commit)
            }
            if let old { replaced.append(old) }
        }
        return ReplacedEntities(values: replaced, removed: removed)
    }
}
