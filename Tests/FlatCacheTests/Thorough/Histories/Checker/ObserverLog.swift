/// The notifications of an observer of one key while others wrote.
struct ObserverLog: Sendable {
    var key: History.Key
    var deliveries: [Delivery]
    /// What a read of the key returned in the end.
    var final: History.Observation

    struct Delivery: Sendable {
        var revision: UInt64
        var value: Int?
        /// When the observer was called.
        var tick: Int
    }

    /// The first promise that is broken, or `nil`.
    ///
    /// Whether the values were ever stored, and in this order, ``reads`` let the checker decide.
    var complaint: String? {
        for (earlier, later) in zip(deliveries, deliveries.dropFirst()) {
            if later.revision <= earlier.revision { return "revision \(later.revision) after \(earlier.revision)" }
            if later.value == earlier.value { return "notified of \(text(later.value)) twice" }
        }
        guard let last = deliveries.last else { return "never called" }
        if .value(last.value) != final { return "notified of \(text(last.value)) last, \(final) is stored" }
        return nil
    }

    private func text(_ value: Int?) -> String { History.Observation.value(value).description }

    /// The deliveries as reads of a process of its own: each saw the key at some moment before the observer was called,
    /// and not before the moment of the one before.
    var reads: [History.Event] {
        deliveries.map { delivery in
            History.Event(
                call: .step(.get(key)),
                observations: [.value(delivery.value)],
                called: 0,
                returned: delivery.tick
            )
        }
    }
}
