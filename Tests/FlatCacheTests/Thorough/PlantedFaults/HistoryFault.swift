/// Faults that the checker of histories must find.
enum HistoryFault: PlantedFault {
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
    /// Observers are notified some time after the commit, in no order.
    case observerIsNotifiedLate
    /// Observers are not notified of removals.
    case observerMissesRemovals
    /// Observers are notified twice of one change.
    case observerIsNotifiedTwice

    /// The programs that find them.
    static let shape = HistoryProgram.Shape(kinds: [.single, .single, .several, .transaction, .transaction, .read])

    func isFound() async -> Bool {
        let recorder = HistoryRecorder { FaultyCache(self) }
        // Most are found within ten rounds; the search ends with the first complaint.
        return await recorder.firstComplaint((0..<5_000).map { UInt64($0) }, Self.shape) != nil
    }
}
