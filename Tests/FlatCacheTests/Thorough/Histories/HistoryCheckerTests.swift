import Testing

/// Histories made by hand: the checker accepts what one order explains, and nothing else.
@Suite("Histories: the checker")
struct HistoryCheckerTests {
    typealias Call = History.Call
    typealias Step = History.Step

    private let one = History.Key(.counter, 1)
    private let two = History.Key(.post, 2)

    /// A call of one step.
    private func event(
        _ called: Int,
        _ returned: Int,
        _ step: Step,
        _ observation: History.Observation = .nothing
    ) -> History.Event {
        History.Event(call: .step(step), observations: [observation], called: called, returned: returned)
    }

    private func event(_ called: Int, _ returned: Int, _ call: Call, _ values: [Int?]) -> History.Event {
        History.Event(call: call, observations: values.map { .value($0) }, called: called, returned: returned)
    }

    private func isAccepted(_ initial: [History.Key: Int] = [:], _ processes: [History.Event]...) -> Bool {
        HistoryChecker.explanation(of: History(initial: .init(initial), processes: processes)) != nil
    }

    @Test("Nothing happened")
    func empty() {
        #expect(isAccepted())
    }

    @Test("A read that overlaps a write may come before or after it")
    func overlappingRead() {
        let write = event(1, 4, .set(one, 5))
        #expect(isAccepted([:], [write], [event(2, 3, .get(one), .value(5))]))
        #expect(isAccepted([:], [write], [event(2, 3, .get(one), .value(nil))]))
        #expect(!isAccepted([:], [write], [event(2, 3, .get(one), .value(6))]))
    }

    @Test("A read after a write has returned sees it, whichever thread reads")
    func staleRead() {
        let write = event(1, 2, .set(one, 5))
        #expect(isAccepted([:], [write], [event(3, 4, .get(one), .value(5))]))
        #expect(!isAccepted([:], [write], [event(3, 4, .get(one), .value(nil))]))
    }

    @Test("Two readers see two writes in the same order")
    func sameOrderForAll() {
        let writes = [[event(1, 10, .set(one, 5))], [event(2, 11, .set(one, 6))]]
        func reads(_ first: Int, _ second: Int) -> [History.Event] {
            [event(3, 4, .get(one), .value(first)), event(5, 6, .get(one), .value(second))]
        }
        #expect(isAccepted([:], writes[0], writes[1], reads(5, 6), reads(5, 6)))
        #expect(!isAccepted([:], writes[0], writes[1], reads(5, 6), reads(6, 5)))
    }

    @Test("The first guess may be wrong: the search turns back")
    func backtracking() throws {
        // The calls that are tried first, those of the first processes, have to come last.
        let processes = [
            [event(1, 20, .set(one, 5))],
            [event(2, 19, .update(one, appending: 11), .value(7))],
            [event(3, 18, .update(one, appending: 12), .value(711))],
            [event(4, 17, .set(one, 7))],
            [event(21, 22, .get(one), .value(5))],
        ]
        let order = try #require(HistoryChecker.explanation(of: History(processes: processes)))
        #expect(order.map(\.called) == [4, 2, 3, 1, 21])
    }

    @Test("The order that is returned explains the history")
    func returnedOrder() throws {
        let history = History(processes: [
            [event(1, 4, .set(one, 5)), event(6, 9, .remove(one), .value(6))],
            [event(2, 5, .set(one, 6)), event(7, 10, .get(one), .value(nil))],
        ])
        var state = history.initial
        for event in try #require(HistoryChecker.explanation(of: history)) {
            #expect(state.perform(event.call) == event.observations)
        }
    }

    @Test("A lost update is no order: one of two increments must have seen the other")
    func lostUpdate() {
        let first = event(1, 4, .update(one, appending: 11), .value(5))
        #expect(isAccepted([one: 5], [first], [event(2, 3, .update(one, appending: 12), .value(511))]))
        #expect(!isAccepted([one: 5], [first], [event(2, 3, .update(one, appending: 12), .value(5))]))
    }

    @Test("A transaction is one call: others see all of its writes or none")
    func halfTransaction() {
        let transaction = event(1, 8, .transaction([.step(.update(one, appending: 1)), .step(.remove(two))]), [5, 6])
        func reads(_ first: Int?, _ second: Int?) -> [History.Event] {
            [event(2, 3, .get(one), .value(first)), event(4, 5, .get(two), .value(second))]
        }
        let initial = [one: 5, two: 6]
        #expect(isAccepted(initial, [transaction], reads(5, 6)))
        #expect(isAccepted(initial, [transaction], reads(501, nil)))
        #expect(isAccepted(initial, [transaction], reads(5, nil)), "the commit may come between two separate reads")
        #expect(!isAccepted(initial, [transaction], reads(501, 6)))
        let read = Call.read([.step(.get(one)), .step(.get(two))])
        #expect(isAccepted(initial, [transaction], [event(2, 3, read, [501, nil])]))
        #expect(!isAccepted(initial, [transaction], [event(2, 3, read, [5, nil])]))
    }

    @Test("Two transactions that each write what the other has read come one after the other")
    func writeSkew() {
        let first = Call.transaction([.step(.get(two)), .step(.remove(one))])
        let second = Call.transaction([.step(.get(one)), .step(.remove(two))])
        let initial = [one: 5, two: 6]
        #expect(isAccepted(initial, [event(1, 4, first, [6, 5])], [event(2, 3, second, [nil, 6])]))
        #expect(!isAccepted(initial, [event(1, 4, first, [6, 5])], [event(2, 3, second, [5, 6])]))
    }

    @Test("A transaction that failed has changed nothing; a nested one leaves the outer one's writes")
    func failedTransactions() {
        let nested = Call.transaction([.step(.remove(one))], fails: true)
        let outer = Call.transaction([.step(.update(one, appending: 1)), nested, .step(.get(one))])
        #expect(isAccepted([one: 5], [event(1, 2, outer, [5, 501, 501]), event(3, 4, .get(one), .value(501))]))
        #expect(!isAccepted([one: 5], [event(1, 2, outer, [5, 501, nil])]))
        #expect(isAccepted([one: 5], [event(1, 2, nested, [5]), event(3, 4, .get(one), .value(5))]))
        #expect(!isAccepted([one: 5], [event(1, 2, nested, [5]), event(3, 4, .get(one), .value(nil))]))
    }

    @Test("Every operation has its result")
    func sequentialModel() {
        var state = History.State([one: 5, two: 6])
        let other = History.Key(.counter, 0)
        let steps: [(Step, History.Observation)] = [
            (.get(one), .value(5)), (.contains(other), .presence(false)), (.failingUpdate(one), .failure(5)),
            (.setSeveral(.counter, [0: 7, 1: 8]), .nothing),
            (.allValues(.counter), .values([0: 7, 1: 8])),
            (.count(.counter), .count(2)), (.update(other, appending: 3), .value(7)), (.remove(other), .value(703)),
            (.remove(other), .value(nil)), (.update(other, appending: 3), .value(nil)),
            (.removeAll(.counter), .nothing), (.count(.counter), .count(0)), (.get(two), .value(6)),
            (.removeEverything, .nothing), (.get(two), .value(nil)),
        ]
        for (step, observation) in steps { #expect(state.perform(step) == observation, "\(step)") }
    }

    @Test("A history of single keys is explained if and only if the part of each key is")
    func parts() {
        let history = History(processes: [
            [event(1, 4, .set(one, 5)), event(5, 8, .get(two), .value(nil))],
            [event(2, 3, .set(two, 6)), event(6, 7, .get(one), .value(5))],
        ])
        #expect(history.keys == [one, two])
        #expect(HistoryChecker.explanation(of: history) == nil)
        #expect(HistoryChecker.explanation(of: history.part(of: one)) != nil)
        #expect(HistoryChecker.explanation(of: history.part(of: two)) == nil)
    }

    @Test("A long history of writers that never stop is decided quickly")
    func manyConcurrentCalls() {
        let writers = (0..<4).map { process in
            (0..<6).map { event($0 * 10 + process, $0 * 10 + 100 + process, .set(one, process * 100 + $0)) }
        }
        let read = event(1_000, 1_001, .get(one), .value(-1))
        let history = History(processes: writers + [[read]])
        #expect(HistoryChecker.explanation(of: history) == nil)
    }
}
