import Testing

@testable import FlatCache

/// What derived observation costs, counted in runs and hashes.
@Suite("Cost of derived observation")
struct DerivedCostTests {
    let cache = FlatCache()

    @Test("N6: A commit runs the closures of its own keys only, however many others there are")
    func unrelatedCommits() {
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0) })
        let runs = Recorder<Int>()
        let subscriptions = (0..<1_000).map { number in
            cache.observe { [cache] in
                runs.record(number)
                return cache.get(Counter.self, id: number)?.count ?? cache.get(Counter.self, id: number + 5_000)?.count
            } onChange: { _ in
            }
        }
        _ = runs.take()
        for id in 1_000..<2_000 { cache.set(Counter(id: id)) }
        cache.set(contentsOf: (2_000..<3_000).map { Counter(id: $0) })
        cache.set(Author(id: "1"))
        cache.list("home", of: Counter.self).append(ids: 0..<1_000)
        for id in 1_000..<2_000 { cache.remove(Counter.self, id: id) }
        #expect(runs.count == 0)
        cache.set(Counter(id: 7, count: 1))
        #expect(runs.take() == [7])
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0, count: 2) })
        #expect(runs.take().sorted() == Array(0..<1_000))
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N4: A commit of a thousand keys of one observer makes one run, as a transaction and a clearing do")
    func oneRun() {
        let runs = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            runs.record(1)
            return cache.get(Counter.self, ids: 0..<1_000).reduce(0) { $0 + $1.count }
        } onChange: { _ in
        }
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0, count: 1) })
        #expect(runs.count == 2)
        cache.transaction {
            for id in 0..<1_000 { cache.update(Counter.self, id: id) { $0.count += 1 } }
        }
        #expect(runs.count == 3)
        cache.removeAll()
        #expect(runs.count == 4)
        subscription.cancel()
    }

    @Test("N6: A run hashes each identifier once, and nothing more when it reads what it has read before")
    func hashes() {
        let hashes = Protected(0)
        let entities = (0..<1_000).map { HashCounting($0, hashes) }
        cache.set(contentsOf: entities)
        hashes.withLock { $0 = 0 }
        let other = Counter(id: 1)
        let subscription = cache.observe { [cache] in
            _ = cache.get(Counter.self, id: 1)
            return entities.reduce(0) { $0 + (cache.contains(HashCounting.self, id: $1.id) ? 1 : 0) }
        } onChange: { _ in
        }
        #expect(hashes.withLock { $0 } == 1_000)
        hashes.withLock { $0 = 0 }
        cache.set(other)
        #expect(hashes.withLock { $0 } == 1_000)
        // A commit of one key hashes that, and then the run.
        cache.remove(HashCounting.self, id: entities[5].id)
        #expect(hashes.withLock { $0 } == 2_001)
        hashes.withLock { $0 = 0 }
        subscription.cancel()
        #expect(hashes.withLock { $0 } <= 1_000)
    }

    @Test("N6: A run that reads in another order, or less, hashes no more than it reads")
    func hashesInOtherOrder() {
        let hashes = Protected(0)
        let entities = (0..<100).map { HashCounting($0, hashes) }
        cache.set(contentsOf: entities)
        let runs = Protected(0)
        let subscription = cache.observe { [cache] in
            _ = cache.get(Counter.self, id: 1)
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            let order = run == 1 ? entities : run == 2 ? entities.reversed() : Array(entities[..<10])
            return order.reduce(0) { $0 + (cache.contains(HashCounting.self, id: $1.id) ? 1 : 0) }
        } onChange: { _ in
        }
        hashes.withLock { $0 = 0 }
        cache.set(Counter(id: 1))
        #expect(hashes.withLock { $0 } == 100)
        #expect(cache.observedKeyCount(of: HashCounting.self) == 100)
        cache.set(Counter(id: 1, count: 1))
        #expect(hashes.withLock { $0 } == 100 + 10)
        #expect(cache.observedKeyCount(of: HashCounting.self) == 10)
        subscription.cancel()
    }

    @Test("N6: An entity that is read many times in a run is one dependency")
    func repeatedReads() {
        let runs = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            runs.record(1)
            return (0..<100).map { cache.get(Counter.self, id: $0 % 3)?.count ?? 0 }.reduce(0, +)
        } onChange: { _ in
        }
        #expect(cache.observerCount(of: Counter.self) == 3)
        cache.set(contentsOf: (0..<3).map { Counter(id: $0, count: 1) })
        #expect(cache.observerCount(of: Counter.self) == 3)
        #expect(runs.count == 2)
        subscription.cancel()
        #expect(cache.observerCount(of: Counter.self) == 0)
    }

    @Test("N4, N6: A commit notifies a list of a thousand members once, and only of its own members")
    func lists() {
        let list = cache.list("home", of: Counter.self)
        list.append(contentsOf: (0..<1_000).map { Counter(id: $0) })
        let states = Recorder<Int>()
        let subscription = list.observe { states.record($0.values.reduce(0) { $0 + $1.count }) }
        cache.set(contentsOf: (0..<1_000).map { Counter(id: $0, count: 1) })
        cache.set(Counter(id: 500, count: 2))
        for id in 1_000..<2_000 { cache.set(Counter(id: id, count: 5)) }
        cache.list("profile", of: Counter.self).append(ids: 0..<1_000)
        list.append(contentsOf: (900..<1_100).map { Counter(id: $0, count: 3) })
        #expect(states.elements == [0, 1_000, 1_001, 900 + 1 + 600])
        subscription.cancel()
        #expect(cache.observerCount(of: Counter.self) == 0)
    }

    @Test("N6: Plain reads register nothing, whoever derives from the same keys")
    func plainReads() {
        cache.set(Counter(id: 1))
        let subscription = cache.observe { [cache] in
            cache.get(Counter.self, id: 1)?.count
        } onChange: { [cache] _ in
            // What the callback reads is no dependency.
            _ = cache.get(Counter.self, id: 3)
        }
        _ = cache.get(Counter.self, id: 2)
        _ = cache.tracked { $0.get(Counter.self, id: 2) }
        cache.read { _ = cache.get(Counter.self, id: 2) }
        #expect(cache.observerCount(of: Counter.self) == 1)
        subscription.cancel()
    }
}
