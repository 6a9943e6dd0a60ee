import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Sequences of each commit", .mayBlock)
struct EachCommitTests {
    let cache = FlatCache()

    private typealias Iterator = CommitUpdates<TypeChanges<Counter>>.AsyncIterator

    private func iterator(atMost limit: Int) -> Iterator {
        cache.changes(ofAll: Counter.self, buffering: .each(atMost: limit)).makeAsyncIterator()
    }

    @Test("Each commit is an element, with its changes, its revision and its origin")
    func elements() async throws {
        var commits = iterator(atMost: 10)
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 1, count: 1))
        try cache.transaction(origin: .server) {
            cache.set(Counter(id: 2))
            cache.set(Post(id: "1"))
            cache.set(Counter(id: 2, count: 2))
        }
        cache.set(Post(id: "2"))
        cache.removeAll(of: Counter.self)
        var elements: [TypeChanges<Counter>] = []
        for _ in 0..<4 { elements.append(try #require(try await commits.next())) }
        #expect(elements.map(\.inserted) == [[Counter(id: 1)], [], [Counter(id: 2, count: 2)], []])
        #expect(elements.map { $0.updated.map(\.oldValue) } == [[], [Counter(id: 1)], [], []])
        #expect(elements.map { $0.updated.map(\.value) } == [[], [Counter(id: 1, count: 1)], [], []])
        #expect(elements.map { Set($0.removed.map(\.id)) } == [[], [], [], [1, 2]])
        #expect(elements.map(\.origins) == [[.user], [.user], [.server], [.user]])
        #expect(zip(elements, elements.dropFirst()).allSatisfy { $0.revision < $1.revision })
        cache.set(Counter(id: 3))
        #expect(try await commits.next()?.inserted == [Counter(id: 3)])
    }

    @Test("An iterator that waits receives the next commit")
    func waiting() async throws {
        let received = Recorder<Int>()
        let task = Task { [cache] in
            for try await changes in cache.changes(ofAll: Counter.self, buffering: .each(atMost: 1)) {
                received.record(changes.inserted.first?.id ?? 0)
                if received.count == 3 { break }
            }
        }
        await until { cache.isWatched(Counter.self) }
        for id in 1...3 {
            cache.set(Counter(id: id))
            await until { received.count == id }
        }
        try await task.value
        #expect(received.elements == [1, 2, 3])
        #expect(!cache.isWatched(Counter.self))
    }

    @Test(
        "If more commits wait than the buffer takes, the sequence delivers those before and then throws",
        arguments: [-1, 1, 3]
    )
    func overflow(limit: Int) async throws {
        var commits = iterator(atMost: limit)
        let kept = max(limit, 1)
        for id in 1...kept + 5 { cache.set(Counter(id: id)) }
        #expect(!cache.isWatched(Counter.self), "the observation goes on for nobody")
        for id in 1...kept { #expect(try await commits.next()?.inserted.map(\.id) == [id]) }
        await #expect(throws: FlatCache.OverflowError(limit: kept)) { try await commits.next() }
        cache.set(Counter(id: 100))
        #expect(try await commits.next() == nil)
        #expect(try await commits.next() == nil)
    }

    @Test("As many commits as the buffer takes may wait, again and again")
    func fullBuffer() async throws {
        var commits = iterator(atMost: 3)
        var id = 0
        for count in [3, 1, 2, 3, 3] {
            for offset in 1...count { cache.set(Counter(id: id + offset)) }
            for _ in 0..<count {
                id += 1
                #expect(try await commits.next()?.inserted.map(\.id) == [id])
            }
        }
        // The place of each commit that is read is free.
        for id in 101...103 { cache.set(Counter(id: id)) }
        _ = try await commits.next()
        cache.set(Counter(id: 104))
        for id in 102...104 { #expect(try await commits.next()?.inserted.map(\.id) == [id]) }
    }

    @Test("A commit of equal entities has no element, and a place in the buffer")
    func equal() async throws {
        cache.set(Counter(id: 1))
        var commits = iterator(atMost: 2)
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 1, count: 1))
        #expect(try await commits.next()?.updated.map(\.value) == [Counter(id: 1, count: 1)])
        for _ in 0..<3 { cache.set(Counter(id: 1, count: 1)) }
        await #expect(throws: FlatCache.OverflowError(limit: 2)) { try await commits.next() }
    }

    @Test("A task that is cancelled ends its sequence, without an error")
    func cancelled() async throws {
        let received = Recorder<Int>()
        let task = Task { [cache] in
            for try await changes in cache.changes(ofAll: Counter.self, buffering: .each(atMost: 5)) {
                received.record(changes.inserted.count)
            }
        }
        await until { cache.isWatched(Counter.self) }
        cache.set(Counter(id: 1))
        await until { received.count == 1 }
        task.cancel()
        try await task.value
        #expect(received.elements == [1] && !cache.isWatched(Counter.self))
    }

    @Test("When the cache is deallocated, the waiting commits are delivered, and the sequence ends")
    func deallocated() async throws {
        var cache: FlatCache? = FlatCache()
        var commits = try #require(cache).changes(ofAll: Counter.self, buffering: .each(atMost: 5)).makeAsyncIterator()
        for id in 1...3 { cache?.set(Counter(id: id)) }
        #expect(try await commits.next()?.inserted.map(\.id) == [1])
        weak let object = cache
        cache = nil
        #expect(object == nil)
        for id in 2...3 { #expect(try await commits.next()?.inserted.map(\.id) == [id]) }
        #expect(try await commits.next() == nil)
        let sequence = FlatCache().changes(ofAll: Counter.self, buffering: .each(atMost: 5))
        var none = sequence.makeAsyncIterator()
        #expect(try await none.next() == nil)
    }

    @Test("Two iterators and two caches have separate buffers")
    func separate() async throws {
        let other = FlatCache()
        var slow = iterator(atMost: 1)
        var fast = iterator(atMost: 10)
        var others = other.changes(ofAll: Counter.self, buffering: .each(atMost: 1)).makeAsyncIterator()
        for id in 1...3 { cache.set(Counter(id: id)) }
        other.set(Counter(id: 9))
        for id in 1...3 { #expect(try await fast.next()?.inserted.map(\.id) == [id]) }
        #expect(try await slow.next()?.inserted.map(\.id) == [1])
        await #expect(throws: FlatCache.OverflowError.self) { try await slow.next() }
        #expect(try await others.next()?.inserted.map(\.id) == [9])
    }

    /// An entity that counts how many of its values are alive, and can use the cache when it is released.
    private struct Holder: Cachable {
        let id: Int
        let token: Token
    }

    private final class Token: Sendable {
        private let alive: Protected<Int>
        private let cache: FlatCache?

        init(_ alive: Protected<Int>, using cache: FlatCache? = nil) {
            self.alive = alive
            self.cache = cache
            alive.withLock { $0 += 1 }
        }

        deinit {
            alive.withLock { $0 -= 1 }
            // This takes the locks of all shards.
            _ = cache?.count(of: Holder.self)
        }
    }

    @Test("A consumer that never reads keeps the entities of as many commits as its buffer takes, and no more")
    func neverRead() {
        let alive = Protected(0)
        var commits: Any? = cache.changes(ofAll: Holder.self, buffering: .each(atMost: 10)).makeAsyncIterator()
        for _ in 0..<1_000 { cache.set(Holder(id: 1, token: Token(alive))) }
        // The old and the new one of each commit, and the stored one.
        #expect(alive.withLock { $0 } == 11)
        withExtendedLifetime(commits) {}
        commits = nil
        #expect(alive.withLock { $0 } == 1)
    }

    @Test("N7: Entities that use the cache when they are released are released while no lock is held")
    func released() async throws {
        let alive = Protected(0)
        var commits = cache.changes(ofAll: Holder.self, buffering: .each(atMost: 4)).makeAsyncIterator()
        for _ in 0..<4 {
            cache.set(Holder(id: 1, token: Token(alive, using: cache)))
            cache.remove(Holder.self, id: 1)
            for _ in 0..<2 { _ = try await commits.next() }
        }
        for id in 0..<10 { cache.set(Holder(id: id, token: Token(alive, using: cache))) }
        cache.removeAll(of: Holder.self)
        for _ in 0..<4 { _ = try await commits.next() }
        await #expect(throws: FlatCache.OverflowError.self) { try await commits.next() }
        #expect(alive.withLock { $0 } == 0)
    }

    @Test(
        "Commits of several threads have ascending revisions, and lead to the final state",
        arguments: 1...Extent.count(1, full: 3)
    )
    func threads(round: Int) async throws {
        var commits = iterator(atMost: 100_000)
        let writing = RunningThread { [cache] in
            onThreads(4) { thread in
                for step in 0..<500 {
                    let id = (step * 7 + thread) % 50
                    switch step % 50 {
                    case 11: cache.removeAll(of: Counter.self)
                    case 12 where step % 250 == 12:
                        cache.set(contentsOf: (0..<5_000).map { Counter(id: $0, count: step * 10 + thread) })
                    case 14: cache.transaction { for id in 0..<20 { cache.set(Counter(id: id, count: -step)) } }
                    case let rest where rest % 3 == 0: cache.remove(Counter.self, id: id)
                    default: cache.set(Counter(id: id, count: step * 10 + thread))
                    }
                }
            }
            cache.set(Counter(id: -1))
        }
        var state: [Int: Counter] = [:]
        var last: UInt64 = 0
        while state[-1] == nil {
            let changes = try #require(try await commits.next())
            #expect(changes.revision > last)
            last = changes.revision
            // Each commit begins with the state after the one before.
            for value in changes.inserted { #expect(state.updateValue(value, forKey: value.id) == nil) }
            for update in changes.updated {
                #expect(state.updateValue(update.value, forKey: update.value.id) == update.oldValue)
            }
            for value in changes.removed { #expect(state.removeValue(forKey: value.id) == value) }
        }
        writing.finish()
        #expect(state.count == cache.count(of: Counter.self))
        #expect(cache.allValues(of: Counter.self).allSatisfy { state[$0.id] == $0 })
    }

    @Test("Random commits are delivered as a list of them says, to readers at random moments")
    func random() async throws {
        let seed = Seeds.one
        var generator = SeededGenerator(seed: seed)
        let origins: [FlatCache.Origin] = [.user, .server, .restore, FlatCache.Origin("sync")]
        var model: [Int: Counter] = [:]
        var limit = 3
        var commits = iterator(atMost: limit)
        var waiting: [Expected] = []
        for step in 1...2_000 {
            let expected = try commit(step, generator.pick(from: origins), &model, &generator)
            guard waiting.count < limit else {
                for expected in waiting { expected.compare(with: try await commits.next(), seed) }
                await #expect(throws: FlatCache.OverflowError(limit: limit), "seed \(seed)") {
                    try await commits.next()
                }
                limit = generator.below(8) + 1
                commits = iterator(atMost: limit)
                waiting = []
                continue
            }
            waiting.append(expected)
            for _ in 0..<generator.below(3) where !waiting.isEmpty {
                waiting.removeFirst().compare(with: try await commits.next(), seed)
            }
        }
    }

    /// Makes a commit of random changes, at least one of which is a new value.
    private func commit(
        _ step: Int,
        _ origin: FlatCache.Origin,
        _ model: inout [Int: Counter],
        _ generator: inout SeededGenerator
    ) throws -> Expected {
        let old = model
        try cache.transaction(origin: origin) {
            for _ in 0..<generator.below(4) {
                let id = generator.below(4)
                if generator.below(2) == 0 {
                    cache.remove(Counter.self, id: id)
                    model[id] = nil
                } else {
                    cache.set(Counter(id: id, count: -1))
                    model[id] = Counter(id: id, count: -1)
                }
            }
            let value = Counter(id: generator.below(4), count: step)
            cache.set(value)
            model[value.id] = value
        }
        return Expected(old: old, new: model, origin: origin)
    }

    /// The states before and after a commit, and its origin.
    private struct Expected {
        let old: [Int: Counter]
        let new: [Int: Counter]
        let origin: FlatCache.Origin

        func compare(with changes: TypeChanges<Counter>?, _ seed: UInt64) {
            guard let changes else {
                Issue.record("a commit has no element, seed \(seed)")
                return
            }
            var state = old
            for value in changes.inserted { #expect(state.updateValue(value, forKey: value.id) == nil, "seed \(seed)") }
            for update in changes.updated {
                let replaced = state.updateValue(update.value, forKey: update.value.id)
                #expect(replaced == update.oldValue && replaced != update.value, "seed \(seed)")
            }
            for value in changes.removed { #expect(state.removeValue(forKey: value.id) == value, "seed \(seed)") }
            #expect(state == new && changes.origins == [origin], "seed \(seed)")
        }
    }
}
