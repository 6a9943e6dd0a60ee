#if DEBUG
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Commits of many entities and of whole types, seen while they are being made.
@Suite("Large commits", .mayBlock)
struct LargeCommitTests {
    let cache = FlatCache()
    static let count = 5_000

    /// The large commits.
    enum Way: CaseIterable {
        case batch, transaction, removal, removalOfEverything, replacement

        /// Makes counters 0..<count have the value 2, or none.
        func commit(to cache: FlatCache) {
            let counters = (0..<count).map { Counter(id: $0, count: 2) }
            switch self {
            case .batch: cache.set(contentsOf: counters)
            case .transaction: cache.transaction { for counter in counters { cache.set(counter) } }
            case .removal: cache.removeAll(of: Counter.self)
            case .removalOfEverything: cache.removeAll()
            case .replacement:
                cache.transaction {
                    cache.removeAll(of: Counter.self)
                    cache.set(contentsOf: counters.prefix(100))
                }
            }
        }

        func result(_ id: Int) -> Int? {
            switch self {
            case .batch, .transaction: 2
            case .removal, .removalOfEverything: nil
            case .replacement: id < 100 ? 2 : nil
            }
        }
    }

    private func fill() {
        cache.set(contentsOf: (0..<Self.count).map { Counter(id: $0, count: 1) })
        for id in 0..<50 { cache.set(Post(id: "\(id)")) }
    }

    /// What readers see by all ways to read.
    private static func look(_ cache: FlatCache, _ handles: [Cached<Counter>], _ expected: (Int) -> Int?) -> Bool {
        let ids = Array(stride(from: 0, to: count, by: 37))
        return ids.allSatisfy { cache.get(Counter.self, id: $0)?.count == expected($0) }
            && ids.allSatisfy { cache.get(Counter.self, id: $0, \.count) == expected($0) }
            && ids.allSatisfy { cache.contains(Counter.self, id: $0) == (expected($0) != nil) }
            && handles.allSatisfy { $0.value?.count == expected($0.id) && $0.count == expected($0.id) }
    }

    @Test(
        "S2, S8: Readers see all of a large commit from one moment on, and don't wait for it",
        arguments: Way.allCases
    )
    func readersBeside(way: Way) {
        fill()
        let handles = (0..<40).map { Cached(Counter.self, id: $0 * 7, in: cache) }
        let before = Recorder<Bool>()
        let during = Recorder<Bool>()
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            switch point {
            case .listed:
                RunningThread { before.record(Self.look(cache, handles) { _ in 1 }) }.finish()
            case .drawn, .piece:
                guard during.count < 40 else { return }
                RunningThread {
                    during.record(
                        Self.look(cache, handles, way.result) && cache.read { Self.look(cache, handles, way.result) }
                    )
                }.finish()
            default: break
            }
        }
        SyncPoint.$handler.withValue(handler) { way.commit(to: cache) }
        #expect(before.elements.allSatisfy { $0 } && before.count > 0)
        #expect(during.elements.allSatisfy { $0 } && during.count > 10)
        #expect(Self.look(cache, handles, way.result))
        #expect(cache.count(of: Counter.self) == (0..<Self.count).count { way.result($0) != nil })
    }

    @Test("S3: A snapshot from before a large commit shows none of it, one from after it all", arguments: Way.allCases)
    func snapshots(way: Way) {
        fill()
        let isRight = Recorder<Bool>()
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            guard case .piece = point, isRight.count < 10 else { return }
            RunningThread {
                isRight.record(cache.read { Self.look(cache, [], way.result) })
            }.finish()
        }
        cache.read {
            RunningThread { [cache] in SyncPoint.$handler.withValue(handler) { way.commit(to: cache) } }.finish()
            #expect(Self.look(cache, []) { _ in 1 })
            #expect(cache.allValues(of: Counter.self).count == Self.count)
            #expect(cache.allValues(of: Counter.self).allSatisfy { $0.count == 1 })
            #expect(cache.count(of: Counter.self) == Self.count)
        }
        #expect(isRight.elements.allSatisfy { $0 } && isRight.count > 5)
        #expect(Self.look(cache, [], way.result))
    }

    @Test("S1: Writers of the same keys come after a large commit", arguments: Way.allCases)
    func writersBeside(way: Way) {
        fill()
        let writers = Recorder<RunningThread>()
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            guard case .drawn = point, writers.count == 0 else { return }
            writers.record(RunningThread { cache.set(Counter(id: 1, count: 9)) })
            writers.record(RunningThread { cache.update(Counter.self, id: 2) { $0.count += 10 } })
            writers.record(RunningThread { cache.remove(Counter.self, id: 3) })
            writers.record(
                RunningThread { cache.set(contentsOf: [Counter(id: 4, count: 9), Counter(id: 5, count: 9)]) }
            )
            writers.record(RunningThread { cache.transaction { _ = cache.set(Counter(id: 6, count: 9)) } })
            writers.record(RunningThread { _ = Cached(Counter.self, id: 6_000, in: cache).value })
        }
        SyncPoint.$handler.withValue(handler) { way.commit(to: cache) }
        for writer in writers.elements { writer.finish() }
        let values = (1...6).map { cache.get(Counter.self, id: $0)?.count }
        #expect(values == [9, way.result(2).map { $0 + 10 }, nil, 9, 9, 9])
    }

    @Test("N3, N4: Observers are notified of a large commit once, whatever they observe", arguments: Way.allCases)
    func observers(way: Way) {
        fill()
        let one = Recorder<Int?>()
        let many = Recorder<Int>()
        let all = Recorder<Int>()
        let subscriptions = [
            cache.observe(Counter.self, id: 7) { one.record($0.value?.count) },
            cache.observe((0..<1_000).map { Counter.flatCacheKey(id: $0) }, initial: false) {
                many.record($0.keys.count)
            },
            cache.observe {
                cache.count(of: Counter.self) + cache.allValues(of: Counter.self).reduce(0) { $0 + $1.count }
            } onChange: {
                all.record($0)
            },
        ]
        way.commit(to: cache)
        #expect(one.elements == [1, way.result(7)])
        #expect(many.elements == [1_000])
        #expect(all.count == 2)
        for subscription in subscriptions { subscription.cancel() }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("S3: An iteration over all entities sees them as they were, whatever is changed meanwhile")
    func walkBesideWriters() {
        fill()
        let pieces = Protected(0)
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            guard case .piece = point else { return }
            let piece = pieces.withLock {
                $0 += 1
                return $0
            }
            RunningThread {
                switch piece {
                case 1: for id in 0..<200 { cache.remove(Counter.self, id: id) }
                case 2: for id in 200..<400 { cache.set(Counter(id: id, count: 5)) }
                case 3: cache.set(contentsOf: (6_000..<9_000).map { Counter(id: $0, count: 5) })
                case 4: cache.removeAll(of: Counter.self)
                case 5: cache.set(contentsOf: (0..<100).map { Counter(id: $0, count: 7) })
                default: break
                }
            }.finish()
        }
        let values = SyncPoint.$handler.withValue(handler) { cache.allValues(of: Counter.self) }
        #expect(values.map(\.id).sorted() == Array(0..<Self.count))
        #expect(values.allSatisfy { $0.count == 1 })
        #expect(cache.count(of: Counter.self) == 100)
        #expect(cache.slotCount(of: Counter.self) == 100)
    }

    @Test("S2: A large transaction whose reads are out of date runs again")
    func outdated() {
        fill()
        let runs = Protected(0)
        cache.transaction {
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            let count = cache.get(Post.self, id: "1")?.likes ?? 0
            if run == 1 { RunningThread { [cache] in cache.set(Post(id: "1", likes: 4)) }.finish() }
            for id in 0..<Self.count { cache.set(Counter(id: id, count: count)) }
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(cache.get(Counter.self, id: 17)?.count == 4)
    }

    @Test("N7: Nothing is kept when snapshots are closed, in whatever order", arguments: [20, 12_000])
    func nothingIsKept(count: Int) {
        let alive = Protected(0)
        let closings = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1]]
        for order in closings.prefix(count < smallCommit ? 5 : Extent.count(2, full: 5)) {
            let gates = (0..<3).map { Gate("snapshot \($0) may be closed") }
            let opened = (0..<3).map { Gate("snapshot \($0) is open") }
            var readers: [RunningThread] = []
            for number in 0..<3 {
                cache.set(contentsOf: (0..<count).map { Counted($0, alive) })
                readers.append(
                    RunningThread { [cache] in
                        cache.read {
                            opened[number].open()
                            gates[number].wait()
                            #expect(cache.allValues(of: Counted.self).count == count)
                        }
                    }
                )
                opened[number].wait()
            }
            cache.set(contentsOf: (0..<count).map { Counted($0, alive) })
            #expect(alive.withLock { $0 } == count * 4)
            for (closed, number) in order.enumerated() {
                gates[number].open()
                readers[number].finish()
                #expect(alive.withLock { $0 } == count * 4 - count * (closed + 1))
            }
        }
        cache.removeAll()
        #expect(alive.withLock { $0 } == 0)
        #expect(cache.slotCount(of: Counted.self) == 0)
    }

    @Test("N7, H1: Handles that come and go while a type is cleared keep their keys, and leave nothing behind")
    func handlesBesideClearing() {
        let count = 24_000
        let ids = Array(0..<count)
        cache.set(contentsOf: ids.map { Counter(id: $0, count: 1) })
        let released = Protected(ids.map { Cached(Counter.self, id: $0, in: cache) })
        let kept = stride(from: 0, to: count, by: 1_000).map { Cached(Counter.self, id: $0, in: cache) }
        let handler: @Sendable (SyncPoint) -> Void = { point in
            guard case .piece = point else { return }
            // Taken and released by the thread before it ends.
            RunningThread {
                let piece = released.withLock { handles in
                    let piece = Array(handles.suffix(200))
                    handles.removeLast(piece.count)
                    return piece
                }
                withExtendedLifetime(piece) {}
            }.finish()
        }
        SyncPoint.$handler.withValue(handler) { cache.removeAll(of: Counter.self) }
        #expect(released.withLock { $0.count } < count / 2)
        released.withLock { $0 = [] }
        #expect(cache.slotCount(of: Counter.self) == kept.count)
        #expect(cache.count(of: Counter.self) == 0)
        cache.set(contentsOf: ids.map { Counter(id: $0, count: 2) })
        #expect(kept.allSatisfy { $0.count == 2 })
    }

    @Test("S2: Large commits of several threads follow each other")
    func severalLargeCommits() {
        onThreads(4) { [cache] number in
            for round in 0..<4 {
                if (number + round) % 3 == 0 {
                    cache.removeAll(of: Counter.self)
                } else {
                    cache.set(contentsOf: (0..<Self.count).map { Counter(id: $0, count: number) })
                }
                let values = Set(cache.read { cache.allValues(of: Counter.self).map(\.count) })
                #expect(values.count <= 1)
            }
        }
    }
}
#endif
