internal import Synchronization

extension FlatCache {
    /// What ``collect(keeping:)`` has evicted.
    public struct CollectionResult: Hashable, Sendable {
        /// The numbers of evicted entities by the qualified names of their types, without types of which none was evicted.
        public internal(set) var counts: [String: Int] = [:]

        /// The number of bytes that the entities took, without what they refer to, such as the storage of their strings and
        /// arrays.
        public internal(set) var bytes = 0

        /// The number of evicted entities.
        public var count: Int { counts.values.reduce(0, +) }
    }

    /// Evicts all entities that nothing leads to.
    ///
    ///     cache.collect(keeping: [currentUser.flatCacheKey])
    ///
    /// What remains: the entities of lists and references, those with a handle, an observer of their key, or a running update,
    /// transaction or fetch, the answers of observed queries with a limit, and the given ones; and what all these refer to over
    /// any number of relationships. It follows ``RelationshipOwner/allRelationships``, which the build plugin generates.
    /// Entities that were stored, changed or read after the call has begun, those that a store hasn't written yet, and those that
    /// are stored again under a replaced identifier remain, too.
    ///
    /// An entity that was stored a moment before and isn't in a list yet is evicted. So call it when no such work is
    /// going on, for example when the app goes into the background.
    ///
    /// It is an eviction, not a deletion: the changes are ``ChangeKind/evicted``, no delete rule runs, a store keeps the
    /// entities, and a fetch brings them back. Each commit evicts some hundred entities. In a ``transaction(_:)`` it does nothing.
    ///
    /// This is the tracing collection of McCarthy, with the lists, references and handles as its roots.
    ///
    /// - Parameter keys: The keys of more entities to keep.
    /// - Returns: What was evicted.
    /// - Complexity: O(*n*) on average for *n* entities and identifiers in them.
    @discardableResult
    public func collect(keeping keys: some Sequence<FlatCacheKey> = []) -> CollectionResult {
        if history.transactionOfThread != nil { return CollectionResult() }
        let start = history.lastRevision
        let tables = registry.all.filter { !$0.isInternal }
        // What is read from now on remains, because something may lead to it that isn't found.
        for table in tables { table.forgetUses() }
        let reached = ReachedEntities(in: self)
        defer { reached.end() }
        reached.add(keys)
        for table in tables { table.accept(RootAddition(reached: reached, keeps: nil, isHeld: true)) }
        while reached.follow() {}
        var collected = CollectionResult()
        for table in tables {
            let count = table.accept(Collection(cache: self, start: start))
            if count == 0 { continue }
            collected.counts[String(reflecting: table.entityType)] = count
            collected.bytes += count * table.layout.stride
        }
        return collected
    }
}

/// The eviction of all entities of a type that aren't pinned.
private struct Collection: TableVisitor {
    let cache: FlatCache
    /// The revision of the newest commit whose entities are evicted.
    let start: UInt64

    func visit<Value>(_ table: Table<Value>) -> Int {
        var evicted = 0
        let snapshot = cache.history.object.open()
        // The snapshot must not keep the evicted entities.
        var candidates: [Slot] = []
        table.walk(at: snapshot) { slot in
            guard slot.revision <= start, slot.isEvictable(pins: 0) else { return nil as Slot? }
            slot.pins += 1
            return slot
        } _: {
            candidates += $0
        }
        cache.history.object.close(snapshot)
        for begin in stride(from: 0, to: candidates.count, by: pieceLength) {
            let piece = candidates[begin..<min(begin + pieceLength, candidates.count)]
            let transaction = Transaction(from: .eviction)
            let changes = transaction.table(table)
            changes.entries.makeRoom(for: piece.count)
            for slot in piece {
                table.withSlot(slot) {
                    if slot.revision <= start, slot.isEvictable(pins: 1) { changes.evict(slot) }
                }
            }
            _ = changes.prepareEvictions(in: cache)
            table.noteEviction()
            transaction.commit(to: cache)
            transaction.release()
            for slot in piece {
                table.withSlot(unpinning: slot) {
                    if slot.isEvicted && slot.revision == transaction.revision { evicted += 1 }
                }
            }
        }
        return evicted
    }
}

extension EntityTable {
    /// Removes the marks of entities that were read.
    fileprivate func forgetUses() {
        let round = lastRound.load(ordering: .relaxed)
        // A mark that is left out keeps its entity.
        visitSlots { slot in
            if slot.usage == .used { slot.usage = .passed(in: round) }
        }
    }
}

extension FlatCache.CollectionResult: CustomStringConvertible, CustomReflectable {
    /// A line with the counts: `FlatCache.CollectionResult: 12 entities of 2 types, 3,400 bytes`.
    ///
    /// - Complexity: O(*n*) for *n* types.
    public var description: String {
        let types = Summary.some(counts.count, "type").map { " of \($0)" } ?? ""
        return Summary.line(
            "FlatCache.CollectionResult",
            nil,
            [Summary.entities(count) + types, Summary.count(bytes, "byte")]
        )
    }

    /// The counts by type, and the bytes.
    public var customMirror: Mirror { Mirror(self, children: ["counts": counts, "bytes": bytes]) }
}
