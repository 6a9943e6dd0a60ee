#if DEBUG
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Merges while other threads write the same entities.
@Suite("Races of merges", .mayBlock)
struct MergingRaces {
    let cache = FlatCache()

    private func entries(_ id: Int = 1) -> [Int]? { cache.get(Merged.self, id: id)?.entries }

    /// The ways in which a thread stores one entity.
    enum Way: CaseIterable {
        case set, batch, transaction, list

        func store(_ value: some Cachable, in cache: FlatCache) {
            switch self {
            case .set: cache.set(value)
            case .batch: cache.set(contentsOf: [value])
            case .transaction: cache.transaction { _ = cache.set(value) }
            case .list: cache.list("list").append(value)
            }
        }
    }

    @Test("P3, N2: The newest of versions in any order remains, and no observer sees an older one after it")
    func newest() async {
        let seen = Recorder<Int>()
        let subscription = cache.observe(Versioned.self, id: 1) { change in
            if let version = change.value?.version { seen.record(version) }
        }
        await onThreadsAndTasks(2) { [cache] thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for version in (1...1_000).shuffled(using: &random) {
                Way.allCases[version % 4].store(Versioned(id: 1, version: version), in: cache)
            }
        }
        #expect(cache.get(Versioned.self, id: 1)?.version == 1_000)
        #expect(seen.elements == seen.elements.sorted() && seen.elements.last == 1_000)
        subscription.cancel()
    }

    @Test("P3: Of unions on four threads nothing is lost", arguments: Way.allCases)
    func union(_ way: Way) {
        let count = Extent.count(80, full: 250)
        onThreads(4) { [cache] thread in
            for number in 0..<count { way.store(Discussion([thread * 1_000 + number]), in: cache) }
        }
        #expect(cache.get(Discussion.self, id: Discussion().id).map { Set($0.commentIDs).count } == 4 * count)
    }

    @Test("P3: A write between a merge and its commit is merged, too", arguments: Way.allCases)
    func overtaken(_ way: Way) {
        cache.set(Merged(1, [1]))
        let calls = Recorder<Int>()
        stopping(at: .listed) {
            cache.set(Merged(1, [2]))
        } _: {
            way.store(Merged(1, [3], Merged.adding { calls.record($0) }), in: cache)
        }
        #expect(calls.count == 2)
        #expect(entries() == [1, 2, 3])
    }

    @Test("P3: A removal between a merge and its commit makes the incoming entity the first", arguments: Way.allCases)
    func removed(_ way: Way) {
        cache.set(Merged(1, [1]))
        stopping(at: .listed) {
            cache.remove(Merged.self, id: 1)
        } _: {
            way.store(Merged(1, [3]), in: cache)
        }
        #expect(entries() == [3])
    }

    @Test("S7, P3: A merge runs at most nine times, although every run is overtaken", arguments: Way.allCases)
    func progress(_ way: Way) {
        cache.set(Merged(1, [1]))
        let calls = Recorder<Int>()
        let runs = Recorder<Int>()
        let merge = Merged.adding { [cache] call in
            calls.record(call)
            // Until the entity is reserved.
            if call <= 8 { RunningThread { cache.set(Merged(1, [call])) }.finish() }
        }
        cache.transaction {
            runs.record(1)
            // The body's own merge is the first call.
            way.store(Merged(1, [0], merge), in: cache)
        }
        #expect(runs.count == 1)
        #expect(calls.count <= 10)
        #expect(entries() == [1] + Array(1...8) + [0])
    }

    @Test("S7, P3: While an entity that is merged is reserved, other threads wait to write it")
    func reserved() {
        cache.set(Merged(1, [1]))
        let waiting = Protected<StoppedThread?>(nil)
        let merge = Merged.adding { [cache] call in
            if call <= 8 { RunningThread { cache.set(Merged(1, [call])) }.finish() }
            if call == 9 {
                waiting.withLock {
                    $0 = StoppedThread(at: .waiting) { cache.update(Merged.self, id: 1) { $0.entries.append(11) } }
                }
            }
        }
        cache.set(Merged(1, [10], merge))
        waiting.withLock { $0 }?.finish()
        #expect(entries() == [1] + Array(1...8) + [10, 11])
    }

    @Test("S7, P3: A large batch gets through beside writers that never stop", arguments: [100, 5_000])
    func besideWriters(count: Int) {
        cache.set(contentsOf: (0..<count).map { Merged($0, [0]) })
        let isStopped = Protected(false)
        let writers = (0..<2).map { number in
            RunningThread { [cache] in
                var random = SeededGenerator(seed: UInt64(number))
                while !isStopped.withLock({ $0 }) {
                    cache.update(Merged.self, id: Int.random(in: 0..<count, using: &random)) { $0.entries[0] += 1 }
                }
            }
        }
        for entry in 1...3 { cache.set(contentsOf: (0..<count).map { Merged($0, [entry]) }) }
        isStopped.withLock { $0 = true }
        for writer in writers { writer.finish() }
        #expect((0..<count).allSatisfy { entries($0)?.dropFirst() == [1, 2, 3] })
    }

    /// The ways to merge more entities than a small commit has.
    enum LargeWay: CaseIterable {
        case batch, transaction, list

        func store(_ values: [Merged], in cache: FlatCache) {
            switch self {
            case .batch: cache.set(contentsOf: values)
            case .transaction: cache.transaction { for value in values { cache.set(value) } }
            case .list: cache.list("list").append(contentsOf: values)
            }
        }
    }

    @Test("S2, P3: A large commit merges with all that comes before it", arguments: LargeWay.allCases)
    func large(_ way: LargeWay) {
        let count = 5_000
        cache.set(contentsOf: (0..<count).map { Merged($0, [1]) })
        let notified = Recorder<ChangeSet>()
        let keys = (0..<100).map { Merged.flatCacheKey(id: $0) }
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        stopping(at: .listed) {
            for id in stride(from: 0, to: count, by: 50) { cache.set(Merged(id, [2])) }
        } _: {
            // Every tenth entity is kept.
            way.store(
                (0..<count).map { id in Merged(id, [3]) { id % 10 == 1 ? nil : Merged.adding($0, $1) } },
                in: cache
            )
        }
        for id in 0..<count {
            #expect(entries(id) == [1] + (id % 50 == 0 ? [2] : []) + (id % 10 == 1 ? [] : [3]))
        }
        #expect(notified.elements.last?.keys == Set(keys.indices.filter { $0 % 10 != 1 }.map { keys[$0] }))
        subscription.cancel()
    }

    @Test("S2, S8, P3: Readers see all of a large commit that merges from one moment on")
    func readersBesideLarge() {
        let count = 5_000
        cache.set(contentsOf: (0..<count).map { Merged($0, [1]) })
        let isRight = Recorder<Bool>()
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            guard case .piece = point, isRight.count < 10 else { return }
            RunningThread {
                let counts = cache.read { (0..<100).map { cache.get(Merged.self, id: $0)?.entries } }
                isRight.record((0..<100).allSatisfy { counts[$0] == ($0 % 2 == 0 ? [1, 2] : [1]) })
            }.finish()
        }
        SyncPoint.$handler.withValue(handler) {
            cache.set(
                contentsOf: (0..<count).map { id in Merged(id, [2]) { id % 2 == 0 ? Merged.adding($0, $1) : nil } }
            )
        }
        #expect(isRight.count > 5 && isRight.elements.allSatisfy { $0 })
    }
}
#endif
