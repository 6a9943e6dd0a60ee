import TestThreads
import Testing

@testable import FlatCache

@Suite("What a removal of a missing entity leaves", .mayBlock)
struct MissingRemovalTraceTests {
    private let cache = FlatCache()

    @Test("N4: Nobody is notified", arguments: [false, true], [false, true])
    func silence(isInTransaction: Bool, isIndexed: Bool) async {
        cache.set(Counter(id: 2))
        if isIndexed { cache.buildIndex(FlatCache.Index(\Counter.count)) }
        let calls = Recorder<String>()
        let subscriptions = [
            cache.observe(Counter.self, id: 1, initial: false) { _ in calls.record("key") },
            cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { _ in calls.record("keys") },
            cache.observe(all: Counter.self) { _ in calls.record("type") },
            cache.observe { [cache] in
                cache.get(Counter.self, id: 1)
            } onChange: { _ in
                calls.record("derived")
            },
        ]
        _ = calls.take()
        if isInTransaction {
            cache.transaction { _ = cache.remove(Counter.self, id: 1) }
            cache.remove(Counter.self, ids: [1, 3])
        } else {
            #expect(cache.remove(Counter.self, id: 1) == nil)
            #expect(cache.remove(Counter.self, id: 3) == nil)
        }
        #expect(calls.take().isEmpty)
        cache.set(Counter(id: 1))
        #expect(calls.take().sorted() == ["derived", "key", "keys", "type"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("A hundred thousand removals leave no slot and no room for slots", arguments: [false, true])
    func memory(isInTransaction: Bool) {
        for begin in stride(from: 0, to: 100_000, by: 1_000) {
            let ids = begin..<(begin + 1_000)
            if isInTransaction {
                cache.remove(Counter.self, ids: ids)
            } else {
                for id in ids { cache.remove(Counter.self, id: id) }
            }
        }
        #expect(cache.slotCount(of: Counter.self) == 0 && cache.bucketCount(of: Counter.self) < 10_000)
    }

    @Test("Each shard remembers the last 256 removals, and refuses older answers when it has forgotten some")
    func bound() async throws {
        let server = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, server.load)
        /// Fetches 1, which brings 2, while other identifiers are removed.
        func isStored(afterRemovalsOf count: Int) async throws -> Bool {
            cache.remove(Counter.self, ids: [1, 2])
            let number = server.callCount
            let task = Task { try await cache.fetch(Counter.self, id: 1) }
            let call = await server.call(number)
            for id in 0..<count { cache.remove(Counter.self, id: 10 + id) }
            call.answer([Counter(id: 1), Counter(id: 2)])
            // The request keeps the slot of its entity, which knows.
            _ = try await task.value
            return cache.contains(Counter.self, id: 2)
        }
        #expect(try await isStored(afterRemovalsOf: RecentRemovals.limit))
        #expect(try await !isStored(afterRemovalsOf: 4 * shardCount * RecentRemovals.limit))
        #expect(try await isStored(afterRemovalsOf: 0))
    }

    @Test("S7: A removal of what a transaction has found missing doesn't make it run again", arguments: [false, true])
    func conflict(isInTransaction: Bool) {
        var runs = 0
        cache.transaction {
            runs += 1
            #expect(cache.get(Counter.self, id: 1) == nil)
            onThreads(1) { [cache] _ in
                if isInTransaction {
                    cache.transaction { _ = cache.remove(Counter.self, id: 1) }
                } else {
                    cache.remove(Counter.self, id: 1)
                }
            }
            cache.set(Counter(id: 2))
        }
        #expect(runs == 1 && cache.count(of: Counter.self) == 1)
    }
}
