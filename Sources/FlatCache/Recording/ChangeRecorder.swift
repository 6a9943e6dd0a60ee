/// The changes of some types of a cache, which a store takes in batches.
///
/// A commit notes the slots of the entities that it changes (``ShardJournal``). A store takes all of them at a moment between
/// two commits, and reads the entities in a snapshot of that moment. So a batch has everything that has changed up to one
/// revision, and nothing of a later commit. After a batch failed, its slots are noted again.
package final class ChangeRecorder: @unchecked Sendable {  // The lock guards `types`.
    private let lock = Lock()
    private var types: [any RecordedTable] = []
    private let signal: JournalSignal

    /// Creates a recorder of no types.
    ///
    /// - Parameter onChange: A closure that is called when something changes, once until the changes are taken. It is called
    ///   while a lock is held, so it must not use the cache.
    package init(onChange: @escaping @Sendable () -> Void) {
        signal = JournalSignal(onChange)
    }

    /// Begins to record the entities of a type, its lists and references, and its replaced identifiers.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - cache: The cache.
    ///   - hasMore: Whether the store has entities that aren't in memory, so that removals of missing ones are recorded.
    package func record<Value: Cachable>(_ type: Value.Type, in cache: FlatCache, hasMore: Bool = false) {
        func begin<Element: Cachable>(_ element: Element.Type, hasMore: Bool) {
            let table = cache.registry.table(of: element).takeUnretainedValue()
            table.withAllShards {
                for shard in table.shards.all { shard.pointer.pointee.journal = ShardJournal(signal, hasMore: hasMore) }
            }
            lock.withLock { types.append(table) }
        }
        begin(type, hasMore: hasMore)
        begin(ListContents<Value>.self, hasMore: false)
        begin(ReferenceContents<Value>.self, hasMore: false)
        begin(Forwarding<Value>.self, hasMore: false)
        if !Value.merge.isReplace { begin(MergeBase<Value>.self, hasMore: false) }
    }

    /// Ends recording, and forgets what was noted.
    package func stop() {
        let types = lock.withLock {
            defer { self.types = [] }
            return self.types
        }
        for type in types { type.endJournals() }
    }

    /// Whether all entities of a type were removed since the last call of ``take(from:time:)``.
    package var isClearPending: Bool { lock.withLock { types }.contains { $0.isClearPending } }

    /// Notes what can't be written again, so that it is part of the next changes.
    package func noteUnwritable() {
        for type in lock.withLock({ types }) { type.noteUnwritable() }
    }

    /// Takes all changes since the last call.
    ///
    /// - Parameters:
    ///   - cache: The cache, which the changes keep alive.
    ///   - time: The time of entities whose own isn't known, in milliseconds since 1970.
    package func take(from cache: FlatCache, time: UInt64) -> RecordedChanges {
        signal.lower()
        let types = lock.withLock { self.types }
        let history = cache.history.object
        let (revision, parts) = betweenCommits(to: types) { (history.open(), types.map { $0.turnJournals() }) }
        for part in parts { part.revision = revision }
        return RecordedChanges(in: cache, revision, parts, stamp: time << revisionBits)
    }
}

/// A table that has journals.
private protocol RecordedTable: EntityTable {
    /// Begins new journals, while all shards are locked.
    func turnJournals() -> any TakenJournals

    /// Whether all entities were removed since a store took the last changes.
    var isClearPending: Bool { get }

    /// Notes the entities again that can't be written.
    func noteUnwritable()

    /// Removes the journals.
    func endJournals()
}

extension Table: RecordedTable {
    fileprivate func turnJournals() -> any TakenJournals {
        let taken = TableJournals(of: self)
        for shard in shards.all {
            guard let journal = shard.pointer.pointee.journal else { continue }
            let (slots, bit, isCleared) = journal.turn()
            if isCleared { taken.isCleared = true }
            if !slots.isEmpty { taken.shards.append((shard, slots, bit)) }
        }
        return taken
    }

    fileprivate func noteUnwritable() {
        for shard in shards.all {
            shard.whileLocked {
                guard let journal = shard.pointer.pointee.journal else { return }
                for slot in journal.unwritable { journal.note(slot, .user) }
            }
        }
    }

    fileprivate func endJournals() {
        let taken: any TakenJournals = withAllShards {
            defer { for shard in shards.all { shard.pointer.pointee.journal = nil } }
            for shard in shards.all {
                // The slots have entities, or are noted.
                for slot in shard.pointer.pointee.journal?.unwritable ?? [] { slot.pins -= 1 }
            }
            return turnJournals()
        }
        taken.end(isWritten: true)
    }
}

/// Changes that were taken, without the static type of their entities.
@usableFromInline
protocol TakenJournals: AnyObject {
    var elementType: any Cachable.Type { get }

    /// The revision of the snapshot in which the entities are read.
    var revision: UInt64 { get set }

    /// Whether nothing has changed.
    var isEmpty: Bool { get }

    /// Ends the use of the slots, or notes them again.
    func end(isWritten: Bool)
}

/// The changed slots of a table.
@usableFromInline
final class TableJournals<Value: Cachable>: TakenJournals {
    private let table: Table<Value>
    @usableFromInline var shards: [(shard: ShardReference, slots: [Slot], bit: UInt8)] = []
    /// Whether all entities were removed, before the other changes.
    @usableFromInline var isCleared = false
    @usableFromInline var revision: UInt64 = 0
    /// The place of the next slot.
    @usableFromInline var next = (shard: 0, slot: 0)
    /// The slots of entities that can't be written.
    private var leftOut: Set<Slot> = []

    fileprivate init(of table: Table<Value>) {
        self.table = table
    }

    @usableFromInline var elementType: any Cachable.Type { Value.self }

    @usableFromInline var isEmpty: Bool { shards.isEmpty && !isCleared }

    /// Reads some of the entities in the snapshot, or returns `nil` after the last ones.
    @inlinable func nextPiece() -> [(id: Value.ID, entity: StoredEntity<Value>?)]? {
        guard next.shard < shards.count else { return nil }
        let (shard, slots, _) = shards[next.shard]
        let end = min(next.slot + pieceLength, slots.count)
        var piece: [(id: Value.ID, entity: StoredEntity<Value>?)] = []
        piece.reserveCapacity(end - next.slot)
        shard.whileLocked {
            for slot in slots[next.slot..<end] {
                piece.append((slot.id(of: Value.self), slot.writtenEntity(of: Value.self, at: revision)))
            }
        }
        next = end == slots.count ? (next.shard + 1, 0) : (next.shard, end)
        return piece
    }

    /// Notes that an entity can't be written.
    func leaveOut(_ id: Value.ID) {
        // The journal keeps the slot.
        let slot = table.withSlot(for: id, HashedID(id)) { $0 }
        leftOut.insert(slot)
    }

    @usableFromInline func end(isWritten: Bool) {
        for (shard, slots, bit) in shards {
            for begin in stride(from: 0, to: slots.count, by: pieceLength) {
                let piece = slots[begin..<min(begin + pieceLength, slots.count)]
                let dropped: [AnyObject] = shard.whileLocked {
                    for slot in piece { slot.notes &= ~bit }
                    if isWritten {
                        for slot in piece { note(slot, isLeftOut: leftOut.contains(slot), in: shard) }
                        return piece.compactMap { shard.dropIfAbandoned($0) }
                    }
                    for slot in piece { shard.pointer.pointee.journal?.note(slot, .user) }
                    return []
                }
                withExtendedLifetime(dropped) {}
            }
        }
        if isCleared && !isWritten {
            table.shards[0].whileLocked { table.shards[0].pointer.pointee.journal?.noteCleared() }
        }
        shards = []
        leftOut = []
        isCleared = false
    }

    /// Pins a slot whose entity the store doesn't have, because it can't be written, until it is written.
    private func note(_ slot: Slot, isLeftOut: Bool, in shard: ShardReference) {
        guard let journal = shard.pointer.pointee.journal else { return }
        if isLeftOut && slot.isStored {
            if journal.unwritable.insert(slot).inserted { slot.pins += 1 }
        } else if journal.unwritable.remove(slot) != nil {
            slot.pins -= 1
        }
    }
}
