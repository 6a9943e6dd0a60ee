import SeededRandom
import Testing

/// Random sequences of all operations, on a cache and on a model that is as simple as it can be.
///
/// `FLATCACHE_SEQUENCES=2000` runs more of them; `FLATCACHE_SEED` repeats one, or is the
/// first of so many. With `FLATCACHE_TRACE` each seed is printed before it is tried.
@Suite("Random sequences against a model")
struct ModelTests {
    @Test(
        "S2, S3, S4, N1, N2, N3, N4, N5, N7, N8, H1: The cache does what the model says, and notifies as it says",
        .ends,
        arguments: ModelSearch.partsOfSeeds
    )
    func randomSequences(_ part: ModelSearch.Part) async {
        let difference = await ModelSearch.firstDifference(seeds: part.seeds) { ModelSubject() }
        if let difference { Issue.record("\(difference)") }
    }

    @Test("Q2: Indexes have what the model says, in every state that code reads", .ends)
    func indexes() async {
        let seeds = Seeds.first(15, full: 40, orAsIn: "FLATCACHE_SEQUENCES")
        let difference = await ModelSearch.firstDifference(seeds: seeds) { ModelSubject(isIndexed: true) }
        if let difference { Issue.record("\(difference)") }
    }

    @Test("The sequences make happen what they are for")
    func events() async {
        var missing = Set(ModelEvent.allCases)
        for seed in 1...100 as ClosedRange<UInt64> where !missing.isEmpty {
            let runner = ModelRunner(ModelSubject())
            _ = await runner.runAll(ModelGenerator.sequence(seed: seed, count: ModelSearch.sequenceLength))
            missing.subtract(runner.events)
        }
        #expect(missing.isEmpty)
    }
}
