#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// A thread that stops when it comes to a race point, until the test lets it go on.
///
///     let commit = StoppedThread(at: .committed) { cache.set(post) }
///     …                  // the commit is made, and nobody has been notified
///     commit.finish()    // now everybody is
final class StoppedThread: Sendable {
    private let departure = Gate("a stopped thread may go on")
    private let thread: RunningThread

    /// Starts a thread, and waits until it has stopped.
    ///
    /// - Parameters:
    ///   - point: Where to stop, the first time that the thread comes there.
    ///   - body: What the thread does.
    init(at point: SyncPoint, _ body: @escaping @Sendable () -> Void) {
        let arrival = Gate("a thread comes to the point \(point)")
        let isStopped = Protected(false)
        thread = RunningThread { [departure] in
            let stop: @Sendable () -> Void = {
                arrival.open()
                departure.wait()
            }
            SyncPoint.$handler.withValue(first(point, isStopped, stop), operation: body)
            if !isStopped.withLock({ $0 }) {
                Issue.record("the thread has not come to the point \(point)")
                arrival.open()
            }
        }
        arrival.wait()
    }

    deinit {
        departure.open()
    }

    /// Lets the thread go on, and waits for its end.
    func finish() {
        departure.open()
        thread.finish()
    }
}

/// Runs a body; when it comes to a race point for the first time, another thread does something meanwhile.
///
/// - Parameters:
///   - point: Where the calling thread waits until the other has done it.
///   - action: What the other thread does.
///   - body: What the calling thread does.
/// - Returns: What the body returns.
func stopping<Result>(
    at point: SyncPoint,
    while action: @escaping @Sendable () -> Void,
    _ body: () throws -> Result
) rethrows -> Result {
    let isStopped = Protected(false)
    let stop: @Sendable () -> Void = { RunningThread(action).finish() }
    defer { #expect(isStopped.withLock { $0 }, "the thread has not come to the point \(point)") }
    return try SyncPoint.$handler.withValue(first(point, isStopped, stop), operation: body)
}

/// A handler that does something at the first time at which the calling thread comes to a point.
///
/// The tasks that it starts inherit the handler, and don't stop.
private func first(
    _ point: SyncPoint,
    _ isStopped: Protected<Bool>,
    _ stop: @escaping @Sendable () -> Void
) -> @Sendable (SyncPoint) -> Void {
    let thread = ThreadIdentity.current
    return { reached in
        guard reached == point, ThreadIdentity.current == thread else { return }
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { stop() }
    }
}
#endif
