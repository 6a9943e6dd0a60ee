import FlatCache
import Testing

/// Faults that a cache could have, all of which the random sequences must find.
enum PlantedFault: String, CaseIterable, CustomTestStringConvertible {
    case dropsRemovals = "does not tell that entities were removed"
    case tellsEqualWrites = "tells writes that change nothing"
    case tellsTwice = "tells every change twice"
    case tellsWrongOldValue = "tells the new value as the old one"
    case tellsOldRevisions = "tells the revision of the change before"
    case callsAfterCancel = "calls cancelled observers"
    case callsFromWithin = "calls an observer from within itself"
    case forgetsOwnWrites = "does not tell an observer what its callback has written"
    case storesOneByOne = "stores many entities in as many commits"
    case storesFirstDuplicate = "lets the first of two entities with one identifier win"
    case removesTypeByType = "removes all entities in a commit for each type"
    case copiesWhenMoving = "leaves an entity under the identifier that it had"
    case storesFailedUpdates = "keeps what an update has changed before it threw"
    case hasNoTransactions = "commits what a transaction writes at once"
    case forgetsRollback = "commits what a transaction has written before it threw"
    case forgetsNestedRollback = "keeps what a nested transaction has written before it threw"
    case givesUpOnConflict = "does not run a transaction again that is out of date"
    case readsCurrentState = "reads newer states in the body of a read"
    case leavesSlots = "keeps the slots of released handles"
    case keepsFirstDependencies = "goes on watching what the first run has read"
    case keepsOldDependencies = "goes on watching what earlier runs have read"
    case tellsEqualResults = "tells results that are equal to the last one"
    case forgetsClearedTypes = "does not tell readers of a whole type that everything was removed"
    case forgetsWaitingChanges = "does not run a closure again for what has changed while it was told"
    case appendsDuplicates = "appends a page at the end, whether it is listed or not"
    case prependsReversed = "prepends a page in the opposite order"
    case movesBehind = "moves an identifier behind the other one"
    case storesPageSeparately = "stores a page in a commit before that of the list"
    case namesSeparately = "names an entity in a commit after that which stores it"
    case keepsNameOfNothing = "goes on naming an entity after it should name nothing"

    var testDescription: String { rawValue }

    func makeSubject() -> ModelSubject {
        switch self {
        case .dropsRemovals, .tellsTwice, .tellsWrongOldValue, .tellsOldRevisions, .callsAfterCancel, .callsFromWithin,
            .forgetsOwnWrites:
            FaultyObservation(self)
        case .tellsEqualWrites, .storesOneByOne, .storesFirstDuplicate, .removesTypeByType, .copiesWhenMoving,
            .storesFailedUpdates:
            FaultyWriting(self)
        case .hasNoTransactions, .forgetsRollback, .forgetsNestedRollback, .givesUpOnConflict, .readsCurrentState,
            .leavesSlots:
            FaultyBodies(self)
        case .keepsFirstDependencies, .keepsOldDependencies, .tellsEqualResults, .forgetsClearedTypes,
            .forgetsWaitingChanges:
            FaultyDeriving(self)
        case .appendsDuplicates, .prependsReversed, .movesBehind, .storesPageSeparately, .namesSeparately,
            .keepsNameOfNothing:
            FaultyNaming(self)
        }
    }
}
