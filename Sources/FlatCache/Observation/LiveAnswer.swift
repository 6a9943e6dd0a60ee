/// An observer that keeps an answer current, such as that of a query or the contents of a list.
///
/// Commits put changes into its mailbox, while they hold locks. The thread with the turn takes all of them at a moment when
/// no commit of the type, or of another type that the answer depends on, is in progress, so that the answer is the one of a
/// single revision. A subclass changes the answer for the changed entities. So a commit costs what it changes and what the
/// answer is changed by, independent of the number of stored entities.
///
/// `State` is what it keeps from one answer to the next.
class LiveAnswer<Value: Cachable, State, Answer: Sendable>: MultiKeyObserver, @unchecked Sendable {
    // The thread with the turn uses `hasAnswer`, and takes the state out while it changes it. The lock guards the state and
    // `isFinished`. The other variables are set before other threads can access the observer.
    private let mailbox: Mailbox<AnswerNews>
    private let receiver: Receiver
    let cache: WeakReference<FlatCache>
    unowned let table: Table<Value>
    /// The entities that are observed, or `nil` for all of the type.
    let members: ObservedMembers<Value>?
    /// Whether there was an answer.
    @exclusivity(unchecked) private var hasAnswer = false
    let lock = Lock()
    @exclusivity(unchecked) private var state: Held<State>
    @exclusivity(unchecked) private(set) var isFinished = false

    enum Receiver {
        /// A closure that returns the call to make for each answer, and one that is called when the cache is deallocated.
        case callback(@Sendable (Answer) -> (@Sendable () -> Void)?, onEnd: @Sendable () -> Void = {})
        /// A stream that is signalled when there may be a new answer.
        case signal(AsyncStream<Void>.Continuation)
    }

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - table: The table of the entities.
    ///   - members: The entities that are observed, or `nil` for all of the type.
    ///   - state: The state before the first answer.
    ///   - onMainActor: Whether it is called only on the main actor.
    ///   - receiver: The receiver of the answers.
    init(
        in cache: FlatCache,
        _ table: Table<Value>,
        _ members: ObservedMembers<Value>?,
        _ state: State,
        onMainActor: Bool,
        _ receiver: Receiver
    ) {
        self.cache = cache.reference
        self.table = table
        self.members = members
        self.state = Held(state)
        self.receiver = receiver
        mailbox = Mailbox(AnswerNews(isWhole: true), isTaken: true, onMainActor: onMainActor) { $0.fold($1) }
    }

    /// Whether some news can change the answer, which is known without the state of the cache for most changes.
    ///
    /// A change that can't is no part of any later news.
    func mayChangeAnswer(_ news: AnswerNews, _ state: State) -> Bool { true }

    /// The tables whose entities the answer depends on.
    var tables: [EntityTable] { [table] }

    /// The queries whose answers the answer depends on.
    var readQueries: ReadQueries { ReadQueries() }

    /// Brings the answer up to a state of the cache.
    ///
    /// - Parameters:
    ///   - news: The changes since the last state.
    ///   - snapshot: The state of the cache.
    ///   - state: The state to change.
    ///   - isInitial: Whether there was no answer.
    ///   - cache: The cache.
    /// - Returns: The answer, or `nil` if it isn't changed.
    func answer(
        _ news: AnswerNews,
        in snapshot: Snapshot,
        _ state: inout State,
        isInitial: Bool,
        _ cache: FlatCache
    ) -> Answer? { nil }

    private func next(_ news: AnswerNews) -> Answer? {
        guard let cache = cache.object, var state = lock.withLock({ state.take() }) else { return nil }
        let answer = mayChangeAnswer(news, state) ? answer(news, &state, cache) : nil
        // After the end, nothing is kept.
        lock.withLock {
            if !isFinished { withExtendedLifetime(self.state.replace(with: state)) {} }
        }
        return answer
    }

    private func answer(_ news: AnswerNews, _ state: inout State, _ cache: FlatCache) -> Answer? {
        var news = news
        let history = cache.history.object
        let queries = readQueries
        queries.bringUpToDate(in: cache)
        // No commit of these types is in progress meanwhile, so the mailbox has exactly the changes up to the snapshot. It has
        // those of the queries if they are idle.
        let (areQueriesIdle, later, snapshot) = betweenCommits(to: queries.tables(after: tables)) {
            (queries.areIdle, mailbox.take(), history.openSnapshot())
        }
        defer { history.close(snapshot) }
        if let later { withExtendedLifetime(news.fold(later)) {} }
        if !areQueriesIdle { news.isWhole = true }
        let isInitial = !hasAnswer
        hasAnswer = true
        return answer(news, in: snapshot, &state, isInitial: isInitial, cache)
    }

    var calls: ObserverCalls { mailbox.calls }

    /// Begins to observe, and calls the receiver with the first answer.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - isSilent: Whether the first answer is determined immediately, without a call.
    /// - Returns: The entry of the observer.
    func begin(in cache: FlatCache, isSilent: Bool = false) -> CacheSubscription {
        let registration = members?.begin(self) ?? table.register(self)
        if case .callback = receiver {
            if isSilent, let news = mailbox.take() { _ = next(news) }
            Delivery.begin(self, in: cache) { mailbox.begin { call($0) } }
        }
        return CacheSubscription(self, [registration])
    }

    func post(_ changes: GatheredChanges) -> (any Sendable)? { mailbox.post(AnswerNews(changes: changes)) }

    /// Adds news.
    ///
    /// - Returns: The replaced mail, to be released when no lock is held.
    func post(_ news: AnswerNews) -> (any Sendable)? { mailbox.post(news) }

    func deliver() -> Bool {
        if case .signal(let continuation) = receiver {
            continuation.yield()
            return false
        }
        return bringUpToDate()
    }

    /// Brings the answer up to the state of the cache, unless another thread does.
    ///
    /// - Parameter isAwaited: Whether the receiver needs the answer even if it isn't changed.
    /// - Returns: Whether mail waits although no thread has the turn.
    func bringUpToDate(isAwaited: Bool = false) -> Bool {
        if isAwaited { withExtendedLifetime(mailbox.post(AnswerNews(isAwaited: true))) {} }
        return mailbox.deliver { call($0) }
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    private func call(_ news: AnswerNews) {
        guard case .callback(let callback, _) = receiver else { return }
        calls.run {
            if let answer = next(news), let deliver = callback(answer), !calls.areEnded { deliver() }
        }
    }

    /// The new answer of a receiver that polls, or `nil` if there is none.
    func takeAnswer() -> Answer? {
        while let news = mailbox.take() {
            if let answer = next(news) { return answer }
        }
        return nil
    }

    func finish() {
        mailbox.close()
        let state: State? = lock.withLock {
            isFinished = true
            return self.state.take()
        }
        withExtendedLifetime(state) {}
        members?.finish()
        switch receiver {
        case .callback(_, let onEnd): onEnd()
        case .signal(let continuation): continuation.finish()
        }
    }

    /// Whether no change waits, and no thread is changing the answer.
    var isIdle: Bool { mailbox.isIdle }

    /// Whether the answer has all commits of the state that the calling thread reads.
    ///
    /// No lock may be held.
    ///
    /// - Parameter snapshot: The state, or `nil` for the current one.
    func isCurrent(for snapshot: Snapshot?) -> Bool {
        if !isIdle { return false }
        let queries = readQueries
        let tables = queries.tables(after: tables)
        if let snapshot { snapshot.settle(tables) } else { betweenCommits(to: tables) {} }
        return queries.areIdle && isIdle
    }
}

/// The changes that may change the answer of a ``LiveAnswer``.
///
/// It is declared outside of the generic class, so that the mailbox is specialized for it.
struct AnswerNews: Sendable {
    /// Whether all entities must be asked.
    var isWhole: Bool
    /// Whether the receiver needs the answer even if it isn't changed.
    private(set) var isAwaited: Bool
    var changes: GatheredChanges
    /// The entities to be asked again, because something that the answer depends on has changed.
    var asked: Set<SlotIdentity>
    /// The origins of the commits whose changes aren't among the changes.
    private var otherOrigins: CommitOrigins

    init(
        isWhole: Bool = false,
        isAwaited: Bool = false,
        changes: GatheredChanges = GatheredChanges(),
        asked: Set<SlotIdentity> = [],
        origins: CommitOrigins = CommitOrigins()
    ) {
        self.isWhole = isWhole
        self.isAwaited = isAwaited
        self.changes = changes
        self.asked = asked
        otherOrigins = origins
    }

    /// The origins of all commits.
    var commitOrigins: CommitOrigins { otherOrigins.union(changes.commitOrigins) }

    /// Folds later news into this.
    ///
    /// - Returns: The changes that are no longer part of the news, to be released when no lock is held.
    mutating func fold(_ later: AnswerNews) -> [SlotChange] {
        isAwaited = isAwaited || later.isAwaited
        asked.formUnion(later.asked)
        // So many changes would take more memory than asking all entities is worth.
        let (count, laterCount) = (changes.count, later.changes.count)
        if isWhole || later.isWhole || count > 0 && laterCount > 0 && count + laterCount > smallCommit {
            let origins = commitOrigins.union(later.commitOrigins)
            defer { self = AnswerNews(isWhole: true, isAwaited: isAwaited, origins: origins) }
            return Array(changes) + Array(later.changes)
        }
        otherOrigins.formUnion(later.otherOrigins)
        return changes.fold(later.changes)
    }
}
