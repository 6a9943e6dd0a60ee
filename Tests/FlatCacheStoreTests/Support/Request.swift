/// A request that waits until a test answers it.
struct Request: Sendable {
    private let answers = AsyncStream<(any Error)?>.makeStream()

    func answer(_ error: (any Error)? = nil) { answers.continuation.yield(error) }

    func send() async throws {
        for await error in answers.stream {
            if let error { throw error }
            return
        }
    }
}
