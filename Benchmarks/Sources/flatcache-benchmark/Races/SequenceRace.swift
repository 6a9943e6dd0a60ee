import BenchmarkReport
import FlatCache
import Foundation
import Synchronization

/// The way of a post from the thread that sets it to a task that waits for it, against a bare `AsyncStream`.
enum SequenceRace {
    static func race() -> Race {
        let row = "async-sequence"
        let reference = Contestant.Identity(row, "AsyncStream")
        return Race(row) {
            [
                Contestant(row, FlatCacheStore.name, against: reference, measure: throughCache()),
                Contestant(row, reference.subject, against: reference, measure: throughStream()),
            ]
        }
    }

    private static func throughCache() -> () -> Double {
        let cache = FlatCache()
        var post = Post(number: 0)
        cache.set(post)
        let reader = Reader(cache.updates(of: Post.self, id: post.id))
        return {
            reader.time { likes in
                post.likes = likes
                cache.set(post)
            }
        }
    }

    private static func throughStream() -> () -> Double {
        let (stream, continuation) = AsyncStream.makeStream(of: Post?.self, bufferingPolicy: .bufferingNewest(1))
        let reader = Reader(stream)
        var post = Post(number: 0)
        return {
            reader.time { likes in
                post.likes = likes
                continuation.yield(post)
            }
        }
    }

    /// A task that reads posts and tells how many likes the last one had.
    private final class Reader: Sendable {
        private let seen: Seen
        private let task: Task<Void, Never>

        private final class Seen: Sendable {
            let likes = Atomic<Int>(0)
        }

        init<Posts: AsyncSequence & Sendable>(_ posts: Posts) where Posts.Element == Post?, Posts.Failure == Never {
            let seen = Seen()
            self.seen = seen
            task = Task.detached {
                for await case let post? in posts { seen.likes.store(post.likes, ordering: .releasing) }
            }
        }

        deinit {
            task.cancel()
        }

        /// Sends posts, each when the one before it has been read.
        func time(_ send: (_ likes: Int) -> Void) -> Double {
            let count = 2_000
            let first = seen.likes.load(ordering: .relaxed) + 1
            let duration = ContinuousClock().measure {
                for likes in first..<first + count {
                    send(likes)
                    while seen.likes.load(ordering: .acquiring) != likes { sched_yield() }
                }
            }
            return duration.nanoseconds / Double(count)
        }
    }
}
