/// A cache with wrong transactions, reads and handles.
final class FaultyBodies: ModelSubject {
    private let fault: ModelFault
    private var transactions = 0
    private var handles: [ModelHandle] = []

    init(_ fault: ModelFault) {
        self.fault = fault
    }

    override func transaction(_ body: () throws -> Void) throws {
        switch fault {
        case .hasNoTransactions: try body()
        case .forgetsNestedRollback where transactions > 0: try body()
        case .forgetsRollback where transactions == 0: try committingErrors(body)
        default:
            var runs = 0
            try super.transaction {
                runs += 1
                if fault == .givesUpOnConflict && runs > 1 { return }
                transactions += 1
                defer { transactions -= 1 }
                try body()
            }
        }
    }

    private func committingErrors(_ body: () throws -> Void) throws {
        var thrown: (any Error)?
        try super.transaction {
            do { try body() } catch { thrown = error }
        }
        if let thrown { throw thrown }
    }

    override func read(_ body: () throws -> Void) throws {
        if fault == .readsCurrentState { try body() } else { try super.read(body) }
    }

    override func handle(_ key: ModelKey) -> ModelHandle {
        let handle = super.handle(key)
        if fault == .leavesSlots { handles.append(handle) }
        return handle
    }
}
