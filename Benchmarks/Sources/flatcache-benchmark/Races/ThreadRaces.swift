import BenchmarkReport
import Dispatch
import FlatCache
import Foundation
import Synchronization

/// What the cache and the baseline do when several threads want something of them.
enum ThreadRaces {
    private static let types: [any Store.Type] = [FlatCacheStore.self, MutexStore.self]

    /// Two threads that read, against one that does.
    static func readers(_ population: Population) -> Race {
        Race("readers/1", "readers/2") {
            filled(with: population).flatMap { store in
                let alone = Contestant.Identity("readers/1", store.name)
                return [
                    Contestant(alone.row, alone.subject, against: nil) { time(1, reading: population.ids, store) },
                    Contestant("readers/2", store.name, against: alone, meaning: .throughput) {
                        time(2, reading: population.ids, store)
                    },
                ]
            }
        }
    }

    private static func time(_ threads: Int, reading ids: [String], _ store: any Store) -> Double {
        time(threads, on: ids) { _ = store.timeGets(of: $0) }
    }

    /// Two threads that set posts of an indexed type with other keys, against one that does.
    static func writers(_ population: Population) -> Race {
        Race("writers/1", "writers/2") {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            cache.buildIndex(.init(\Post.views))
            let rounds = (1...2).map { round in
                population.posts.prefix(20_000).enumerated().map { place, post in
                    var post = post
                    post.views = (place + round) % 1_000
                    return post
                }
            }
            let round = Atomic(0)
            let time: @Sendable (Int) -> Double = { threads in
                // Each measurement stores other keys than the one before.
                let posts = rounds[round.add(1, ordering: .relaxed).newValue % 2]
                return Self.time(threads, on: posts) { for post in $0 { cache.set(post) } }
            }
            let alone = Contestant.Identity("writers/1", FlatCacheStore.name)
            return [
                Contestant(alone.row, alone.subject, against: nil) { time(1) },
                Contestant("writers/2", FlatCacheStore.name, against: alone, meaning: .throughput) { time(2) },
            ]
        }
    }

    /// The time that passes for each item: half of it with two threads that don't hinder each other.
    private static func time<Item: Sendable>(
        _ threads: Int,
        on items: [Item],
        _ work: @escaping @Sendable (ArraySlice<Item>) -> Void
    ) -> Double {
        // Each thread has items of its own, so that they meet at the store and not at an entity.
        let share = items.count / threads
        let turns = 20
        let portion = min(share, items.count / 2) / turns
        let meeting = Meeting(of: threads)
        let run: @Sendable (_ thread: Int) -> Duration = { thread in
            let durations = (0..<turns).map { turn in
                let begin = thread * share + turn * portion
                meeting.meet()
                return ContinuousClock().measure {
                    work(items[begin..<begin + portion])
                    meeting.meet()
                }
            }
            // The shortest is the one in which other processes took least of the processors that two threads need.
            return durations.min() ?? .zero
        }
        for thread in 0..<threads where thread > 0 { Thread.detachNewThread { _ = run(thread) } }
        return run(0).nanoseconds / Double(threads * portion)
    }

    /// Reads while another thread writes without a break, against the same with the baseline.
    static func readerBesideWriter(_ population: Population) -> Race {
        let row = "reader-beside-writer"
        return Race(row) {
            filled(with: population).map { store in
                let measure = repeatedly(on: population.ids) { ids in
                    ContinuousClock().measure { _ = store.timeGets(of: ids) }
                }
                return Contestant(row, store.name, against: .baseline(of: row)) {
                    let writer = Writer(of: population.replacements, into: store)
                    defer { writer.stop() }
                    return measure()
                }
            }
        }
    }

    private static func filled(with population: Population) -> [any Store] {
        types.map { type in
            let store = type.init()
            _ = store.timeBatch(of: population.posts[...])
            return store
        }
    }
}

/// Where threads wait for each other without going to sleep, again and again.
private final class Meeting: Sendable {
    private let threads: Int
    private let arrivals = Atomic(0)

    init(of threads: Int) {
        self.threads = threads
    }

    func meet() {
        let arrival = arrivals.add(1, ordering: .acquiringAndReleasing).oldValue
        let complete = (arrival / threads + 1) * threads
        while arrivals.load(ordering: .acquiring) < complete {}
    }
}

/// A thread that writes until it is stopped.
private final class Writer: Sendable {
    private let shallStop = Atomic(false)
    private let hasStopped = DispatchSemaphore(value: 0)

    /// Returns when the thread has begun to write.
    init(of posts: [Post], into store: any Store) {
        let hasBegun = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            var position = 0
            while !shallStop.load(ordering: .relaxed) {
                let end = min(position + 100, posts.count)
                _ = store.timeSets(of: posts[position..<end])
                if position == 0 { hasBegun.signal() }
                position = end == posts.count ? 0 : end
            }
            hasStopped.signal()
        }
        hasBegun.wait()
    }

    func stop() {
        shallStop.store(true, ordering: .relaxed)
        hasStopped.wait()
    }
}
