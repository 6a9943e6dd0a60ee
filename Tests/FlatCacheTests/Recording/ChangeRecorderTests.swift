import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Changes that a store takes", .mayBlock)
struct ChangeRecorderTests {
    @Test("D1: The changes have what each kind of write has changed, and nothing else")
    func kinds() {
        let cache = FlatCache()
        cache.set(Counter(id: 0))
        let recorder = ChangeRecorder.recording(cache)
        var disk = DiskModel()
        func expectChanges(_ count: Int, _ comment: Comment, _ body: () -> Void) {
            body()
            let changes = recorder.take(from: cache, time: 1)
            #expect(disk.apply(changes) == count, comment)
            changes.end(isWritten: true)
            var state = DiskModel(of: cache, lists: ["a"], references: ["r"])
            // It was stored before the recorder began.
            if state.counters[0] == Counter(id: 0) { state.counters[0] = nil }
            #expect(disk == state, comment)
        }
        expectChanges(0, "nothing") {}
        expectChanges(1, "set") { cache.set(Counter(id: 1)) }
        expectChanges(3, "batch") { cache.set(contentsOf: (2...4).map { Counter(id: $0) }) }
        expectChanges(1, "update") { cache.update(Counter.self, id: 1) { $0.count += 1 } }
        expectChanges(1, "many updates") { for _ in 0..<9 { cache.update(Counter.self, id: 1) { $0.count += 1 } } }
        expectChanges(1, "removal") { cache.remove(Counter.self, id: 2) }
        expectChanges(2, "transaction") {
            cache.transaction {
                cache.set(Post(id: "1"))
                cache.set(Counter(id: 7))
            }
        }
        expectChanges(1, "handle") { Cached(Post.self, id: "1", in: cache).update { $0.likes = 9 } }
        expectChanges(0, "list") { cache.list("a", of: Counter.self).append(ids: [3, 4]) }
        expectChanges(1, "list with an entity") { cache.list("a", of: Counter.self).append(Counter(id: 8)) }
        expectChanges(0, "reference") { cache.reference("r", of: Counter.self).id = 3 }
        expectChanges(0, "no reference") { cache.reference("r", of: Counter.self).id = nil }
        expectChanges(0, "no list") { cache.list("a", of: Counter.self).removeAll() }
        expectChanges(0, "all of a type") { cache.removeAll(of: Counter.self) }
        expectChanges(1, "replaced all") { cache.replaceAll(of: Counter.self, with: [Counter(id: 5)]) }
        expectChanges(0, "all") { cache.removeAll() }
        expectChanges(5_000, "large batch") { cache.set(contentsOf: (0..<5_000).map { Counter(id: $0, count: 1) }) }
        expectChanges(5_000, "large transaction") {
            cache.transaction { for id in 0..<5_000 { cache.set(Counter(id: id, count: 2)) } }
        }
    }

    @Test("D1: The changes are those of one state, while others write")
    func oneState() {
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0) })
        let changes = recorder.take(from: cache, time: 1)
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0, count: 1) })
        cache.removeAll(of: Counter.self)
        var disk = DiskModel()
        #expect(disk.apply(changes) == 1_000)
        #expect(disk.counters.values.allSatisfy { $0.count == 0 })
        changes.end(isWritten: true)
        let later = recorder.take(from: cache, time: 1)
        disk.apply(later)
        later.end(isWritten: true)
        #expect(disk == DiskModel())
    }

    @Test("D3: Changes that weren't written are part of the next ones", arguments: [false, true])
    func failure(_ isCleared: Bool) {
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2), Counter(id: 3)])
        var disk = DiskModel()
        var changes = recorder.take(from: cache, time: 1)
        disk.apply(changes)
        changes.end(isWritten: true)
        if isCleared { cache.removeAll(of: Counter.self) } else { cache.remove(Counter.self, id: 2) }
        cache.set(Counter(id: 1, count: 5))
        changes = recorder.take(from: cache, time: 1)
        cache.set(Counter(id: 1, count: 6))
        changes.end(isWritten: false)
        changes = recorder.take(from: cache, time: 1)
        disk.apply(changes)
        changes.end(isWritten: true)
        #expect(disk == DiskModel(of: cache))
        changes = recorder.take(from: cache, time: 1)
        #expect(changes.isEmpty)
    }

    @Test("The recorder signals the first change after each taking, once")
    func signal() {
        let count = Protected(0)
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache) { count.withLock { $0 += 1 } }
        for _ in 0..<3 { cache.set(Counter(id: 1)) }
        cache.set(Post(id: "1"))
        #expect(count.withLock { $0 } == 1)
        recorder.take(from: cache, time: 1).end(isWritten: true)
        #expect(count.withLock { $0 } == 1)
        cache.removeAll(of: Post.self)
        #expect(count.withLock { $0 } == 2)
        recorder.take(from: cache, time: 1).end(isWritten: false)
        #expect(count.withLock { $0 } == 3, "the changes that weren't written")
    }

    @Test("A commit from the store isn't recorded, and has the origin of a restore")
    func fromStore() {
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        let origins = Protected<[FlatCache.Origin?]>([])
        let subscription = cache.observe(all: Counter.self) { changes in origins.withLock { $0.append(changes.origin) }
        }
        cache.commitFromStore { $0.set(RestoredEntity(Counter(id: 1), ordinal: 0, stamp: 0)) }
        #expect(cache.contains(Counter.self, id: 1))
        #expect(recorder.take(from: cache, time: 1).isEmpty)
        cache.commitFromStore { $0.remove(Counter.self, id: 1) }
        #expect(recorder.take(from: cache, time: 1).isEmpty)
        #expect(origins.withLock { $0 } == [.restore, .restore])
        subscription.cancel()
    }

    @Test("N7: Removed entities leave nothing behind when their changes are written")
    func memory() {
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        for round in 0..<3 {
            for id in 0..<2_000 { cache.set(Counter(id: id + round * 2_000)) }
            recorder.take(from: cache, time: 1).end(isWritten: true)
            for id in 0..<2_000 { cache.remove(Counter.self, id: id + round * 2_000) }
            recorder.take(from: cache, time: 1).end(isWritten: true)
        }
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("N7: A stopped recorder leaves nothing behind")
    func stopped() {
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        cache.set(contentsOf: (0..<100).map { Counter(id: $0) })
        cache.remove(Counter.self, id: 1)
        recorder.stop()
        #expect(cache.slotCount(of: Counter.self) == 99)
        for id in 0..<100 { cache.remove(Counter.self, id: id) }
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("A recorder that is stopped after its cache is deallocated uses no dropped slot")
    func deallocated() {
        var cache: FlatCache? = FlatCache()
        guard let recorder = cache.map({ ChangeRecorder.recording($0) }) else { return }
        cache?.set(contentsOf: (0..<1_000).map { Counter(id: $0) })
        cache?.remove(Counter.self, id: 1)
        let handle = cache.map { Cached(Counter.self, id: 2, in: $0) }
        cache = nil
        // Other caches use the memory.
        let others = (0..<4).map { _ in FlatCache() }
        for other in others { other.set(contentsOf: (0..<1_000).map { Counter(id: $0) }) }
        recorder.stop()
        for other in others { #expect(other.allValues(of: Counter.self).count == 1_000) }
        #expect(handle?.value == nil)
    }

    @Test(
        "D1: After random writes, the changes lead to the state of the cache",
        arguments: Seeds.first(20, full: 2_000)
    )
    func random(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        var disk = DiskModel()
        let names = ["a", "b"]
        for _ in 0..<200 {
            randomWrite(to: cache, &generator)
            guard generator.below(8) == 0 else { continue }
            let changes = recorder.take(from: cache, time: 1)
            let state = DiskModel(of: cache, lists: names, references: names)
            for _ in 0..<generator.below(4) { randomWrite(to: cache, &generator) }
            let isWritten = generator.below(3) > 0
            if isWritten { disk.apply(changes) }
            changes.end(isWritten: isWritten)
            if isWritten { #expect(disk == state, "seed \(seed)") }
        }
    }

    private func randomWrite(to cache: FlatCache, _ generator: inout SeededGenerator) {
        let id = generator.below(6)
        let count = generator.below(100)
        let name = generator.pick(from: ["a", "b"])
        let list = cache.list(name, of: Counter.self, dropsRemoved: generator.below(4) == 0)
        switch generator.below(14) {
        case 0...3: cache.set(Counter(id: id, count: count))
        case 4: cache.update(Counter.self, id: id) { $0.count += 1 }
        case 5: cache.remove(Counter.self, id: id)
        case 6: cache.set(Post(id: "\(id)", likes: count))
        case 7: cache.remove(Post.self, id: "\(id)")
        case 8: list.append(ids: [id, count % 6])
        case 9: list.remove(id)
        case 10: cache.reference(name, of: Counter.self).id = count % 3 == 0 ? nil : id
        case 11: if count < 10 { cache.removeAll() } else if count < 30 { cache.removeAll(of: Counter.self) }
        case 12: if count < 30 { cache.replaceAll(of: Counter.self, with: [Counter(id: id, count: count)]) }
        default:
            let (first, second) = (generator.below(6), generator.below(6))
            cache.transaction {
                cache.set(Counter(id: first, count: count))
                cache.remove(Counter.self, id: second)
                cache.set(Post(id: "\(first)", likes: count))
            }
        }
    }

    @Test("D1: Beside writers, each taking is a prefix of the commits")
    func besideWriters() {
        let cache = FlatCache()
        let recorder = ChangeRecorder.recording(cache)
        let isDone = Protected(0)
        let rounds = Extent.count(300, full: 20_000)
        let failures = Protected<[String]>([])
        onThreads(3) { thread in
            if thread < 2 {
                for round in 1...rounds {
                    // Both entities of a thread always have the same number.
                    cache.transaction {
                        cache.set(Counter(id: thread, count: round))
                        cache.set(Post(id: "\(thread)", likes: round))
                    }
                    if round % 50 == 0 {
                        cache.transaction {
                            cache.removeAll(of: Counter.self)
                            cache.removeAll(of: Post.self)
                        }
                    }
                }
                isDone.withLock { $0 += 1 }
                return
            }
            var disk = DiskModel()
            var isLast = false
            while !isLast {
                isLast = isDone.withLock { $0 } == 2
                let changes = recorder.take(from: cache, time: 1)
                disk.apply(changes)
                changes.end(isWritten: true)
                for id in 0..<2 where disk.counters[id]?.count != disk.posts["\(id)"]?.likes {
                    failures.withLock { $0.append("\(disk)") }
                }
            }
            if disk != DiskModel(of: cache) { failures.withLock { $0.append("the last state differs") } }
        }
        #expect(failures.withLock { $0 } == [])
    }
}
