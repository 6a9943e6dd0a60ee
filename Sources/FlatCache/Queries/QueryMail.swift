/// The updates of an answer that one observer of a live query hasn't received.
struct QueryMail: Sendable {
    /// Whether it is the first answer of the observer.
    let isInitial: Bool
    private(set) var commitOrigins: CommitOrigins
    private let first: QueryUpdate
    private var last: QueryUpdate
    /// The updates after the first one, or `nil` if they are too many to be worth their memory.
    private var others: [QueryUpdate]? = []
    private var changeCount: Int

    /// Creates the mail for an update of the answer.
    init(_ update: QueryUpdate, isInitial: Bool) {
        self.isInitial = isInitial
        commitOrigins = update.commitOrigins
        first = update
        last = update
        changeCount = update.changes.count
    }

    /// The revision of the answer.
    var revision: UInt64 { last.revision }

    /// Folds a later update into this.
    ///
    /// - Returns: What is no longer part of the mail, to be released when no lock is held.
    mutating func fold(_ later: QueryMail) -> any Sendable {
        commitOrigins.formUnion(later.commitOrigins)
        changeCount += later.changeCount
        // Nothing but the newest answer is needed if the observer has none.
        let isWorth = !isInitial && changeCount <= smallCommit
        let replaced = (last, isWorth ? nil : others)
        last = later.last
        if isWorth { others?.append(later.first) } else { others = nil }
        return replaced
    }

    /// The difference to the last answer of the observer, which may run user code.
    ///
    /// - Complexity: O(1) for one update, O(*k* log *n*) for *k* changes of *n* matches in several, or O(*n*) for many.
    func difference<Value: Cachable>(_ comparison: MatchComparison<Value>) -> QuerySteps {
        let order = comparison.order
        if isInitial { return QuerySteps(last.after, in: order) }
        if first === last { return first.steps }
        let (before, after) = (first.before, last.after)
        var places = comparison.joined(netChanges(comparison)).map { change in
            ChangedPlace(
                old: change.old.flatMap { order.place(of: $0, in: before) },
                new: change.new.flatMap { order.place(of: $0, in: after) },
                isSameEntity: change.isSameEntity
            )
        }
        places.dropRepetitions()
        return QuerySteps(from: before, to: after, places, in: order)
    }

    /// The changes from the first state to the last one, also of matches that are interchangeable.
    private func netChanges<Value: Cachable>(_ comparison: MatchComparison<Value>) -> [MatchChange] {
        guard let others else { return allChanges(comparison) }
        var net: [(change: MatchChange, isFolded: Bool)] = []
        var places: [ObjectIdentifier: Int] = [:]
        for change in ([first] + others).flatMap(\.changes) {
            var place = net.count
            if let old = change.old, let earlier = places.removeValue(forKey: ObjectIdentifier(old)) {
                place = earlier
                net[place] = (MatchChange(old: net[place].change.old, new: change.new), true)
            } else {
                net.append((change, false))
            }
            if let new = change.new { places[ObjectIdentifier(new)] = place }
        }
        return net.compactMap { change, isFolded in
            let isSameEntity = isFolded ? comparison.areEqual(change.old, change.new) : change.isSameEntity
            return MatchChange(from: change.old, to: change.new, isSameEntity: isSameEntity)
        }
    }

    /// The changes between the two states, from a comparison of all matches.
    private func allChanges<Value: Cachable>(_ comparison: MatchComparison<Value>) -> [MatchChange] {
        var gone: [SlotIdentity: AnyQueryMatch] = [:]
        for match in first.before { gone[match.slot] = match }
        let changes = last.after.compactMap { match -> MatchChange? in
            let old = gone.removeValue(forKey: match.slot)
            if old === match { return nil }
            let isSameEntity = old?.revision == match.revision || comparison.areEqual(old, match)
            return MatchChange(from: old, to: match, isSameEntity: isSameEntity)
        }
        return changes + gone.values.compactMap { MatchChange(from: $0, to: nil) }
    }
}

/// A change of the matches of a live query, for all observers.
final class QueryUpdate: Sendable {
    let steps: QuerySteps
    let changes: [MatchChange]
    let revision: UInt64
    let commitOrigins: CommitOrigins

    init(_ steps: QuerySteps, _ changes: [MatchChange], revision: UInt64, commitOrigins: CommitOrigins) {
        self.steps = steps
        self.changes = changes
        self.revision = revision
        self.commitOrigins = commitOrigins
    }

    var before: ListTree<AnyQueryMatch> { steps.old.matches }
    var after: ListTree<AnyQueryMatch> { steps.new.matches }

    /// Whether the matches outside of the answer at most are changed.
    var isOutside: Bool { steps.positions.isEmpty && steps.positions.kept.isEmpty }
}
