#if DEBUG
import SeededRandom
import Testing

@Suite("Random fetchers that wait for each other", .timeLimit(.minutes(5)))
struct RandomFetchGraphTests {
    @Test("N1, F2, F3, F4: Every request ends, whoever waits for whom and whoever is busy", arguments: Seeds.first(6))
    func everyRequestEnds(seed: UInt64) async throws {
        #expect(await RandomFetchGraph(seed: seed).complaints() == [], "FLATCACHE_SEED=\(seed)")
    }

    @Test("Each planted fault is found out", arguments: RandomFetchGraph.Fault.allCases)
    func isFoundOut(_ fault: RandomFetchGraph.Fault) async {
        let complaints = await RandomFetchGraph(seed: 1, fault).complaints()
        #expect(complaints.contains { $0.hasPrefix(fault.complaint) })
    }
}
#endif
