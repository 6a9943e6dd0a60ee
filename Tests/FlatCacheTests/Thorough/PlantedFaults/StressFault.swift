import TestThreads

#if DEBUG
/// Faults that random stress must find.
enum StressFault: PlantedFault {
    /// Mail that nobody reads owns the callbacks of observers, and lets go of them under a lock.
    case mailKeepsReceivers
    /// Who has the turn to call an observer calls it with what others write, as long as they do.
    case oneWriterDeliversForAll
    /// A body that is overtaken runs again, however often.
    case bodiesStarve
    /// A request that joins what an actor has asked for waits for that actor's turn.
    case foreignTurn
    /// Identifiers are read, compared, hashed and released under a lock.
    case userCodeUnderLock
    /// Operations on whole types hold the lock that readers need from beginning to end.
    case readersWaitForWholeTypes
    /// A call looks whether it is cancelled before it announces itself.
    case callsAfterCancel

    /// Whether somebody waits for ever.
    var hangs: Bool { complaint.hasPrefix("nobody") }

    /// How the complaint begins that is made about it.
    var complaint: String {
        switch self {
        case .mailKeepsReceivers, .userCodeUnderLock: "nobody gets on: thread"
        case .foreignTurn: "nobody gets on: task"
        case .oneWriterDeliversForAll: "a commit calls an observer more than twice"
        case .bodiesStarve: "a body is overtaken again and again"
        case .readersWaitForWholeTypes: "a reader waits for an operation on a whole type"
        case .callsAfterCancel: "a call begins after cancel has returned"
        }
    }

    /// The search that was begun last.
    private static let lastSearch = Protected<Task<Bool, Never>?>(nil)

    /// Waits for the search before it, because the rounds keep all threads busy.
    func isFound() async -> Bool {
        let search = Self.lastSearch.withLock { last in
            let search = Task { [last] in
                _ = await last?.value
                return await onOwnThreads { await isFoundInRounds() }
            }
            last = search
            return search
        }
        return await search.value
    }

    private func isFoundInRounds() async -> Bool {
        for seed in 1...20 as ClosedRange<UInt64> {
            let round = StressRound(seed: seed, FaultyStressSubject(self), readerPatience: 100_000)
            let complaints = await round.complaints(patience: hangs ? 50_000 : nil)
            if complaints.contains(where: { $0.hasPrefix(complaint) }) { return true }
        }
        return false
    }
}
#endif
