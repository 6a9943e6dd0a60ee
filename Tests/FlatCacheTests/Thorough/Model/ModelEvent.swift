/// What makes random sequences worth running: the meetings of operations that are hard to think of.
enum ModelEvent: CaseIterable {
    case transactionRanAgain
    case transactionThrew
    case nestedTransactionWasUndone
    case transactionChangedNothing
    case transactionBegunInRead
    case updateThrew
    case updateBegunInRead
    case updateInTransaction
    case updateReplacedOwnWrite
    case updateMovedEntity
    case readShowedOldState
    case callbackWrote
    case callbackRanTransaction
    case callbackCancelledItself
    case callbackCancelledOneThatWaits
    case callbackRanInBodyOfTransaction
    case callbackRanInBodyOfRead
    case commitsWereFolded
    case equalWriteWasSilent
    case iteratorTookChanges
    case handleWasReadInTransaction
    case otherCacheInTransaction
    case derivedReadOthers
    case derivedWasEqual
    case derivedCommitsWereFolded
    case iteratorTookDerived
    case listKeptPlaces
    case listWasReordered
    case listChangedInTransaction
    case nameFollowedEntity
}
