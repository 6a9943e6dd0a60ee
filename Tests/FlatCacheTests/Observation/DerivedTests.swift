import TestThreads
import Testing

@testable import FlatCache

@Suite("Observing what is computed", .mayBlock)
struct DerivedTests {
    let cache = FlatCache()

    /// Observes the name of the author of the post "1".
    private func observeAuthorName(_ names: Recorder<String?>) -> CacheSubscription {
        cache.observe { [cache] in
            cache.get(Post.self, id: "1").flatMap { cache.get(Author.self, id: $0.authorID)?.name }
        } onChange: {
            names.record($0)
        }
    }

    @Test("N3, N8: It begins with the first value, computed from what is there, or isn't")
    func begins() {
        let names = Recorder<String?>()
        let subscription = observeAuthorName(names)
        #expect(names.take() == [nil])
        cache.set(Post(id: "1", authorID: "7"))
        #expect(names.take() == [])
        cache.set(Author(id: "7", name: "Ada"))
        #expect(names.take() == ["Ada"])
        subscription.cancel()
    }

    @Test("A change of anything that was read gives the next value, over all relationships")
    func follows() {
        cache.set(Post(id: "1", authorID: "7"))
        cache.set(contentsOf: [Author(id: "7", name: "Ada"), Author(id: "8", name: "Bob")])
        let names = Recorder<String?>()
        let subscription = observeAuthorName(names)
        cache.update(Author.self, id: "7") { $0.name = "Eve" }
        cache.update(Post.self, id: "1") { $0.authorID = "8" }
        cache.update(Author.self, id: "7") { $0.name = "Nobody looks" }
        cache.update(Author.self, id: "8") { $0.name = "Rob" }
        cache.remove(Post.self, id: "1")
        #expect(names.elements == ["Ada", "Eve", "Bob", "Rob", nil])
        subscription.cancel()
    }

    @Test("An entity that isn't read any more isn't observed any more, and nothing is left behind at the end")
    func dependenciesFollow() {
        cache.set(Post(id: "1", authorID: "7"))
        let names = Recorder<String?>()
        let subscription = observeAuthorName(names)
        #expect(cache.observedKeyCount(of: Author.self) == 1)
        cache.update(Post.self, id: "1") { $0.authorID = "8" }
        #expect(cache.observedKeyCount(of: Author.self) == 1)
        cache.remove(Post.self, id: "1")
        #expect(cache.observedKeyCount(of: Author.self) == 0)
        #expect(cache.slotCount(of: Author.self) == 0)
        subscription.cancel()
        #expect(cache.observedKeyCount(of: Post.self) == 0)
        #expect(cache.slotCount(of: Post.self) == 0)
    }

    @Test("N4: A commit that changes many of the entities runs the closure once")
    func oncePerCommit() {
        cache.set(contentsOf: (1...100).map { Counter(id: $0) })
        let runs = Recorder<Int>()
        let sums = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            runs.record(1)
            return cache.get(Counter.self, ids: 1...100).reduce(0) { $0 + $1.count }
        } onChange: {
            sums.record($0)
        }
        cache.set(contentsOf: (1...100).map { Counter(id: $0, count: 1) })
        cache.transaction {
            for id in 1...100 { cache.update(Counter.self, id: id) { $0.count += 1 } }
        }
        #expect(runs.count == 3)
        #expect(sums.elements == [0, 100, 200])
        subscription.cancel()
    }

    @Test("N4: Writes that leave everything equal don't run the closure, and equal values don't notify")
    func equal() {
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 2)])
        let runs = Recorder<Int>()
        let sums = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            runs.record(1)
            return cache.get(Counter.self, ids: 1...2).reduce(0) { $0 + $1.count }
        } onChange: {
            sums.record($0)
        }
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 2)])
        #expect(runs.count == 1)
        cache.set(contentsOf: [Counter(id: 1, count: 2), Counter(id: 2, count: 1)])
        #expect(runs.count == 2)
        #expect(sums.elements == [3])
        subscription.cancel()
    }

    @Test("Values that can't be compared notify whenever something has changed")
    func incomparable() {
        cache.set(Counter(id: 1))
        let notified = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            (cache.get(Counter.self, id: 1)?.count ?? -1, "a tuple")
        } onChange: {
            notified.record($0.0)
        }
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements == [0, 1])
        subscription.cancel()
    }

    @Test("Handles, single properties, and whether something is stored are dependencies too")
    func waysToRead() throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let notified = Recorder<String>()
        let subscription = cache.observe { [cache] in
            let property = cache.get(Counter.self, id: 2, \.count) ?? 0
            return "\(handle.count ?? 0) \(property) \(cache.contains(Counter.self, id: 3)) \(handle.value == nil)"
        } onChange: {
            notified.record($0)
        }
        try handle.set(Counter(id: 1, count: 5))
        cache.set(Counter(id: 2, count: 6))
        cache.set(Counter(id: 3))
        cache.removeAll()
        #expect(
            notified.elements == [
                "0 0 false true", "5 0 false false", "5 6 false false", "5 6 true false", "0 0 false true",
            ]
        )
        subscription.cancel()
    }

    @Test("All entities of a type, and their number, are dependencies too")
    func wholeTypes() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<[Int]>()
        let subscription = cache.observe { [cache] in
            [cache.count(of: Counter.self), cache.allValues(of: Counter.self).reduce(0) { $0 + $1.count }]
        } onChange: {
            notified.record($0)
        }
        cache.set(Counter(id: 2, count: 2))
        cache.set(contentsOf: [Counter(id: 3, count: 3), Counter(id: 4, count: 4)])
        cache.set(Counter(id: 2, count: 2))
        cache.update(Counter.self, id: 3) { $0.count = 0 }
        cache.remove(Counter.self, id: 1)
        cache.set(Author(id: "another type"))
        cache.removeAll(of: Counter.self)
        cache.set(Counter(id: 9, count: 9))
        #expect(notified.elements == [[1, 1], [2, 3], [4, 10], [4, 7], [3, 6], [0, 0], [1, 9]])
        subscription.cancel()
        cache.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("The cache that is observed is the current one while the closure runs, and no other is")
    func current() {
        let other = FlatCache()
        let seen = Recorder<Bool>()
        FlatCache.withCurrent(other) {
            let subscription = cache.observe { [cache] in
                FlatCache.current === cache
            } onChange: {
                seen.record($0)
            }
            subscription.cancel()
        }
        #expect(seen.elements == [true])
    }

    @Test("N1: The closures may read, write, subscribe and cancel")
    func reentrance() {
        cache.set(Counter(id: 1))
        let notified = Recorder<Int>()
        let own = Protected<CacheSubscription?>(nil)
        let subscription = cache.observe { [cache] in
            cache.get(Counter.self, id: 1)?.count ?? -1
        } onChange: { [cache] count in
            notified.record(count)
            if count < 5 { cache.update(Counter.self, id: 1) { $0.count += 1 } }
            if count == 5 {
                let inner = cache.observe {
                    cache.contains(Counter.self, id: 1)
                } onChange: { _ in
                    notified.record(100)
                }
                inner.cancel()
                own.withLock { $0 }?.cancel()
            }
        }
        own.withLock { $0 = subscription }
        #expect(notified.elements == [0, 1, 2, 3, 4, 5, 100])
        cache.set(Counter(id: 1, count: 3))
        cache.set(Counter(id: 1, count: 5))
        #expect(notified.elements.suffix(3) == [4, 5, 100])
        cache.set(Counter(id: 1, count: 7))
        #expect(notified.elements.last == 100)
        own.withLock { $0 = nil }
    }

    @Test("N7: A cancelled observer isn't called any more, even if it is cancelled while its closure runs")
    func cancelWhileRunning() {
        cache.set(Counter(id: 1))
        let notified = Recorder<Int>()
        let own = Protected<CacheSubscription?>(nil)
        let subscription = cache.observe { [cache] in
            let count = cache.get(Counter.self, id: 1)?.count ?? -1
            if count == 1 { own.withLock { $0 }?.cancel() }
            _ = cache.get(Counter.self, id: 2)
            return count
        } onChange: {
            notified.record($0)
        }
        own.withLock { $0 = subscription }
        cache.set(Counter(id: 1, count: 1))
        cache.set(Counter(id: 1, count: 2))
        #expect(notified.elements == [0])
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        own.withLock { $0 = nil }
    }

    @Test("N2: However many writers race, values never get older, and the last one is the newest")
    func racing() async {
        let cache = cache
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let sums = Recorder<[Int]>()
        let subscription = cache.observe {
            [cache.get(Counter.self, id: 1)?.count ?? 0, cache.get(Counter.self, id: 2)?.count ?? 0]
        } onChange: {
            sums.record($0)
        }
        await onThreadsAndTasks(4) { number in
            for _ in 0..<500 {
                if number.isMultiple(of: 2) {
                    cache.transaction {
                        cache.update(Counter.self, id: 1) { $0.count += 1 }
                        cache.update(Counter.self, id: 2) { $0.count += 1 }
                    }
                } else {
                    cache.remove(Counter.self, id: 3)
                    cache.set(Counter(id: 3))
                }
            }
        }
        let notified = sums.elements
        #expect(notified.last == [1_000, 1_000])
        #expect(notified.allSatisfy { $0[0] == $0[1] })
        #expect(zip(notified, notified.dropFirst()).allSatisfy { $0[0] < $1[0] })
        subscription.cancel()
    }

    @Test("A sequence gives the first value, then each other one, and ends with the cache")
    func sequence() async {
        var cache: FlatCache? = FlatCache()
        cache?.set(Counter(id: 1, count: 1))
        let handle = cache.map { Cached(Counter.self, id: 1, in: $0) }
        guard let values = cache?.updates({ handle?.count }) else { return }
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        cache?.set(Counter(id: 1, count: 2))
        cache?.set(Counter(id: 1, count: 3))
        #expect(await iterator.next() == 3)
        cache?.removeAll()
        #expect(await iterator.next() == .some(nil))
        cache = nil
        #expect(await iterator.next() == nil)
    }

    @Test("The sequence of something that never changes has one value")
    func constant() async {
        var values: [Int] = []
        for await value in cache.updates({ 7 }) { values.append(value) }
        #expect(values == [7])
    }

    @Test("N7: An abandoned iterator observes nothing any more")
    func abandoned() async {
        cache.set(Counter(id: 1))
        do {
            var iterator = cache.updates { [cache] in cache.get(Counter.self, id: 1)?.count }.makeAsyncIterator()
            _ = await iterator.next()
            #expect(cache.observedKeyCount(of: Counter.self) == 1)
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N4: Clearing a type and storing equal entities in one transaction does not rerun a read of the whole type")
    func clearedAndStored() {
        cache.set(Counter(id: 1))
        let runs = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            runs.record(1)
            return cache.allValues(of: Counter.self).count
        } onChange: { _ in
        }
        cache.transaction {
            cache.removeAll(of: Counter.self)
            cache.set(Counter(id: 1))
        }
        #expect(runs.count == 1)
        subscription.cancel()
    }

    @Test(
        "N4: Equal writes of the callback's own don't notify, after the first call as after others",
        arguments: [1, 2]
    )
    func equalWritesOfCallback(writes: Int) {
        cache.set(Counter(id: 1))
        let counts = Recorder<Int?>()
        let subscription = cache.observe { [cache] in
            (cache.get(Counter.self, id: 1)?.count, "not comparable")
        } onChange: { [cache] value in
            counts.record(value.0)
            // Without the guard a mistake would notify for ever.
            guard counts.count < 10 else { return }
            for _ in 0..<writes {
                if let counter = cache.get(Counter.self, id: 1) { cache.set(counter) }
            }
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(counts.elements == [0, 1])
        subscription.cancel()
    }

    @Test(
        "N3: A sequence whose run is outdated and returns an equal value runs again without another commit",
        .ends
    )
    func outdatedAndEqual() async {
        cache.set(Counter(id: 1))
        let runs = Protected(0)
        let next: @Sendable () -> Int = {
            runs.withLock { runs in
                runs += 1
                return runs
            }
        }
        var iterator = cache.updates { [cache] in
            let run = next()
            let count = cache.get(Counter.self, id: 1)?.count
            // The run before has consumed the signal of its commit; the signal of this one is consumed before the third run.
            if run == 2 { onThreads(1) { _ in cache.set(Counter(id: 1, count: 2)) } }
            if run == 3 { onThreads(1) { _ in cache.set(Counter(id: 2, count: 7)) } }
            return count == 2 ? cache.get(Counter.self, id: 2)?.count ?? 0 : 0
        }.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(await iterator.next() == 7)
    }
}
