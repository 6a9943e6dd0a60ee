#if DEBUG
import SeededRandom
import Testing

@Suite("Random fetchers that wait for each other", .ends)
struct RandomFetchGraphTests {
    @Test("N1, F2, F3, F4: Every request ends, in any graph of waits, beside busy actors", arguments: Seeds.first(6))
    func everyRequestEnds(seed: UInt64) async throws {
        #expect(await RandomFetchGraph(seed: seed).complaints() == [], "FLATCACHE_SEED=\(seed)")
    }
}
#endif
