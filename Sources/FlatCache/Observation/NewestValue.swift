/// Hands values to somebody who says how many are wanted; of those that nobody has wanted yet, only the newest is kept.
final class NewestValue<Value: Sendable>: @unchecked Sendable {
    // Everything mutable is guarded by the lock.
    private let lock = Lock()
    private var value: Value?
    /// How many values are wanted; `Int.max` for all.
    private var demand = 0
    private var isHandingOver = false
    private var receive: ((Value) -> Int)?

    /// Creates a place without a value.
    ///
    /// - Parameter receive: Takes a value, and says how many more are wanted. It is called by one thread at a time.
    init(_ receive: @escaping (Value) -> Int) {
        self.receive = receive
    }

    /// Puts a value in the place of the one that waits.
    func put(_ newValue: Value) {
        let replaced = lock.withLock {
            defer { value = receive == nil ? nil : newValue }
            return value
        }
        withExtendedLifetime(replaced) {}
        handOver()
    }

    /// Asks for values.
    ///
    /// - Parameter count: How many more are wanted; `Int.max` for all.
    func request(_ count: Int) {
        lock.withLock { add(count) }
        handOver()
    }

    /// Hands over nothing any more.
    func cancel() {
        let rest = lock.withLock {
            defer {
                value = nil
                receive = nil
            }
            return (value, receive)
        }
        withExtendedLifetime(rest) {}
    }

    private func handOver() {
        while let (value, receive) = next() {
            let more = receive(value)
            lock.withLock {
                isHandingOver = false
                add(more)
            }
        }
    }

    /// Takes the value that waits, if it is wanted and nobody else is handing one over.
    private func next() -> (Value, (Value) -> Int)? {
        lock.withLock {
            guard !isHandingOver, demand > 0, let receive, let value = self.value else { return nil }
            self.value = nil
            isHandingOver = true
            if demand != .max { demand -= 1 }
            return (value, receive)
        }
    }

    private func add(_ count: Int) {
        let (sum, isTooLarge) = demand.addingReportingOverflow(count)
        demand = isTooLarge ? .max : sum
    }
}
