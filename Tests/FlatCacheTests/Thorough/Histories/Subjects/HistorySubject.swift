/// A cache as far as histories need one: FlatCache, or a faulty one that the checker is to find out.
protocol HistorySubject: Sendable {
    /// Does one operation.
    func perform(_ step: History.Step) -> History.Observation

    /// Runs a body as one operation, which is undone when the body throws.
    ///
    /// The body works on what it is given.
    func transaction(_ body: (any HistorySubject) throws -> Void) throws

    /// Runs a body that sees one state.
    ///
    /// The body works on what it is given.
    func read(_ body: (any HistorySubject) -> Void)

    /// Calls a closure with the revision and value of a key, now and after each change, until the result is released.
    func observe(_ key: History.Key, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> any Sendable
}

extension HistorySubject {
    /// Does a call.
    ///
    /// - Parameters:
    ///   - call: What to do.
    ///   - aside: Does what is not part of the call.
    /// - Returns: What its steps return, in their order.
    func perform(_ call: History.Call, aside: (History.Call) -> Void) -> [History.Observation] {
        var observations: [History.Observation] = []
        switch call {
        case .step(let step):
            observations = [perform(step)]
        case .transaction(let calls, let fails):
            try? transaction { subject in
                // The body may run again: what counts is its last run.
                observations = calls.flatMap { subject.perform($0, aside: aside) }
                if fails { throw PlannedFailure() }
            }
        case .read(let calls):
            read { subject in
                observations = calls.flatMap { subject.perform($0, aside: aside) }
            }
        case .aside(let call):
            aside(call)
        case .pause(let length):
            pause(length)
        }
        return observations
    }
}
