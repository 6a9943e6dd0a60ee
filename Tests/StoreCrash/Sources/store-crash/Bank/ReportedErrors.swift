import FlatCacheStore
import Synchronization

/// The errors that a cache has reported.
final class ReportedErrors: Sendable {
    private let errors = Mutex<[StoreError]>([])
    private let stream: AsyncStream<StoreError>
    private let continuation: AsyncStream<StoreError>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ error: StoreError) {
        errors.withLock { $0.append(error) }
        continuation.yield(error)
    }

    /// Throws the first error.
    func check() throws {
        if let error = errors.withLock({ $0.first }) { throw Failure("the cache has reported: \(error)") }
    }

    /// Waits for the next error.
    func next() async -> StoreError? { await stream.first { _ in true } }

    /// Forgets all errors.
    func removeAll() { errors.withLock { $0 = [] } }
}
