import FlatCache
import Testing

@Suite("Freshness without a write")
struct FreshnessTests {
    let clock = ManualClock()
    let cache: FlatCache
    /// How often the fetcher was called.
    let calls = Protected(0)

    init() {
        cache = FlatCache(clock: clock)
        cache.setFetcher(of: Counter.self, maxAge: .seconds(10)) { [calls] (id: Int) in
            calls.withLock { $0 += 1 }
            return Counter(id: id, count: -1)
        }
        cache.set(Counter(id: 1, count: 1))
    }

    private func isFresh() async throws -> Bool { try await cache.fetch(Counter.self, id: 1).count == 1 }

    @Test("An entity that is made fresh has the age of a write, and nobody is notified")
    func age() async throws {
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1, initial: false) { notified.record($0.value?.count) }
        for _ in 0..<3 {
            clock.advance(by: .seconds(9))
            cache.markFresh(Counter.self, id: 1)
            #expect(try await isFresh())
        }
        #expect(notified.count == 0)
        clock.advance(by: .seconds(11))
        #expect(try await !isFresh())
        subscription.cancel()
    }

    @Test("An entity that was written or marked as stale after the revision isn't made fresh")
    func since() async throws {
        clock.advance(by: .seconds(11))
        let revision = cache.revision()
        cache.markFresh(Counter.flatCacheKey(id: 1), since: revision)
        #expect(try await isFresh())
        cache.invalidate(Counter.self, id: 1)
        cache.markFresh(Counter.self, id: 1, since: revision)
        #expect(try await !isFresh())
        cache.set(Counter(id: 1, count: 1))
        clock.advance(by: .seconds(11))
        cache.markFresh(Counter.self, id: 1, since: revision)
        #expect(try await !isFresh())
    }

    @Test("An entity that isn't stored isn't made fresh")
    func missing() async throws {
        cache.markFresh(Counter.self, id: 2)
        #expect(try await cache.fetch(Counter.self, id: 2).count == -1)
    }
}
