#if DEBUG
import FlatCache

/// What a thread of a random stress has done, for the promises that count it.
final class StressLedger: @unchecked Sendable {  // Used by its own thread alone, but for `step`.
    /// That of the calling thread.
    @TaskLocal static var ofThread: StressLedger?

    let isReader: Bool
    /// What the thread is doing, for the report of a round that doesn't end.
    let step = Protected("begins")
    /// The commits of the current step, and the observers that have begun in it; each may call an observer twice.
    var commits = 0
    /// The calls of observers in the current step.
    private var calls: [Int: Int] = [:]
    /// When the last call of an observer on this thread has begun; 0 for never.
    var lastCall: UInt64 = 0
    /// At how many pieces of an operation on whole types to see whether readers get through.
    var piecesToCheck = 0

    init(isReader: Bool = false) {
        self.isReader = isReader
    }

    func begin(_ step: String) {
        self.step.withLock { $0 = step }
        commits = 0
        calls = [:]
    }

    /// Notes a call of an observer.
    ///
    /// - Returns: Whether it is one that a commit of the thread may make.
    func noteCall(of observer: Int) -> Bool {
        calls[observer, default: 0] += 1
        return calls[observer, default: 0] <= 2 * commits
    }
}
#endif
