import Testing

/// Faults that the random sequences must find.
enum ModelFault: PlantedFault {
    /// Does not notify of removals.
    case dropsRemovals
    /// Notifies of writes that change nothing.
    case notifiesOfEqualWrites
    /// Notifies of every change twice.
    case notifiesTwice
    /// Passes the new value as the old one.
    case passesWrongOldValue
    /// Passes the revision of the change before.
    case passesOldRevisions
    /// Calls cancelled observers.
    case callsAfterCancel
    /// Calls an observer from within itself.
    case callsFromWithin
    /// Does not notify an observer of its callback's own writes.
    case forgetsOwnWrites
    /// Stores many entities in as many commits.
    case storesOneByOne
    /// Lets the first of two entities with one identifier win.
    case storesFirstDuplicate
    /// Stores entities that the merge of their type would keep out.
    case ignoresMerges
    /// Removes all entities in one commit for each type.
    case removesTypeByType
    /// Leaves a moved entity under its old identifier.
    case copiesWhenMoving
    /// Keeps the changes of an update that threw.
    case storesFailedUpdates
    /// Commits each write of a transaction at once.
    case hasNoTransactions
    /// Commits the writes of a transaction that threw.
    case forgetsRollback
    /// Keeps the writes of a nested transaction that threw.
    case forgetsNestedRollback
    /// Does not run an outdated transaction again.
    case givesUpOnConflict
    /// Reads newer states in the body of a read.
    case readsCurrentState
    /// Keeps the slots of released handles.
    case leavesSlots
    /// Keeps observing only the first run's dependencies.
    case keepsFirstDependencies
    /// Keeps observing the earlier runs' dependencies.
    case keepsOldDependencies
    /// Notifies of a result that equals the last one.
    case notifiesOfEqualResults
    /// Does not notify readers of a whole type when everything is removed.
    case forgetsClearedTypes
    /// Does not run a closure again for changes during a notification.
    case forgetsWaitingChanges
    /// Appends a page at the end, whether it is listed or not.
    case appendsDuplicates
    /// Prepends a page in the opposite order.
    case prependsReversed
    /// Moves an identifier behind the other one.
    case movesBehind
    /// Stores a page in a commit before the list's.
    case storesPageSeparately
    /// Names an entity in a commit after the one that stores it.
    case namesSeparately
    /// Keeps naming an entity after the name is cleared.
    case keepsNameOfNothing

    /// Creates a cache that has the fault.
    private func makeSubject() -> ModelSubject {
        switch self {
        case .dropsRemovals, .notifiesTwice, .passesWrongOldValue, .passesOldRevisions, .callsAfterCancel,
            .callsFromWithin,
            .forgetsOwnWrites:
            FaultyObservation(self)
        case .notifiesOfEqualWrites, .storesOneByOne, .storesFirstDuplicate, .ignoresMerges, .removesTypeByType,
            .copiesWhenMoving, .storesFailedUpdates:
            FaultyWriting(self)
        case .hasNoTransactions, .forgetsRollback, .forgetsNestedRollback, .givesUpOnConflict, .readsCurrentState,
            .leavesSlots:
            FaultyBodies(self)
        case .keepsFirstDependencies, .keepsOldDependencies, .notifiesOfEqualResults, .forgetsClearedTypes,
            .forgetsWaitingChanges:
            FaultyDeriving(self)
        case .appendsDuplicates, .prependsReversed, .movesBehind, .storesPageSeparately, .namesSeparately,
            .keepsNameOfNothing:
            FaultyNaming(self)
        }
    }

    /// A few operations must be left to show the fault, and only a cache that has it may fail on them.
    func isFound() async throws -> Bool {
        guard let difference = await ModelSearch.firstDifference(seeds: 1...100, of: makeSubject) else { return false }
        #expect(ModelOperation.count(of: difference.operations) <= 10, "\(difference)")
        #expect(await ModelRunner.run(difference.operations, on: makeSubject()) == difference.failure)
        #expect(await ModelRunner.run(difference.operations, on: ModelSubject()) == nil)
        return true
    }
}
