import FlatCache
import Testing

/// A server whose every call waits until the test answers it.
///
///     let server = FakeServer<Counter>()
///     cache.setFetcher(of: Counter.self, server.load)
///     …
///     await server.call(0).answer([Counter(id: 1)])
final class FakeServer<Value: Cachable>: Sendable {
    /// One call of the fetcher.
    final class Call: Sendable {
        let ids: Set<Value.ID>
        /// The cache that was current in the call.
        let cache = FlatCache.current
        private let reply = Promise<Result<[Value], any Error>>()
        private let cancellation = Promise<Void>()

        fileprivate init(_ ids: Set<Value.ID>) {
            self.ids = ids
        }

        func answer(_ values: [Value]) { reply.fulfil(.success(values)) }

        func fail(_ error: any Error) { reply.fulfil(.failure(error)) }

        /// Waits until the task of the call is cancelled.
        func cancelled() async { await cancellation.value }

        fileprivate func wait() async throws -> [Value] {
            try await withTaskCancellationHandler {
                try await reply.value.get()
            } onCancel: {
                cancellation.fulfil(())
            }
        }
    }

    private let calls = Protected<[Call]>([])
    private let begun = Protected<[Int: Promise<Call>]>([:])

    var callCount: Int { calls.withLock { $0.count } }

    /// Waits for a call to begin.
    func call(_ number: Int) async -> Call { await promise(number).value }

    private func promise(_ number: Int) -> Promise<Call> {
        begun.withLock { begun in
            let promise = begun[number] ?? Promise()
            begun[number] = promise
            return promise
        }
    }

    /// The fetcher.
    var load: @Sendable (Set<Value.ID>) async throws -> [Value] {
        { [self] ids in
            let call = Call(ids)
            let number = calls.withLock { calls in
                calls.append(call)
                return calls.count - 1
            }
            promise(number).fulfil(call)
            return try await call.wait()
        }
    }
}

/// A value that is there once, and that tasks can wait for.
///
/// Waiting ignores cancellation.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Protected(State.open([]))

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .fulfilled(let value): return value
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    /// Gives the value; only the first time counts.
    func fulfil(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .open(let waiting) = state else { return [] }
            state = .fulfilled(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}

/// Lets other tasks run until something has happened.
///
/// A test that waits too long fails and goes on, as at a gate.
func until(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    let deadline = ContinuousClock.now + .seconds(600)
    while !condition() {
        if ContinuousClock.now > deadline {
            Issue.record("waited in vain", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}

struct ServerError: Error, Equatable {
    var number = 0
}
