import FlatCache
import Testing

@Suite("The current cache")
struct CurrentCacheTests {
    struct Failure: Error {}

    @Test("The shared cache can't be another one after its first use")
    func sharedCache() throws {
        let shared = FlatCache.shared
        let error = #expect(throws: FlatCache.SharedCacheError.self) { try FlatCache.setShared(FlatCache()) }
        #expect(error?.description.hasPrefix("The shared cache was already used, so it can't be another one.") == true)
        #expect(FlatCache.shared === shared)
        // It is the same one.
        try FlatCache.setShared(shared)
    }

    @Test("The current cache is the shared one unless another is put in its place")
    func current() {
        #expect(FlatCache.current === FlatCache.shared)
        let outer = FlatCache()
        let inner = FlatCache()
        let result = FlatCache.withCurrent(outer) {
            #expect(FlatCache.current === outer)
            FlatCache.withCurrent(inner) { #expect(FlatCache.current === inner) }
            #expect(FlatCache.current === outer)
            return 7
        }
        #expect(result == 7)
        #expect(FlatCache.current === FlatCache.shared)
    }

    @Test("Tasks inherit the current cache; detached ones don't")
    func tasks() async {
        let cache = FlatCache()
        await FlatCache.withCurrent(cache) {
            await Task.yield()
            #expect(FlatCache.current === cache)
            async let child = FlatCache.current
            #expect(await child === cache)
            #expect(await Task { FlatCache.current }.value === cache)
            #expect(await Task.detached { FlatCache.current }.value === FlatCache.shared)
        }
    }

    @Test("Errors keep their types")
    func errors() async {
        let cache = FlatCache()
        do throws(Failure) {
            try FlatCache.withCurrent(cache) { () throws(Failure) in throw Failure() }
            Issue.record("the error is lost")
        } catch {}
        await #expect(throws: Failure.self) {
            try await FlatCache.withCurrent(cache) { () async throws in throw Failure() }
        }
    }

    @Test("In the bodies of transactions, reads and observed closures, the cache that runs them is the current one")
    func bodies() {
        let (cache, other) = (FlatCache(), FlatCache())
        FlatCache.withCurrent(other) {
            #expect(cache.transaction { FlatCache.current === cache })
            #expect(cache.read { FlatCache.current === cache })
            cache.transaction {
                other.transaction { #expect(FlatCache.current === other) }
                other.read { cache.transaction { #expect(FlatCache.current === cache) } }
            }
            #expect(FlatCache.current === other)
        }
    }

    @Test("Handles are made in the current cache")
    func handles() {
        let cache = FlatCache()
        cache.set(Counter(id: 1, count: 5))
        FlatCache.withCurrent(cache) {
            #expect(Cached(Counter.self, id: 1).value?.count == 5)
            #expect(Cached(Counter.self, id: 1).cache === cache)
        }
    }
}
