import Foundation
import Synchronization
import TestThreads

/// Lets several threads go on at the same moment, again and again.
///
/// It spins rather than sleeps, because a thread that is woken up comes too late to meet the others.
final class SpinningBarrier: Sendable {
    private let count: Int
    private let arrivals = Atomic(0)

    init(of count: Int) {
        self.count = count
    }

    /// Returns once all threads have come here equally often.
    func wait() {
        willBlock()
        let arrival = arrivals.add(1, ordering: .acquiringAndReleasing).oldValue
        let last = (arrival / count + 1) * count
        var turns = 0
        while arrivals.load(ordering: .acquiring) < last {
            turns += 1
            // There may be more threads than processors.
            if turns % 200 == 0 { sched_yield() }
        }
    }
}

/// A moment in which others may run.
///
/// - Parameter length: How long; some lengths let another thread have the processor.
func pause(_ length: Int) {
    if length % 4 == 3 {
        sched_yield()
        return
    }
    let turns = Atomic(0)
    while turns.add(1, ordering: .relaxed).newValue < length {}
}
