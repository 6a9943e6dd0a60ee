/// The observer that keeps the answer of a query current.
///
/// It asks the conditions of changed entities, changes the matches, and puts the difference into the mailboxes of the
/// observers.
final class LiveQuery<Value: Cachable>: LiveAnswer<Value, QueryMatches, QueryUpdate>, @unchecked Sendable {
    // The lock guards `reads`, `readTables`, `readings` and `limitedAnswer`. The constants are set before other threads can access
    // the observer.
    private let query: FlatCache.Query<Value>
    private let observers: QueryObservers
    private let isPolled: Bool
    private let comparison: MatchComparison<Value>
    /// Whether its conditions or sort keys can read a cache.
    private let mayRead: Bool
    /// The reads of the conditions and sort keys of entities, as far as they have read other entities.
    @exclusivity(unchecked) private var reads: [SlotIdentity: MatchReads<Value>] = [:]
    /// The tables of other types that conditions and sort keys have read.
    @exclusivity(unchecked) private var readTables: [EntityTable] = []
    /// The readings of other queries by conditions and sort keys, each with the number of entities that depend on it.
    @exclusivity(unchecked) private var readings: [ObjectIdentifier: (reading: any ReadingOfQuery, count: Int)] = [:]

    /// The answer of a query with a limit, whose entities aren't evicted.
    @exclusivity(unchecked) private var limitedAnswer: QueryWindow?

    /// Creates an observer of a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - cache: The cache.
    ///   - observers: The observers of the answer.
    ///   - calls: The threads on which the answer is computed.
    init(of query: FlatCache.Query<Value>, in cache: FlatCache, _ observers: QueryObservers, _ calls: QueryCalls) {
        self.query = query
        self.observers = observers
        isPolled = calls == .onPoll
        mayRead = query.mayRead
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        // An index can answer a condition.
        let members = query.conditions.lazy.compactMap { $0.keys }
            .compactMap { cache.indexMembers(with: $0, of: table) }.first
        comparison = MatchComparison(order: query.order, equality: table.equality)
        let receiver = Receiver.callback(
            { [reference = cache.reference] update in
                let called = observers.post(update)
                guard let cache = reference.object else { return nil }
                return {
                    // They are called after this call.
                    for observer in called { Delivery.run(ShortList(observer), in: cache) }
                }
            },
            onEnd: { observers.finish() }
        )
        super.init(
            in: cache,
            table,
            members,
            QueryMatches(in: query.order),
            onMainActor: calls == .onMainActor,
            receiver
        )
    }

    override func deliver() -> Bool {
        if !isPolled { return super.deliver() }
        for observer in observers.all { _ = observer.deliver() }
        return false
    }

    /// Asks an entity again, because something that its condition has read is changed.
    ///
    /// - Parameters:
    ///   - slot: The slot of the entity.
    ///   - origins: The origins of the commits that have changed it.
    func ask(_ slot: SlotIdentity, _ origins: CommitOrigins) -> (any Sendable)? {
        post(AnswerNews(asked: [slot], origins: origins))
    }

    override var tables: [EntityTable] { mayRead ? [table] + lock.withLock { readTables } : [table] }

    /// Records that conditions or sort keys have read a table.
    func noteRead(of table: EntityTable) {
        if table === self.table { return }
        lock.withLock {
            if !readTables.contains(where: { $0 === table }) { readTables.append(table) }
        }
    }

    /// Records that the conditions or sort keys of an entity have read another query.
    func noteRead(of reading: any ReadingOfQuery) {
        lock.withLock { readings[ObjectIdentifier(reading), default: (reading, 0)].count += 1 }
    }

    /// Records that they don't read it any more.
    func endRead(of reading: any ReadingOfQuery) {
        let id = ObjectIdentifier(reading)
        lock.withLock {
            readings[id]?.count -= 1
            // The caller keeps the reading.
            if readings[id]?.count == 0 { readings[id] = nil }
        }
    }

    override var readQueries: ReadQueries {
        var queries = ReadQueries()
        if mayRead { collect(into: &queries) }
        return queries
    }

    /// Adds the queries whose answers the answer depends on.
    func collect(into queries: inout ReadQueries) {
        let readings = lock.withLock { self.readings.values.map(\.reading) }
        if readings.isEmpty { return }
        queries.visit(ObjectIdentifier(self)) { queries in
            for reading in readings { reading.collect(into: &queries) }
        }
    }

    override func finish() {
        super.finish()
        let (reads, answer) = lock.withLock {
            defer { (self.reads, readTables) = ([:], []) }
            return (self.reads, limitedAnswer.take())
        }
        withExtendedLifetime(answer) {}
        for reads in reads.values { reads.finish() }
    }

    override func answer(
        _ news: AnswerNews,
        in snapshot: Snapshot,
        _ matches: inout QueryMatches,
        isInitial: Bool,
        _ cache: FlatCache
    ) -> QueryUpdate? {
        let (made, steps): ([MatchChange], QuerySteps) = cache.asCurrent {
            ReadContext.run(on: snapshot) {
                func ask() -> [MatchChange] {
                    news.isWhole
                        ? allChanges(of: matches, in: snapshot, cache) : changes(news, of: matches, in: snapshot)
                }
                let made = mayRead ? RunningQuery.run(query, of: cache.history.object, ask) : ask()
                return (made, matches.make(made))
            }
        }
        keep(QueryWindow(of: matches.ordered, in: query.order), cache)
        // The entities may be equal.
        if made.isEmpty && !isInitial && !news.isAwaited { return nil }
        return QueryUpdate(steps, made, revision: snapshot.revision, commitOrigins: news.commitOrigins)
    }

    private func keep(_ answer: QueryWindow, _ cache: FlatCache) {
        if query.order.longest == nil { return }
        let old = lock.withLock {
            let old = limitedAnswer
            if !isFinished { limitedAnswer = answer }
            return old
        }
        withExtendedLifetime(old) {}
        cache.noteProtection(of: Value.self) { _ in QueryValues<Value>(answer).ids }
    }

    /// The identifiers of the answer, if the query has a limit.
    var limitedIDs: [Value.ID] { lock.withLock { limitedAnswer }.map { QueryValues<Value>($0).ids } ?? [] }

    /// A change of an entity that doesn't meet the conditions before and after is no part of any later news.
    override func mayChangeAnswer(_ news: AnswerNews, _ matches: QueryMatches) -> Bool {
        if mayRead || news.isWhole || news.isAwaited { return true }
        return news.changes.contains { change in
            members?.isChange(change) == true || matches[change.slot] != nil
                || query.match(change) != nil
        }
    }
}

extension LiveQuery {
    /// Whether an equal entity needn't be asked again, because its properties are the same, too.
    ///
    /// Conditions on properties take less time than that comparison. A closure that writes an equal entity would be called
    /// again and again.
    private func isSame(_ change: SlotChange) -> Bool {
        guard mayRead, change.ordinals.old == change.ordinals.new else { return false }
        return HiddenDifference.path(change.oldEntity(of: Value.self) as Any, change.entity(of: Value.self) as Any)
            == nil
    }

    /// The changes of the matches, after asking all entities.
    private func allChanges(of matches: QueryMatches, in snapshot: Snapshot, _ cache: FlatCache) -> [MatchChange] {
        var found: [AnyQueryMatch] = []
        var unread = lock.withLock { reads }
        let ask = { (piece: [StoredEntity<Value>]) in
            for entity in piece {
                unread[entity.slot] = nil
                if let match = self.match(entity, in: snapshot) { found.append(match) }
            }
        }
        if let members {
            ask(members.all(in: snapshot))
        } else {
            cache.candidates(for: query, in: snapshot, of: table, mayStop: false)
                .forEachPiece(in: snapshot, of: table, query.code, ask)
        }
        for slot in unread.keys { endReads(of: slot) }
        return comparison.joined(matches.changes(to: found, areEqual: comparison.areEqual))
    }

    /// The changes of the matches because of changed entities, and of entities that must be asked again.
    private func changes(
        _ news: AnswerNews,
        of matches: QueryMatches,
        in snapshot: Snapshot
    ) -> [MatchChange] {
        var changes: [MatchChange] = []
        var asked = news.asked
        var updated: Set<SlotIdentity> = []
        if let members, news.changes.contains(where: members.isChange) {
            let (entered, _, left) = members.update(to: snapshot)
            for (_, slot) in left {
                updated.insert(slot)
                endReads(of: slot)
                if let change = comparison.netChange(from: matches[slot], to: nil, isSameEntity: false) {
                    changes.append(change)
                }
            }
            for entity in entered {
                updated.insert(entity.slot)
                let new = match(entity, in: snapshot)
                let old = matches[entity.slot]
                if let change = comparison.netChange(from: old, to: new, isSameEntity: comparison.areEqual(old, new)) {
                    changes.append(change)
                }
            }
        }
        for change in news.changes where members?.isChange(change) != true {
            // The change of an entity that doesn't have the key any more can be older than that.
            if updated.contains(change.slot) || members?.contains(change.slot) == false { continue }
            let isSameEntity = !change.hasNews
            let isAsked = asked.remove(change.slot) != nil
            if isSameEntity && isSame(change) && !isAsked { continue }
            var new: AnyQueryMatch?
            if change.isStored {
                new = mayRead ? match(StoredEntity(change), in: snapshot) : query.match(change)
            } else {
                endReads(of: change.slot)
            }
            let old = matches[change.slot]
            if let change = comparison.netChange(from: old, to: new, isSameEntity: isSameEntity) {
                changes.append(change)
            }
        }
        asked.subtract(updated)
        for slot in asked {
            guard let reads = lock.withLock({ reads[slot] }), let entity = reads.entity else { continue }
            let new = match(entity, in: snapshot)
            if let change = comparison.netChange(from: matches[slot], to: new, isSameEntity: true) {
                changes.append(change)
            }
        }
        return comparison.joined(changes)
    }

    /// Asks an entity, and records what its conditions and sort keys read.
    ///
    /// - Returns: The match, or `nil` if it doesn't meet the conditions.
    private func match(_ entity: StoredEntity<Value>?, in snapshot: Snapshot) -> AnyQueryMatch? {
        guard let entity else { return nil }
        guard mayRead else { return query.match(entity) }
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
private final class MatchReads<Value: Cachable>: DependentObserver, @unchecked Sendable {
    // `entity` is used by the thread with the turn of the query. `dependencies` is set once.
    private let query: LiveQuery<Value>
    private let slot: SlotIdentity
    @exclusivity(unchecked) private var dependencies: Dependencies?
    @exclusivity(unchecked) private(set) var entity: StoredEntity<Value>?

    init(of query: LiveQuery<Value>, _ slot: SlotIdentity) {
        self.query = query
        self.slot = slot
        dependencies = Dependencies(of: self)
    }

    var isReading: Bool { dependencies?.isEmpty == false }

    var keepsEntities: Bool { false }

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

    func noteRead(of table: EntityTable) { query.noteRead(of: table) }

    func noteRead(of reading: any ReadingOfQuery) { query.noteRead(of: reading) }

    func endRead(of reading: any ReadingOfQuery) { query.endRead(of: reading) }

    func postChange(at revision: UInt64) { withExtendedLifetime(query.ask(slot, CommitOrigins(.unknown))) {} }

    func deliver() -> Bool { query.deliver() }

    func mustSchedule() -> Bool { query.mustSchedule() }

    func beginScheduled() { query.beginScheduled() }

    func finish() { dependencies?.finish() }
}

extension StoredEntity {
    /// The new entity of a change, or `nil` if there is none.
    fileprivate init?(_ change: SlotChange) {
        guard let value = change.entity(of: Value.self) else { return nil }
        self.init(value: value, slot: change.slot, revision: change.revision, ordinal: change.ordinals.new)
    }
}
