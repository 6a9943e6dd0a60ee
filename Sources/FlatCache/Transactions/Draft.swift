/// The changes of a transaction that is running, and what it has read, for one table after another.
///
/// Only the thread of the transaction uses it.
@usableFromInline
final class Draft {
    /// The changes of each table, at the table's ordinal.
    @exclusivity(unchecked) @usableFromInline var tables: [ErasedTableDraft?] = []
    /// Whether there is anything to commit.
    @exclusivity(unchecked) @usableFromInline var hasChanges = false
    /// Whether the transaction has removed all entities of all types, also of those that it doesn't know.
    @usableFromInline var removesEverything = false
    /// How to undo what the nested transactions that are running have changed; the newest change is the last.
    private var undoActions: [() -> Void] = []
    @exclusivity(unchecked) @usableFromInline var nestedTransactions = 0
    /// The number of the commit, once it is made.
    private(set) var revision: UInt64 = 0

    init() {}

    /// The changes of a table, made if there are none.
    @inlinable func table<Value: Cachable>(_ table: Table<Value>) -> TableDraft<Value> {
        if table.ordinal < tables.count, let draft = tables[table.ordinal] {
            // A table has its ordinal alone, and a draft is made for its table.
            return unsafeDowncast(draft.object, to: TableDraft<Value>.self)
        }
        return join(table)
    }

    /// Makes room for the changes of a table.
    @inlinable func join<Value: Cachable>(_ table: Table<Value>) -> TableDraft<Value> {
        while tables.count <= table.ordinal { tables.append(nil) }
        let draft = TableDraft(of: table, in: self, isCleared: removesEverything)
        tables[table.ordinal] = ErasedTableDraft(draft)
        return draft
    }

    /// Removes all entities of all types.
    func removeAll(_ known: [any ErasedTable]) {
        if isNested {
            addUndo { [tables, removesEverything] in
                // Types that came in since were cleared from their beginning.
                let undone = self.tables
                self.tables = tables
                self.removesEverything = removesEverything
                withExtendedLifetime(undone) {}
            }
        }
        for table in known { table.removeAll(in: self) }
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

    /// Makes the changes in one commit, if nothing that the transaction has read was changed since its snapshot.
    ///
    /// - Returns: Whether the commit was made; otherwise the transaction must run again.
    func commit(to cache: FlatCache, after snapshot: Snapshot) -> Bool {
        RacePoint.reach(.ended)
        guard hasChanges else {
            // What only reads is as if it had run when its snapshot was opened.
            cache.history.object.close(snapshot)
            return true
        }
        cache.history.followClock()
        let (drafts, locks) = lock(cache.registry)
        // Closed in any case: the commit need not keep anything for the transaction that makes it.
        let isCurrent = drafts.allSatisfy { $0.isCurrent(snapshot) }
        cache.history.object.close(snapshot)
        guard isCurrent else {
            locks.unlock()
            return false
        }
        var commit = Commit(of: cache)
        revision = commit.revision
        let replaced = drafts.flatMap { $0.store(&commit) }
        commit.finish { locks.unlock() }
        withExtendedLifetime(replaced) {}
        return true
    }

    /// Locks everything that the transaction has read or changes.
    private func lock(_ registry: borrowing TypeRegistry) -> ([ErasedTableDraft], LockSet) {
        while true {
            let all = removesEverything ? registry.all : []
            for table in all { table.join(self) }
            let drafts = tables.compactMap { $0 }
            var locks = LockSet()
            for draft in drafts { draft.insertLocks(&locks) }
            RacePoint.reach(.listed)
            locks.lock()
            // A type that came in before everything was locked belongs to everything, too.
            if !removesEverything || registry.all.count == all.count { return (drafts, locks) }
            locks.unlock()
        }
    }
}
