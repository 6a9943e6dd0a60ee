extension FaultyCache {
    /// What may be wrong.
    enum Fault: CaseIterable, Sendable {
        /// An update is a read and a write, between which others write.
        case updateInTwoSteps
        /// Entities that are stored together come one by one.
        case setSeveralOneByOne
        /// Entities that are removed together go one by one.
        case removeAllOneByOne
        /// A read returns what was stored before the last write.
        case readsAreStale
        /// Others come in between the steps of a transaction.
        case transactionStepByStep
        /// Of two transactions that run at once, the later replaces what the earlier has written.
        case transactionChecksNothing
        /// A transaction commits although what it has read, and not written, is no longer so.
        case transactionChecksWritesOnly
        /// A transaction that throws is committed.
        case failureKeepsWrites
        /// A nested transaction that throws is not undone.
        case nestedFailureKeepsWrites
        /// Others come in between the steps of a read.
        case readStepByStep
        /// Observers are told some time after the commit, in no order.
        case observerIsToldLate
        /// Observers are not told that an entity goes.
        case observerMissesRemovals
        /// Observers are told the same twice.
        case observerHearsOfWritesTwice
    }
}
