/// The observer that keeps the answer of a query current.
///
/// Commits put the changes of the type into its mailbox, while they hold locks. The thread with the turn takes all of them
/// at a moment when no commit of the type is in progress, so that the answer is the one of a single revision. It asks the
/// conditions of changed entities, and changes the matches. So a commit costs what it changes and what the answer is
/// changed by, independent of the number of stored entities.
final class LiveQuery<Value: Cachable>: MultiKeyObserver, @unchecked Sendable {
    // The thread with the turn uses `matches` and `hasAnswer`. The lock guards `reads`. The other variables are
    // set before other threads can access the observer.
    private let mailbox: Mailbox<News>
    private let receiver: Receiver
    private let cache: WeakReference<FlatCache>
    private unowned let table: Table<Value>
    /// The entities with the key of a condition that an index answers, or `nil` if all entities are observed.
    private let members: IndexMembers<Value>?
    private let query: FlatCache.Query<Value>
    private var matches: QueryMatches
    /// Whether there was an answer.
    private var hasAnswer = false
    private let lock = Lock()
    /// The reads of the conditions and sort keys of entities, as far as they have read other entities.
    private var reads: [SlotIdentity: MatchReads<Value>] = [:]
    private var isFinished = false

    enum Receiver {
        /// A closure that returns the call to make for each answer, and one that is called when the cache is deallocated.
        case callback(@Sendable (QueryResult<Value>) -> (@Sendable () -> Void)?, onEnd: @Sendable () -> Void = {})
        /// A stream that is signalled when there may be a new answer.
        case signal(AsyncStream<Void>.Continuation)
    }

    /// What may change the answer.
    private struct News: Sendable {
        /// Whether all entities must be asked.
        var isWhole: Bool
        var changes: GatheredChanges
        /// The entities to be asked again, because a condition has read something that has changed.
        var asked: Set<SlotIdentity>
        /// The origins of the commits whose changes aren't among the changes.
        private var otherOrigins: CommitOrigins

        init(
            isWhole: Bool = false,
            changes: GatheredChanges = GatheredChanges(),
            asked: Set<SlotIdentity> = [],
            origins: CommitOrigins = CommitOrigins()
        ) {
            self.isWhole = isWhole
            self.changes = changes
            self.asked = asked
            otherOrigins = origins
        }

        /// The origins of all commits.
        var commitOrigins: CommitOrigins { otherOrigins.union(changes.commitOrigins) }

        /// Folds later news into this.
        ///
        /// - Returns: The changes that are no longer part of the news, to be released when no lock is held.
        mutating func fold(_ later: News) -> [any SlotChange] {
            asked.formUnion(later.asked)
            // So many changes would take more memory than asking all entities is worth.
            let (count, laterCount) = (changes.count, later.changes.count)
            if isWhole || later.isWhole || count > 0 && laterCount > 0 && count + laterCount > smallCommit {
                let origins = commitOrigins.union(later.commitOrigins)
                defer { self = News(isWhole: true, origins: origins) }
                return changes.all + later.changes.all
            }
            otherOrigins.formUnion(later.otherOrigins)
            return changes.fold(later.changes)
        }
    }

    /// Creates an observer of a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - cache: The cache.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - receiver: The receiver of the results.
    init(of query: FlatCache.Query<Value>, in cache: FlatCache, onMainActor: Bool = false, _ receiver: Receiver) {
        self.cache = cache.reference
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        self.table = table
        self.query = query
        members =
            query.conditions.lazy.compactMap(\.key)
            .compactMap { cache.indexMembers(with: $0, of: table) }.first
        matches = QueryMatches(in: query.order)
        self.receiver = receiver
        mailbox = Mailbox(News(isWhole: true), isTaken: true, onMainActor: onMainActor) { $0.fold($1) }
    }

    var calls: ObserverCalls { mailbox.calls }

    /// Begins to observe, and calls the receiver with the first answer.
    ///
    /// - Returns: The entry of the observer.
    func begin(in cache: FlatCache) -> CacheSubscription {
        let registration = members?.begin(self) ?? table.register(self)
        if case .callback = receiver {
            Delivery.begin(self, in: cache) { mailbox.deliverOneMore { call($0) } }
        }
        return CacheSubscription(self, [registration])
    }

    func post(_ changes: GatheredChanges) -> (any Sendable)? { mailbox.post(News(changes: changes)) }

    /// Asks an entity again, because something that its condition has read is changed.
    ///
    /// - Parameters:
    ///   - slot: The slot of the entity.
    ///   - origins: The origins of the commits that have changed it.
    func ask(_ slot: SlotIdentity, _ origins: CommitOrigins) -> (any Sendable)? {
        mailbox.post(News(asked: [slot], origins: origins))
    }

    func deliver() -> Bool {
        if case .signal(let continuation) = receiver {
            continuation.yield()
            return false
        }
        return mailbox.deliver { call($0) }
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    private func call(_ news: News) {
        guard case .callback(let callback, _) = receiver else { return }
        calls.run {
            if let result = next(news), let deliver = callback(result), !calls.areEnded { deliver() }
        }
    }

    /// The new answer for a receiver that polls, or `nil` if there is none.
    func takeResult() -> QueryResult<Value>? {
        while let news = mailbox.take() {
            if let result = next(news) { return result }
        }
        return nil
    }

    func finish() {
        mailbox.close()
        let reads = lock.withLock {
            isFinished = true
            defer { self.reads = [:] }
            return self.reads
        }
        for reads in reads.values { reads.finish() }
        members?.finish()
        switch receiver {
        case .callback(_, let onEnd): onEnd()
        case .signal(let continuation): continuation.finish()
        }
    }

    /// Whether the answer has all commits that were made before.
    var isCurrent: Bool { mailbox.isIdle }
}

extension LiveQuery {
    /// Brings the answer up to the current state.
    ///
    /// - Parameter news: The changes that the mailbox had.
    /// - Returns: The answer, or `nil` if its matches aren't changed or the cache is deallocated. The difference is empty if
    ///   the entities are equal.
    private func next(_ news: News) -> QueryResult<Value>? {
        guard let cache = cache.object, mayChangeAnswer(news, in: cache) else { return nil }
        var news = news
        let history = cache.history.object
        // No commit of the type is in progress meanwhile, so the mailbox has exactly the changes up to the snapshot.
        let (later, snapshot) = table.withAllShards { (mailbox.take(), history.openSnapshot()) }
        defer { history.close(snapshot) }
        if let later { withExtendedLifetime(news.fold(later)) {} }
        let isInitial = !hasAnswer
        hasAnswer = true
        let difference = cache.asCurrent {
            ReadContext.run(on: snapshot) {
                matches.make(news.isWhole ? allChanges(in: snapshot) : changes(news, in: snapshot))
            }
        }
        if difference.positions.isEmpty && difference.positions.kept.isEmpty && !isInitial { return nil }
        let shown = isInitial ? QuerySteps(from: difference.new, to: difference.new, PositionSteps()) : difference
        return QueryResult(
            values: QueryValues(difference.new),
            difference: QueryDifference(shown),
            revision: snapshot.revision,
            isInitial: isInitial,
            commitOrigins: news.commitOrigins
        )
    }

    /// Whether some news can change the answer, which is known without the state of the cache for most changes.
    ///
    /// A change of an entity that doesn't meet the conditions before and after is no part of any later news.
    private func mayChangeAnswer(_ news: News, in cache: FlatCache) -> Bool {
        if query.mayRead || news.isWhole { return true }
        return news.changes.all.contains { change in
            members?.isChange(change) == true || matches[query.code.facts(change).slot] != nil
                || query.match(change) != nil
        }
    }

    /// The changes of the matches, after asking all entities.
    private func allChanges(in snapshot: Snapshot) -> [QueryMatches.Change] {
        var found: [AnyQueryMatch] = []
        var unread = lock.withLock { reads }
        let ask = { (piece: [StoredEntity<Value>]) in
            for entity in piece {
                unread[entity.slot] = nil
                if let match = self.match(entity, in: snapshot) { found.append(match) }
            }
        }
        if let members { ask(members.all(in: snapshot)) } else { snapshot.forEachPiece(in: table, ask) }
        for slot in unread.keys { endReads(of: slot) }
        return joined(matches.changes(to: found, areEqual: areEqual))
    }

    /// The changes of the matches because of changed entities, and of entities that must be asked again.
    private func changes(_ news: News, in snapshot: Snapshot) -> [QueryMatches.Change] {
        var changes: [QueryMatches.Change] = []
        var asked = news.asked
        var updated: Set<SlotIdentity> = []
        if let members, news.changes.all.contains(where: members.isChange) {
            let (entered, left) = members.update(to: snapshot)
            for slot in left {
                updated.insert(slot)
                endReads(of: slot)
                if let change = netChange(from: matches[slot], to: nil, isSameEntity: false) { changes.append(change) }
            }
            for entity in entered {
                updated.insert(entity.slot)
                let new = match(entity, in: snapshot)
                let old = matches[entity.slot]
                if let change = netChange(from: old, to: new, isSameEntity: areEqual(old, new)) {
                    changes.append(change)
                }
            }
        }
        for change in news.changes.all where members?.isChange(change) != true {
            let facts = query.code.facts(change)
            // The change of an entity that doesn't have the key any more can be older than that.
            if updated.contains(facts.slot) || members?.contains(facts.slot) == false { continue }
            let isAsked = asked.remove(facts.slot) != nil
            if facts.isSameEntity && facts.isSamePlace && !isAsked { continue }
            var new: AnyQueryMatch?
            if facts.isStored {
                new = query.mayRead ? match(StoredEntity(change), in: snapshot) : query.match(change)
            } else {
                endReads(of: facts.slot)
            }
            let old = matches[facts.slot]
            if let change = netChange(from: old, to: new, isSameEntity: facts.isSameEntity) { changes.append(change) }
        }
        asked.subtract(updated)
        for slot in asked {
            guard let reads = lock.withLock({ reads[slot] }), let entity = reads.entity else { continue }
            let new = match(entity, in: snapshot)
            if let change = netChange(from: matches[slot], to: new, isSameEntity: true) { changes.append(change) }
        }
        return joined(changes)
    }

    /// Joins the removal and the insertion of an entity that was removed and stored again, and so has another slot.
    private func joined(_ changes: [QueryMatches.Change]) -> [QueryMatches.Change] {
        guard changes.contains(where: { $0.new == nil }), changes.contains(where: { $0.old == nil }) else {
            return changes
        }
        var joined: [QueryMatches.Change] = []
        var removed = KeyedValues<Value.ID, AnyQueryMatch>()
        for change in changes where change.new == nil {
            if let old = change.old { removed[old.value(as: Value.self).id] = old }
        }
        for change in changes {
            guard let new = change.new else { continue }
            let old = change.old ?? removed.removeValue(forKey: new.value(as: Value.self).id)
            let isSameEntity = change.isSameEntity || change.old == nil && areEqual(old, new)
            if let change = netChange(from: old, to: new, isSameEntity: isSameEntity, isSameSlot: change.old != nil) {
                joined.append(change)
            }
        }
        return joined + removed.values.compactMap { QueryMatches.Change(from: $0, to: nil) }
    }

    /// Whether the entities of two matches are equal, as far as they can be compared.
    private func areEqual(_ first: AnyQueryMatch?, _ second: AnyQueryMatch?) -> Bool {
        guard let first, let second, let equality = table.equality else { return false }
        return withUnsafePointer(to: first.value(as: Value.self)) { first in
            withUnsafePointer(to: second.value(as: Value.self)) { second in
                equality.areEqual(UnsafeRawPointer(first), UnsafeRawPointer(second))
            }
        }
    }

    /// The change of a match, or `nil` if the entity and its place are the same.
    private func netChange(
        from old: AnyQueryMatch?,
        to new: AnyQueryMatch?,
        isSameEntity: Bool,
        isSameSlot: Bool = true
    ) -> QueryMatches.Change? {
        // The match of another slot replaces the old one, even if nothing else is different.
        if isSameEntity, isSameSlot, let old, let new, query.order.areInterchangeable(old, new) { return nil }
        return QueryMatches.Change(from: old, to: new, isSameEntity: isSameEntity)
    }

    /// Asks an entity, and records what its conditions and sort keys read.
    ///
    /// - Returns: The match, or `nil` if it doesn't meet the conditions.
    private func match(_ entity: StoredEntity<Value>?, in snapshot: Snapshot) -> AnyQueryMatch? {
        guard let entity else { return nil }
        guard query.mayRead else { return query.match(entity) }
        let reads = lock.withLock { self.reads[entity.slot] } ?? MatchReads(of: self, entity.slot)
        let (match, isOutdated) = reads.record(entity, on: snapshot) { query.match(entity) }
        if isOutdated { withExtendedLifetime(ask(entity.slot, CommitOrigins(.unknown))) {} }
        guard reads.isReading else {
            endReads(of: entity.slot)
            return match
        }
        let isKept = lock.withLock {
            if !isFinished { self.reads[entity.slot] = reads }
            return !isFinished
        }
        if !isKept { reads.finish() }
        return match
    }

    private func endReads(of slot: SlotIdentity) {
        let ended = lock.withLock { reads.removeValue(forKey: slot) }
        ended?.finish()
    }
}

/// What the conditions and sort keys of one entity have read.
private final class MatchReads<Value: Cachable>: MultiKeyObserver, @unchecked Sendable {
    // `entity` is used by the thread with the turn of the query. `dependencies` is set once.
    private let query: LiveQuery<Value>
    private let slot: SlotIdentity
    private var dependencies: Dependencies?
    private(set) var entity: StoredEntity<Value>?

    init(of query: LiveQuery<Value>, _ slot: SlotIdentity) {
        self.query = query
        self.slot = slot
        dependencies = Dependencies(of: self)
    }

    var isReading: Bool { dependencies?.isEmpty == false }

    /// Runs a body that reads a snapshot, and observes its reads.
    ///
    /// - Returns: The body's result, and whether it is already out of date.
    func record<Result>(
        _ entity: StoredEntity<Value>,
        on snapshot: Snapshot,
        _ body: () -> Result
    ) -> (Result, isOutdated: Bool) {
        self.entity = entity
        guard let dependencies else { return (body(), false) }
        return dependencies.record(on: snapshot, body)
    }

    var calls: ObserverCalls { query.calls }

    func post(_ changes: GatheredChanges) -> (any Sendable)? { query.ask(slot, changes.commitOrigins) }

    func deliver() -> Bool { query.deliver() }

    func mustSchedule() -> Bool { query.mustSchedule() }

    func beginScheduled() { query.beginScheduled() }

    func finish() { dependencies?.finish() }
}

extension StoredEntity {
    /// The new entity of a change, or `nil` if there is none.
    fileprivate init?(_ change: any SlotChange) {
        let pending = unsafeDowncast(change, to: PendingChange<Value>.self)
        guard let value = pending.change.value else { return nil }
        self.init(value: value, slot: pending.slotIdentity, revision: pending.revision, ordinal: pending.ordinals.new)
    }
}
