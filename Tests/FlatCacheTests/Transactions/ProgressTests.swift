#if DEBUG
import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Bodies get through beside writers that never stop.
@Suite("Progress", .mayBlock)
struct ProgressTests {
    let cache = FlatCache()

    /// Writers on threads of their own, until they are stopped.
    private final class Writers: Sendable {
        private let isStopped = Protected(false)
        private let threads: Protected<[RunningThread]> = Protected([])

        init(_ count: Int, _ write: @escaping @Sendable (Int) -> Void) {
            for number in 0..<count {
                let thread = RunningThread { [isStopped] in
                    while !isStopped.withLock({ $0 }) { write(number) }
                }
                threads.withLock { $0.append(thread) }
            }
        }

        func stop() {
            isStopped.withLock { $0 = true }
            for thread in threads.withLock({ $0 }) { thread.finish() }
        }
    }

    /// Lets another thread commit before a run of a body ends, as long as the body hasn't reserved what it reads.
    private func overtake(in run: Int, _ write: @escaping @Sendable () -> Void) {
        if run <= 8 { RunningThread(write).finish() }
    }

    @Test("S7: An update runs at most nine times, although every run is overtaken")
    func update() {
        cache.set(Counter(id: 1))
        let runs = Protected(0)
        cache.update(Counter.self, id: 1) { counter in
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            overtake(in: run) { [cache] in cache.set(Counter(id: 1, count: run)) }
            counter.count += 1_000
        }
        #expect(runs.withLock { $0 } == 9)
        #expect(cache.get(Counter.self, id: 1)?.count == 1_008)
    }

    @Test("S7: While a body has reserved what it reads, other threads wait to write it, and only that")
    func reservedKeyOnly() {
        for id in 1...100 { cache.set(Counter(id: id)) }
        let runs = Protected(0)
        let waiting = Protected<StoppedThread?>(nil)
        cache.update(Counter.self, id: 1) { counter in
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            overtake(in: run) { [cache] in cache.set(Counter(id: 1, count: run)) }
            if run > 8 {
                // Reads don't wait, and neither do writes of other keys, in the same shard or not.
                RunningThread { [cache] in
                    _ = cache.get(Counter.self, id: 1)
                    _ = cache.allValues(of: Counter.self)
                    for id in 2...100 { cache.set(Counter(id: id, count: 1)) }
                }.finish()
                waiting.withLock {
                    $0 = StoppedThread(at: .waiting) { [cache] in cache.update(Counter.self, id: 1) { $0.count += 1 } }
                }
            }
            counter.count = 1_000
        }
        waiting.withLock { $0 }?.finish()
        #expect(runs.withLock { $0 } == 9)
        #expect(cache.get(Counter.self, id: 1)?.count == 1_001)
    }

    @Test(
        "S7: A transaction that reads keys, missing ones, and whole types runs at most nine times",
        arguments: [true, false]
    )
    func transaction(readsAll: Bool) {
        for id in 0..<20 { cache.set(Counter(id: id, count: 1)) }
        let runs = Protected(0)
        let sum = cache.transaction {
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            let sum =
                readsAll
                ? cache.allValues(of: Counter.self).reduce(0) { $0 + $1.count }
                : (0..<40).reduce(0) { $0 + (cache.get(Counter.self, id: $1)?.count ?? 0) }
            overtake(in: run) { [cache] in cache.set(Counter(id: 19 + run, count: 1)) }
            cache.set(Post(id: "sum", likes: sum))
            return sum
        }
        #expect(runs.withLock { $0 } == 9)
        #expect(sum == 28)
        #expect(cache.get(Post.self, id: "sum")?.likes == 28)
    }

    @Test("S7: A list's update gets through beside those who append")
    func listUpdate() {
        let list = cache.list("home", of: Counter.self)
        list.append(ids: 0..<10)
        let runs = Protected(0)
        list.update { ids in
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            overtake(in: run) { list.append(ids: [100 + run]) }
            ids.reverse()
        }
        #expect(runs.withLock { $0 } == 9)
        #expect(list.count == 18 && list.ids.first == 108)
    }

    @Test("S7: Transactions over two caches, crosswise, get through beside writers that never stop")
    func crosswise() {
        let other = FlatCache()
        let numbers = Protected(SeededGenerator(seed: 1))
        let writers = Writers(2) { [cache] number in
            let id = numbers.withLock { $0.below(4) }
            (number == 0 ? cache : other).update(Counter.self, id: id) { $0.count += 1 }
        }
        for id in 0..<4 {
            cache.set(Counter(id: id))
            other.set(Counter(id: id))
        }
        let transfers = [(cache, other), (other, cache)].map { outer, inner in
            RunningThread {
                for _ in 0..<20 {
                    outer.transaction {
                        _ = outer.allValues(of: Counter.self).count
                        inner.transaction {
                            _ = inner.get(Counter.self, id: 1)
                            inner.set(Post(id: "1", likes: 1))
                        }
                        outer.update(Post.self, id: "1") { $0.likes += 1 }
                        outer.set(Counter(id: 5))
                    }
                }
            }
        }
        for transfer in transfers { transfer.finish() }
        writers.stop()
    }

    @Test("S7: A body that has reserved one key may wait for a thread that reserves another")
    func reservationsOfSeveralThreads() {
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 2))
        let otherRuns = Protected(0)
        let update: @Sendable (Int, Protected<Int>, @Sendable () -> Void) -> Void = { [cache] id, runs, last in
            cache.update(Counter.self, id: id) { counter in
                let run = runs.withLock {
                    $0 += 1
                    return $0
                }
                if run <= 8 { RunningThread { cache.set(Counter(id: id, count: run)) }.finish() } else { last() }
                counter.count += 100
            }
        }
        let runs = Protected(0)
        update(1, runs) {
            RunningThread { update(2, otherRuns) {} }.finish()
        }
        #expect(runs.withLock { $0 } == 9 && otherRuns.withLock { $0 } == 9)
        #expect((1...2).map { cache.get(Counter.self, id: $0)?.count } == [108, 108])
    }

    @Test("S7: Of two threads that reserve what the other writes, the older one goes on, and the other runs again")
    func reservationsCrosswise() {
        for id in 1...2 { cache.set(Counter(id: id)) }
        let gates = (Gate("the older one has reserved"), Gate("the younger one has reserved"))
        let runs = (Protected(0), Protected(0))
        let body: @Sendable (Int, Protected<Int>, @Sendable () -> Void) -> Void = { [cache] id, runs, reserved in
            cache.transaction {
                let run = runs.withLock {
                    $0 += 1
                    return $0
                }
                let count = cache.get(Counter.self, id: id)?.count ?? 0
                if run <= 8 { RunningThread { cache.set(Counter(id: id, count: run)) }.finish() }
                if run == 9 { reserved() }
                cache.set(Counter(id: 3 - id, count: count + 100))
            }
        }
        let older = RunningThread {
            body(1, runs.0) {
                gates.0.open()
                gates.1.wait()
            }
        }
        gates.0.wait()
        body(2, runs.1) { gates.1.open() }
        older.finish()
        #expect(runs.0.withLock { $0 } == 9)
        #expect(runs.1.withLock { $0 } == 10)
        // The younger one has read what the older one has written.
        #expect((1...2).map { cache.get(Counter.self, id: $0)?.count } == [208, 108])
    }

    @Test("S7: A thread inside of a callback never waits for a reserved body, which runs again then")
    func callbackGoesThrough() {
        cache.set(Counter(id: 1))
        // An observer of another key writes what the body has reserved.
        let subscription = cache.observe([Post.flatCacheKey(id: "1")], initial: false) { [cache] _ in
            cache.update(Counter.self, id: 1) { $0.count += 1 }
        }
        let runs = Protected(0)
        cache.update(Counter.self, id: 1) { counter in
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            overtake(in: run) { [cache] in cache.set(Counter(id: 1, count: 0)) }
            // The writer itself waits for nobody, because it writes another key; its callback does neither.
            if run == 9 { RunningThread { [cache] in cache.set(Post(id: "1", likes: run)) }.finish() }
            counter.count += 100
        }
        #expect(runs.withLock { $0 } == 10)
        #expect(cache.get(Counter.self, id: 1)?.count == 101)
        subscription.cancel()
    }

    @Test("S7: Whole-type transactions and long updates end beside writers that never stop")
    func besideWriters() {
        for id in 0..<2_000 { cache.set(Counter(id: id)) }
        let numbers = Protected(SeededGenerator(seed: 1))
        let writers = Writers(3) { [cache] number in
            cache.set(Counter(id: numbers.withLock { $0.below(2_000) }, count: number))
            cache.update(Counter.self, id: 1) { $0.count += 1 }
        }
        for _ in 0..<3 {
            cache.transaction {
                let count = cache.allValues(of: Counter.self).count
                cache.set(Post(id: "count", likes: count))
            }
            let runs = Protected(0)
            cache.update(Counter.self, id: 1) { counter in
                runs.withLock { $0 += 1 }
                for _ in 0..<2_000 { counter.count = (counter.count &* 31) % 1_000_003 }
            }
            #expect(runs.withLock { $0 } <= 9)
        }
        writers.stop()
        #expect(cache.get(Post.self, id: "count")?.likes == 2_000)
    }

    @MainActor
    @Test("S7: A body on the main thread gets through, too")
    func onMainThread() {
        cache.set(Counter(id: 1))
        let writers = Writers(2) { [cache] number in cache.set(Counter(id: 1, count: number)) }
        for _ in 0..<5 {
            cache.transaction {
                let count = cache.get(Counter.self, id: 1)?.count ?? 0
                for _ in 0..<500 { _ = cache.get(Counter.self, id: count) }
                cache.set(Post(id: "1", likes: count))
            }
        }
        writers.stop()
    }

    @Test("S7: An observer that writes what is updated doesn't keep the update from its end")
    func observerThatWrites() {
        let writers = Writers(1) { [cache] _ in cache.update(Counter.self, id: 2) { $0.count += 1 } }
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 2))
        let subscription = cache.observe([Counter.flatCacheKey(id: 2)], initial: false) { [cache] _ in
            cache.update(Counter.self, id: 1) { $0.count += 1 }
        }
        for _ in 0..<20 { cache.update(Counter.self, id: 1) { $0.count += 1 } }
        writers.stop()
        subscription.cancel()
    }
}
#endif
