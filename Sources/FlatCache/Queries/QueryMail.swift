/// The changes of an answer that one observer of a live query hasn't received.
struct QueryMail: Sendable {
    /// Whether it is the first answer of the observer.
    let isInitial: Bool
    private(set) var revision: UInt64
    private(set) var commitOrigins: CommitOrigins
    private var before: ListTree<AnyQueryMatch>
    private var after: ListTree<AnyQueryMatch>
    /// The difference, if only one update is in it.
    private var steps: QuerySteps?
    /// The changes of the updates, in their order, or `nil` if they are too many to be worth their memory.
    private var updates: [[MatchChange]]?
    private var changeCount: Int

    /// Creates the mail for an update of the answer.
    ///
    /// - Parameters:
    ///   - update: The update.
    ///   - order: The order of the query.
    ///   - isInitial: Whether the observer has no answer yet.
    init(_ update: QueryUpdate, isInitial: Bool, in order: QueryOrder) {
        self.isInitial = isInitial
        revision = update.revision
        commitOrigins = update.commitOrigins
        before = update.steps.old.matches
        after = update.steps.new.matches
        steps = isInitial ? QuerySteps(after, in: order) : update.steps
        updates = isInitial ? nil : [update.changes]
        changeCount = update.changes.count
    }

    /// Folds a later update into this.
    ///
    /// - Returns: What is no longer part of the mail, to be released when no lock is held.
    mutating func fold(_ later: QueryMail) -> any Sendable {
        let replaced = (after, steps, changeCount + later.changeCount > smallCommit ? updates : nil)
        revision = later.revision
        commitOrigins.formUnion(later.commitOrigins)
        after = later.after
        steps = nil
        changeCount += later.changeCount
        if changeCount > smallCommit { updates = nil }
        if let more = later.updates { updates?.append(contentsOf: more) }
        return replaced
    }

    /// The difference to the last answer of the observer, which may run user code.
    ///
    /// - Complexity: O(1) for one update, O(*k* log *n*) for *k* changes of *n* matches in several, or O(*n*) for many.
    func difference<Value: Cachable>(_ comparison: MatchComparison<Value>) -> QuerySteps {
        if let steps { return steps }
        let order = comparison.order
        if isInitial { return QuerySteps(after, in: order) }
        let places = comparison.joined(netChanges(comparison)).map { change in
            ChangedPlace(
                old: change.old.flatMap { order.place(of: $0, in: before) },
                new: change.new.flatMap { order.place(of: $0, in: after) },
                isSameEntity: change.isSameEntity
            )
        }
        return QuerySteps(from: before, to: after, places, in: order)
    }

    /// The changes from the first state to the last one, also of matches that are interchangeable.
    private func netChanges<Value: Cachable>(_ comparison: MatchComparison<Value>) -> [MatchChange] {
        guard let updates else { return allChanges(comparison) }
        var net: [(change: MatchChange, isFolded: Bool)] = []
        var places: [ObjectIdentifier: Int] = [:]
        for change in updates.joined() {
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
        for match in before { gone[match.slot] = match }
        let changes = after.compactMap { match -> MatchChange? in
            let old = gone.removeValue(forKey: match.slot)
            if old === match { return nil }
            let isSameEntity = old?.revision == match.revision || comparison.areEqual(old, match)
            return MatchChange(from: old, to: match, isSameEntity: isSameEntity)
        }
        return changes + gone.values.compactMap { MatchChange(from: $0, to: nil) }
    }
}

/// A change of the matches of a live query.
struct QueryUpdate: Sendable {
    let steps: QuerySteps
    let changes: [MatchChange]
    let revision: UInt64
    let commitOrigins: CommitOrigins

    /// Whether the matches outside of the answer at most are changed.
    var isOutside: Bool { steps.positions.isEmpty && steps.positions.kept.isEmpty }
}
