/// The changes and reads of a running transaction, by table.
///
/// Only the thread of the transaction uses it, except for readers of a large commit.
@usableFromInline
final class Transaction {
    /// The number of the origin of the commit.
    let origin: OriginNumber
    /// The reads and changes by table.
    @exclusivity(unchecked) private(set) var parts: [EntityTransaction] = []
    /// The ordinals of the tables of the parts.
    @exclusivity(unchecked) private var ordinals: [Int] = []
    /// The places of the parts by ordinal, while there are many.
    private var places: [Int: Int] = [:]
    /// Whether there are changes to commit.
    @exclusivity(unchecked) @usableFromInline var hasChanges = false
    /// Whether a transaction in this one stores the answer to a request.
    var hasAnswer = false
    /// Whether the transaction has removed all entities of all types, including types that are added later.
    var removesEverything = false
    /// The closures that undo the changes of running nested transactions, the newest last.
    private var undoActions: [() -> Void] = []
    @exclusivity(unchecked) var nestedTransactions = 0
    /// The keys that the transaction replaces, in order.
    ///
    /// Those without a new key aren't replaced any more. Identifiers can replace others while they are hashed or compared, so this
    /// isn't a dictionary.
    private var replacements: [(old: FlatCacheKey, new: FlatCacheKey?)] = []
    /// The mutation that the transaction confirms, or `nil` for none.
    var confirmation: Confirmation? {
        didSet { isConfirming = confirmation != nil }
    }
    @exclusivity(unchecked) @usableFromInline private(set) var isConfirming = false
    /// The delete rules that are still to be applied, while one is.
    private var pendingRules: [() -> Void]?
    /// What is to be done before the commit because delete rules have written entities.
    private var ruleWrites: [() -> Void] = []
    /// What follows the transaction, called with whether it is committed.
    private var effects: [(_ isCommitted: Bool) -> Void] = []
    /// The number of times the changes were determined for the commit.
    private var preparationCount = 0
    /// The revision of the commit, after it is made.
    private(set) var revision: UInt64 = 0

    /// Creates a transaction without reads and changes.
    @usableFromInline init(from origin: OriginNumber = .user) {
        self.origin = origin
    }

    /// The changes of a table, created if there are none.
    @inlinable func table<Value: Cachable>(_ table: Table<Value>) -> TableTransaction<Value> {
        // Ordinals of tables are unique, and the changes of a table have its type.
        known(table).map { unsafeDowncast($0, to: TableTransaction<Value>.self) } ?? join(table)
    }

    /// The changes of a table, or `nil` if there are none.
    @usableFromInline func known(_ table: EntityTable) -> EntityTransaction? {
        // Most transactions use few tables.
        let place = ordinals.count <= 8 ? ordinals.firstIndex(of: table.ordinal) : place(of: table.ordinal)
        return place.map { parts[$0] }
    }

    /// Adds the changes of a table.
    @usableFromInline func join<Value: Cachable>(_ table: Table<Value>) -> TableTransaction<Value> {
        let part = TableTransaction(of: table, in: self, isCleared: removesEverything)
        parts.append(part)
        ordinals.append(table.ordinal)
        return part
    }

    /// The changes of a table, created if there are none.
    func part(of table: EntityTable) -> EntityTransaction {
        known(table) ?? table.accept(Joining(transaction: self))
    }

    /// Adds the changes of tables.
    private struct Joining: TableVisitor {
        let transaction: Transaction

        func visit<Value>(_ table: Table<Value>) -> EntityTransaction { transaction.join(table) }
    }

    private func place(of ordinal: Int) -> Int? {
        for place in places.count..<ordinals.count { places[ordinals[place]] = place }
        return places[ordinal]
    }

    /// Removes all entities of all types.
    func removeAll(_ known: [EntityTable]) {
        if isNested {
            addUndo { [self, count = parts.count, removesEverything] in
                self.removesEverything = removesEverything
                // Types that were added since were cleared from their beginning.
                let undone = Array(parts[count...])
                parts.removeLast(undone.count)
                ordinals.removeLast(undone.count)
                places = [:]
                for part in undone { part.release() }
            }
        }
        for table in known { part(of: table).removeAll() }
        hasChanges = true
        removesEverything = true
    }

    /// Runs the body of a nested transaction, and undoes only its changes if it throws.
    @_semantics("optimize.sil.specialize.generic.never")
    func nest<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let begin = undoActions.count
        nestedTransactions += 1
        defer {
            nestedTransactions -= 1
            if nestedTransactions == 0 {
                // The actions are released after they are removed, because their release can run user code.
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

    /// Whether undo actions must be added before changes are made.
    var isNested: Bool { nestedTransactions > 0 }

    /// Adds an action that undoes the next change.
    func addUndo(_ action: @escaping () -> Void) { undoActions.append(action) }

    /// The keys that the transaction replaces, each with the new one, or with `nil` if its own replacement ends.
    @usableFromInline var replacedKeys: [FlatCacheKey: FlatCacheKey?] {
        var keys: [FlatCacheKey: FlatCacheKey?] = [:]
        for (old, new) in replacements {
            if let new { keys[new] = .some(nil) }
            keys[old] = .some(new)
        }
        return keys
    }

    /// Notes that a key is replaced, or with `nil` that it isn't any more.
    func noteReplacement(of old: FlatCacheKey, by new: FlatCacheKey?) {
        if isNested {
            addUndo { [self] in replacements.removeLast() }
        }
        replacements.append((old, new))
    }

    /// Adds something that follows the transaction.
    ///
    /// - Parameter effect: A closure that is called once with whether the transaction is committed. If a nested transaction
    ///   throws, it counts as not committed.
    func addEffect(_ effect: @escaping (_ isCommitted: Bool) -> Void) {
        if isNested {
            addUndo { [self] in effects.removeLast()(false) }
        }
        effects.append(effect)
    }

    /// Calls what follows the transaction.
    func runEffects(isCommitted: Bool) {
        let ended = effects
        effects = []
        for effect in ended { effect(isCommitted) }
    }

    /// Applies delete rules to a removed entity, and then those to the entities that the rules remove.
    ///
    /// A loop takes the place of recursion, because the entities can be a long chain.
    func apply(_ rules: @escaping () -> Void) {
        guard pendingRules == nil else {
            pendingRules?.append(rules)
            return
        }
        var next = [rules]
        while !next.isEmpty {
            pendingRules = []
            for apply in next { apply() }
            next = pendingRules.take() ?? []
        }
    }

    /// Adds something that is done before the commit because a delete rule has written an entity.
    func addRuleWrite(_ check: @escaping () -> Void) { ruleWrites.append(check) }

    /// Makes the changes in one commit, if all entities that were read are unchanged.
    ///
    /// - Returns: Whether the commit was made. If not, the transaction must run again.
    @discardableResult
    @usableFromInline func commit(to cache: FlatCache) -> Bool {
        SyncPoint.reach(.ended)
        guard hasChanges else { return true }
        for check in ruleWrites { check() }
        cache.history.followClock()
        let isLarge =
            removesEverything || parts.contains { $0.isCleared } || parts.reduce(0) { $0 + $1.count } > smallCommit
        let made =
            isLarge
            ? cache.commitInPieces(from: origin) { merged(for: cache) }
            : cache.commit(from: origin) { merged(for: cache) }
        revision = made ?? 0
        return made != nil
    }

    /// Determines the entities and the changes of indexes that depend on the stored entities.
    ///
    /// - Returns: All parts.
    private func merged(for cache: FlatCache) -> [EntityTransaction] {
        if removesEverything {
            for table in cache.registry.all { _ = part(of: table) }
        }
        preparationCount += 1
        Reservation.recordingOwnWrites {
            let changed = parts
            for part in changed { part.undoLayering() }
            for part in changed { part.merge() }
            for part in changed { part.applyLayering() }
            for part in changed { part.updateIndexes() }
            for part in parts { part.prepareRelease() }
        }
        return parts
    }

    /// Whether a slot has changed since a revision only because the comparisons of the indexes write it each time they
    /// are made, which they must not.
    ///
    /// The changes of the indexes are determined several times, because a comparison may write another type. Its shard must
    /// be locked.
    func overlooksOwnWrites(of slot: Slot, since revision: UInt64) -> Bool {
        preparationCount > 16 && Reservation.ownWrites?.explain(slot, since: revision) == true
    }

    /// Reserves the slots that were read.
    func reserve(in reservation: Reservation) {
        for part in parts { part.reserve(in: reservation) }
    }

    /// Unpins the slots of a transaction that isn't committed.
    @usableFromInline func release() {
        for part in parts { part.release() }
        if !effects.isEmpty { runEffects(isCommitted: false) }
    }
}
