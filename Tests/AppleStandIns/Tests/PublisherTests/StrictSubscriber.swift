import Combine
import FlatCache
import Testing

/// A subscriber that records what it gets, and fails the test where the publisher breaks its contract.
///
/// The contract is that of Combine and of Reactive Streams: one subscription, before everything else; no more values than
/// were asked for; at most one end, and nothing after it; nothing that begins after the subscription was cancelled; one call
/// at a time.
final class StrictSubscriber<Input: Sendable>: Subscriber, @unchecked Sendable {  // Guarded by the lock of `state`.
    typealias Failure = Never

    private struct State {
        var subscription: (any Subscription)?
        var hasSubscription = false
        var isBusy = false
        var isCancelled = false
        var hasEnded = false
        var demand = Subscribers.Demand.none
        var values: [Input] = []
        var violations: [String] = []
    }

    private let state = Protected(State())
    private let first: Subscribers.Demand
    private let onValue: @Sendable (StrictSubscriber, Input) -> Subscribers.Demand
    private let onSubscription: @Sendable (StrictSubscriber) -> Void
    private let onEnd: @Sendable () -> Void

    /// Creates a subscriber.
    ///
    /// - Parameters:
    ///   - first: What to ask for as soon as there is a subscription.
    ///   - onValue: What to do with a value; says how many more are wanted.
    ///   - onSubscription: What to do with the subscription, within the call.
    ///   - onEnd: What to do at the end.
    init(
        _ first: Subscribers.Demand = .unlimited,
        onValue: @escaping @Sendable (StrictSubscriber, Input) -> Subscribers.Demand = { _, _ in .none },
        onSubscription: @escaping @Sendable (StrictSubscriber) -> Void = { _ in },
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.first = first
        self.onValue = onValue
        self.onSubscription = onSubscription
        self.onEnd = onEnd
    }

    var values: [Input] { state.withLock { $0.values } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// What was against the contract.
    var violations: [String] { state.withLock { $0.violations } }

    /// Returns the values since the last time.
    func take() -> [Input] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }

    func receive(subscription: any Subscription) {
        call("a subscription") { state in
            if state.hasSubscription { state.violations.append("a second subscription") }
            state.hasSubscription = true
            state.subscription = subscription
        } body: {
            if first > .none { request(first) }
            onSubscription(self)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        var more = Subscribers.Demand.none
        call("a value") { state in
            if !state.hasSubscription { state.violations.append("a value before the subscription") }
            if state.demand == .none { state.violations.append("a value that nobody has asked for") }
            if state.demand > .none { state.demand -= 1 }
            state.values.append(input)
        } body: {
            more = onValue(self, input)
            state.withLock { $0.demand += more }
        }
        return more
    }

    func receive(completion: Subscribers.Completion<Never>) {
        call("the end") { state in
            if !state.hasSubscription { state.violations.append("the end before the subscription") }
            state.hasEnded = true
        } body: {
            onEnd()
        }
    }

    /// Asks for values.
    func request(_ demand: Subscribers.Demand) {
        let subscription = state.withLock { state in
            state.demand += demand
            return state.subscription
        }
        subscription?.request(demand)
    }

    /// Lets go of the subscription.
    func abandon() {
        let subscription = state.withLock { state in
            defer { state.subscription = nil }
            return state.subscription
        }
        withExtendedLifetime(subscription) {}
    }

    /// Cancels the subscription, and lets go of it.
    func cancel() {
        let subscription = state.withLock { state in
            defer { state.subscription = nil }
            return state.subscription
        }
        subscription?.cancel()
        // Calls may begin until then, and one that runs already may end later.
        state.withLock { $0.isCancelled = true }
    }

    private func call(_ name: String, _ note: (inout State) -> Void, body: () -> Void) {
        state.withLock { state in
            if state.isBusy { state.violations.append("\(name) during another call") }
            if state.hasEnded { state.violations.append("\(name) after the end") }
            if state.isCancelled { state.violations.append("\(name) after the subscription was cancelled") }
            state.isBusy = true
            note(&state)
        }
        body()
        state.withLock { $0.isBusy = false }
    }

    /// Fails the test when something was against the contract.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(violations == [], sourceLocation: sourceLocation)
    }
}
