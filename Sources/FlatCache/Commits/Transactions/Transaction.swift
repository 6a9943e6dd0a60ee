/// The changes of a transaction that is running, and what it has read, for one table after another.
///
/// Only the thread of the transaction uses it, but for readers who look into a large commit.
@usableFromInline
final class Transaction {
    /// What the transaction has read or changed, by table.
    @exclusivity(unchecked) @usableFromInline private(set) var parts: [any ErasedTableTransaction] = []
    /// The ordinals of the tables of the parts.
    @exclusivity(unchecked) @usableFromInline private(set) var ordinals: [Int] = []
    /// The places of the parts by ordinal, while there are many.
    private var places: [Int: Int] = [:]
    /// Whether there is anything to commit.
    @exclusivity(unchecked) @usableFromInline var hasChanges = false
    /// Whether the transaction has removed all entities of all types, also of those that it doesn't know.
    @usableFromInline var removesEverything = false
    /// How to undo what the nested transactions that are running have changed; the newest change is the last.
    private var undoActions: [() -> Void] = []
    @exclusivity(unchecked) @usableFromInline var nestedTransactions = 0
    /// The number of the commit, once it is made.
    private(set) var revision: UInt64 = 0

    @usableFromInline init() {}

    /// The changes of a table, made if there are none.
    @inlinable func table<Value: Cachable>(_ table: Table<Value>) -> TableTransaction<Value> {
        // Most transactions use few tables.
        let place = ordinals.count <= 8 ? ordinals.firstIndex(of: table.ordinal) : place(of: table.ordinal)
        guard let place else { return join(table) }
        // A table has its ordinal alone, and a transaction is made for its table.
        return unsafeDowncast(parts[place], to: TableTransaction<Value>.self)
    }

    @usableFromInline func place(of ordinal: Int) -> Int? {
        for place in places.count..<ordinals.count { places[ordinals[place]] = place }
        return places[ordinal]
    }

    /// Makes room for the changes of a table.
    @inlinable func join<Value: Cachable>(_ table: Table<Value>) -> TableTransaction<Value> {
        let transaction = TableTransaction(of: table, in: self, isCleared: removesEverything)
        add(transaction, table.ordinal)
        return transaction
    }

    @usableFromInline func add(_ part: any ErasedTableTransaction, _ ordinal: Int) {
        parts.append(part)
        ordinals.append(ordinal)
    }

    /// Removes all entities of all types.
    func removeAll(_ known: [any ErasedTable]) {
        if isNested {
            addUndo { [self, count = parts.count, removesEverything] in
                self.removesEverything = removesEverything
                // Types that came in since were cleared from their beginning.
                let undone = Array(parts[count...])
                parts.removeLast(undone.count)
                ordinals.removeLast(undone.count)
                places = [:]
                for part in undone { part.release() }
            }
        }
        for table in known { table.accept(Removal(transaction: self)) }
        hasChanges = true
        removesEverything = true
    }

    /// Runs the body of a nested transaction; a throw undoes what it has changed, and nothing else.
    @usableFromInline func nest<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
    {
        let begin = undoActions.count
        nestedTransactions += 1
        defer {
            nestedTransactions -= 1
            if nestedTransactions == 0 {
                // What the actions hold goes when they are out of the way: its release can run user code.
                let done = undoActions
                undoActions = []
                withExtendedLifetime(done) {}
            }
        }
        do throws(Failure) { return try body() } catch {
            while undoActions.count > begin { undoActions.removeLast()() }
            throw error
        }
    }

    /// Whether changes may have to be undone, so that how to do that must be noted before they are made.
    @inlinable var isNested: Bool { nestedTransactions > 0 }

    /// Notes how to undo a change that is made next.
    func addUndo(_ action: @escaping () -> Void) { undoActions.append(action) }

    /// Makes the changes in one commit, if nothing that was read has changed since.
    ///
    /// - Returns: Whether the commit was made; otherwise the transaction must run again.
    @discardableResult
    @usableFromInline func commit(to cache: FlatCache) -> Bool {
        SyncPoint.reach(.ended)
        guard hasChanges else { return true }
        cache.history.followClock()
        let isLarge =
            removesEverything || parts.contains { $0.isCleared } || parts.reduce(0) { $0 + $1.count } > smallCommit
        let made = isLarge ? cache.commitInPieces { partsWithNewTypes(of: cache) } : cache.commit(parts)
        revision = made ?? 0
        return made != nil
    }

    private func partsWithNewTypes(of cache: FlatCache) -> [any ErasedTableTransaction] {
        if removesEverything {
            for table in cache.registry.all { table.accept(Joining(transaction: self)) }
        }
        return parts
    }

    /// Reserves what was read.
    @usableFromInline func reserve(in reservation: Reservation) {
        for part in parts { part.reserve(in: reservation) }
    }

    /// Gives back the slots of a transaction that is not committed.
    @usableFromInline func release() {
        for part in parts { part.release() }
    }
}

/// The transaction of a table whose entity type is not known to the caller.
@usableFromInline
protocol ErasedTableTransaction: CommitPart {
    /// Reserves what was read.
    func reserve(in reservation: Reservation)

    /// Gives back the slots, without a commit; without effect after one.
    func release()
}
