import FlatCache
import Testing

@Suite("Asynchronous sequences")
struct SequenceTests {
    let cache = FlatCache()

    @Test("N3, N8: The first value is the stored one, or nil")
    func firstValue() async {
        var missing = cache.updates(of: Counter.self, id: 1).makeAsyncIterator()
        #expect(await missing.next() == .some(nil))
        cache.set(Counter(id: 1, count: 5))
        #expect(await missing.next() == Counter(id: 1, count: 5))
        var stored = cache.updates(of: Counter.self, id: 1).makeAsyncIterator()
        #expect(await stored.next() == Counter(id: 1, count: 5))
    }

    @Test("N7: A slow consumer gets the newest value once, and no value that it has already")
    func slowConsumer() async {
        cache.set(Counter(id: 1, count: 0))
        var values = cache.updates(of: Counter.self, id: 1).makeAsyncIterator()
        for count in 1...100 { cache.set(Counter(id: 1, count: count)) }
        #expect(await values.next()??.count == 100)
        cache.set(Counter(id: 1, count: 7))
        cache.set(Counter(id: 1, count: 100))
        cache.set(Counter(id: 1, count: 100))
        cache.remove(Counter.self, id: 1)
        #expect(await values.next() == .some(nil))
        cache.set(Counter(id: 1, count: 8))
        #expect(await values.next()??.count == 8)
    }

    @Test("N3: A waiting consumer is woken by the next commit")
    func waitingConsumer() async {
        let values = cache.updates(of: Counter.self, id: 1)
        let (ready, readyContinuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var received: [Int?] = []
            for await value in values {
                received.append(value?.count)
                readyContinuation.yield()
                if value?.count == 3 { break }
            }
            return received
        }
        var signals = ready.makeAsyncIterator()
        for count in 1...3 {
            await signals.next()
            cache.set(Counter(id: 1, count: count))
        }
        #expect(await task.value == [nil, 1, 2, 3])
    }

    @Test("A cancelled task ends its iteration")
    func cancelledTask() async {
        let values = cache.updates(of: Counter.self, id: 1)
        let (ready, readyContinuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in values { readyContinuation.yield() }
            return true
        }
        var signals = ready.makeAsyncIterator()
        await signals.next()
        task.cancel()
        #expect(await task.value)
    }

    @Test("H3: The sequences don't keep the cache alive, and end when it goes", .ends)
    func cacheGone() async throws {
        var cache: FlatCache? = FlatCache()
        let isCacheAlive = { [weak cache] in cache != nil }
        cache?.set(Counter(id: 1))
        let sequence = try #require(cache).updates(of: Counter.self, id: 1)
        var values = sequence.makeAsyncIterator()
        var changes = try #require(cache).changes(of: [Counter.flatCacheKey(id: 1)], initial: false).makeAsyncIterator()
        #expect(await values.next()??.id == 1)
        cache = nil
        #expect(!isCacheAlive())
        #expect(await values.next() == nil)
        #expect(await changes.next() == nil)
        var late = sequence.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("N4, N7: Change sets of a slow consumer are folded into one with the net change")
    func foldedChangeSets() async {
        let keys = (1...4).map { Counter.flatCacheKey(id: $0) }
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        var changes = cache.changes(of: keys, initial: false).makeAsyncIterator()
        cache.set(Counter(id: 1, count: 1))
        cache.set(Counter(id: 3))
        cache.set(Counter(id: 4))
        cache.remove(Counter.self, id: 4)
        cache.remove(Counter.self, id: 2)
        let folded = await changes.next()
        #expect(folded?.updated == [keys[0]])
        #expect(folded?.inserted == [keys[2]])
        #expect(folded?.removed == [keys[1]])
        cache.set(Counter(id: 4))
        let next = await changes.next()
        #expect(next?.inserted == [keys[3]])
        #expect(next?.updated == [])
        #expect((folded?.revision ?? 0) < (next?.revision ?? 0))
    }

    @Test("N7: An abandoned iterator unregisters itself")
    func abandonedIterator() async {
        let table = cache
        for _ in 0..<100 {
            var iterator = table.updates(of: Counter.self, id: 1).makeAsyncIterator()
            _ = await iterator.next()
            _ = cache.changes(of: [Counter.flatCacheKey(id: 2)], initial: false).makeAsyncIterator()
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("Each iteration of one sequence observes by itself")
    func independentIterators() async {
        let values = cache.updates(of: Counter.self, id: 1)
        var first = values.makeAsyncIterator()
        var second = values.makeAsyncIterator()
        _ = await first.next()
        _ = await second.next()
        cache.set(Counter(id: 1, count: 1))
        #expect(await first.next()??.count == 1)
        #expect(await second.next()??.count == 1)
    }
}
