/// A cache that is correct except for one planted fault.
///
/// It is the sequential model behind a lock, so it is correct by construction without a fault.
final class FaultyCache: HistorySubject {
    private let fault: HistoryFault?
    private let contents = Protected(Contents())

    private struct Contents {
        var state = History.State()
        /// The state as stale reads see it.
        var staleState = History.State()
        var revision: UInt64 = 0
        var observers: [Observer] = []
    }

    private final class Observer: Sendable {
        let key: History.Key
        let onChange: @Sendable (UInt64, Int?) -> Void

        init(_ key: History.Key, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) {
            self.key = key
            self.onChange = onChange
        }
    }

    init(_ fault: HistoryFault?) {
        self.fault = fault
    }

    func perform(_ step: History.Step) -> History.Observation {
        switch (fault, step) {
        case (.updateInTwoSteps, .update(let key, let digits)):
            let seen = contents.withLock { $0.state[key] }
            letOthersRun()
            if let seen { commit { $0[key] = History.appending(digits, to: seen) } }
            return .value(seen)
        case (.setSeveralOneByOne, .setSeveral(let kind, let values)):
            for (number, value) in values {
                commit { $0[History.Key(kind, number)] = value }
                letOthersRun()
            }
            return .nothing
        case (.removeAllOneByOne, .removeAll(let kind)):
            for number in History.Key.numbers {
                commit { $0[History.Key(kind, number)] = nil }
                letOthersRun()
            }
            return .nothing
        case (.readsAreStale, .get(let key)):
            return contents.withLock { .value($0.staleState[key]) }
        default:
            return commit { $0.perform(step) }
        }
    }

    func transaction(_ body: (any HistorySubject) throws -> Void) throws {
        switch fault {
        case .transactionStepByStep:
            try body(UnisolatedSteps(cache: self))
        case .transactionChecksNothing, .transactionChecksWritesOnly:
            try optimisticTransaction(body)
        case .failureKeepsWrites:
            let failure: (any Error)? = commit { state in
                let draft = FaultyDraft(state, fault)
                defer { state = draft.state }
                do { try body(draft) } catch { return error }
                return nil
            }
            if let failure { throw failure }
        default:
            try commit { state in
                let draft = FaultyDraft(state, fault)
                try body(draft)
                state = draft.state
            }
        }
    }

    func read(_ body: (any HistorySubject) -> Void) {
        if fault == .readStepByStep {
            body(UnisolatedSteps(cache: self))
        } else {
            body(FaultyDraft(contents.withLock { $0.state }, fault))
        }
    }

    /// Runs a body without the lock, and commits what it has written.
    private func optimisticTransaction(_ body: (any HistorySubject) throws -> Void) throws {
        while true {
            let before = contents.withLock { $0.state }
            let draft = FaultyDraft(before, fault)
            try body(draft)
            letOthersRun()
            let written = History.Key.all.filter { draft.state[$0] != before[$0] }
            let isDone = commit { state in
                if fault == .transactionChecksWritesOnly, written.contains(where: { state[$0] != before[$0] }) {
                    return false
                }
                for key in written { state[key] = draft.state[key] }
                return true
            }
            if isDone { return }
        }
    }

    func observe(_ key: History.Key, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> any Sendable {
        contents.withLock { contents in
            contents.observers.append(Observer(key, onChange))
            onChange(contents.revision, contents.state[key])
        }
        return ()
    }

    /// Changes the state and notifies the observers.
    @discardableResult
    private func commit<Result>(_ change: (inout History.State) throws -> Result) rethrows -> Result {
        var isLate = false
        let (result, revision, notifications) = try contents.withLock { contents in
            let before = contents.state
            let result = try change(&contents.state)
            let changed = contents.observers.filter { before[$0.key] != contents.state[$0.key] }
            if !changed.isEmpty { contents.revision += 1 }
            if before != contents.state { contents.staleState = before }
            let notifications = changed.map { ($0, contents.state[$0.key]) }
            isLate = fault == .observerIsNotifiedLate
            if !isLate { notify(notifications, contents.revision) }
            return (result, contents.revision, notifications)
        }
        if isLate {
            letOthersRun()
            notify(notifications, revision)
        }
        return result
    }

    private func notify(_ changes: [(Observer, Int?)], _ revision: UInt64) {
        for (observer, value) in changes {
            switch fault {
            case .observerMissesRemovals where value == nil: break
            case .observerIsNotifiedTwice:
                observer.onChange(revision, value)
                observer.onChange(revision + 1, value)
            default: observer.onChange(revision, value)
            }
        }
    }
}

/// Does each step by itself, where all should be one.
private struct UnisolatedSteps: HistorySubject {
    let cache: FaultyCache

    func perform(_ step: History.Step) -> History.Observation {
        defer { letOthersRun() }
        return cache.perform(step)
    }

    func transaction(_ body: (any HistorySubject) throws -> Void) throws { try body(self) }

    func read(_ body: (any HistorySubject) -> Void) { body(self) }

    func observe(_ key: History.Key, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> any Sendable {
        cache.observe(key, onChange)
    }
}

/// What a body works on that sees one state and its own writes.
private final class FaultyDraft: HistorySubject, @unchecked Sendable {  // Used by the thread that runs the body only.
    private(set) var state: History.State
    private let fault: HistoryFault?

    init(_ state: History.State, _ fault: HistoryFault?) {
        self.state = state
        self.fault = fault
    }

    func perform(_ step: History.Step) -> History.Observation { state.perform(step) }

    func transaction(_ body: (any HistorySubject) throws -> Void) throws {
        let before = state
        do {
            try body(self)
        } catch {
            if fault != .nestedFailureKeepsWrites { state = before }
            throw error
        }
    }

    func read(_ body: (any HistorySubject) -> Void) { body(self) }

    func observe(_ key: History.Key, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> any Sendable { () }
}

/// Makes it likely that another thread comes in between.
private func letOthersRun() {
    for length in 0..<20 { pause(length) }
}
