import FlatCache
import Foundation
import Synchronization

/// A thread that reads posts, one after the other, and notes how long the longest of its reads took.
final class LongestWait: Sendable {
    private let shallStop = Atomic(false)
    private let longest = Atomic<Int64>(0)
    private let hasStopped = DispatchSemaphore(value: 0)

    /// Returns when the thread has begun to read.
    init(of ids: [String], in cache: FlatCache) {
        let hasBegun = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            let clock = ContinuousClock()
            var place = 0
            while !shallStop.load(ordering: .relaxed) {
                let begin = clock.now
                _ = cache.get(Post.self, id: ids[place])
                let wait = (clock.now - begin).microseconds
                if wait > longest.load(ordering: .relaxed) { longest.store(wait, ordering: .relaxed) }
                if place == 0 { hasBegun.signal() }
                // All over the shards, and far from what was read before.
                place = (place + 7_919) % ids.count
            }
            hasStopped.signal()
        }
        hasBegun.wait()
        // What the beginning of the thread took is no wait.
        longest.store(0, ordering: .relaxed)
    }

    /// Stops the thread.
    ///
    /// - Returns: Its longest read in milliseconds.
    func stop() -> Double {
        shallStop.store(true, ordering: .relaxed)
        hasStopped.wait()
        return Double(longest.load(ordering: .relaxed)) / 1_000
    }
}

extension Duration {
    var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

    var milliseconds: Double { Double(microseconds) / 1_000 }
}
