import Testing

/// Logs made by hand.
@Suite("Histories: notifications of an observer")
struct ObserverLogTests {
    private let key = History.Key(.counter, 1)

    private func log(final: Int?, _ deliveries: (UInt64, Int?)...) -> ObserverLog {
        ObserverLog(
            key: key,
            deliveries: deliveries.enumerated().map { index, delivery in
                ObserverLog.Delivery(revision: delivery.0, value: delivery.1, tick: 100 + index)
            },
            final: .value(final)
        )
    }

    /// Whether the deliveries fit two writes, one after the other, of which the observer was notified late.
    private func isExplained(_ log: ObserverLog) -> Bool {
        let writes = [5, 6].map { value in
            History.Event(
                call: .step(.set(key, value)),
                observations: [.nothing],
                called: value * 10,
                returned: value * 10 + 1
            )
        }
        return HistoryChecker.explanation(of: History(processes: [writes, log.reads])) != nil
    }

    @Test("N2: An observer is notified of each commit, or of the last of several, in their order")
    func accepted() {
        for log in [log(final: 6, (0, nil), (1, 5), (2, 6)), log(final: 6, (0, nil), (2, 6)), log(final: 6, (2, 6))] {
            #expect(log.complaint == nil)
            #expect(isExplained(log))
        }
    }

    @Test("N2: Revisions that fall are refused")
    func fallingRevisions() {
        #expect(log(final: 6, (2, 5), (1, 6)).complaint == "revision 1 after 2")
    }

    @Test("N2: Values that go back are refused, even with rising revisions")
    func fallingValues() {
        #expect(!isExplained(log(final: 5, (1, 6), (2, 5))))
        #expect(!isExplained(log(final: 6, (1, 5), (2, nil), (3, 6))))
    }

    @Test("N2: A value that was never stored is refused")
    func inventedValue() {
        #expect(!isExplained(log(final: 6, (1, 5), (2, 7), (3, 6))))
    }

    @Test("N2: A notification of a value before it can have been stored is refused")
    func earlyValue() {
        var log = log(final: 6, (1, 6))
        log.deliveries[0].tick = 20
        #expect(!isExplained(log))
    }

    @Test("N3, N4: A lost event, a repeated one and silence are refused")
    func lostEvent() {
        #expect(log(final: 6, (1, 5)).complaint == "notified of 5 last, 6 is stored")
        #expect(log(final: 6, (1, 6), (2, 6)).complaint == "notified of 6 twice")
        #expect(log(final: nil).complaint == "never called")
    }
}
