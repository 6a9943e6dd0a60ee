import SeededRandom
import Testing

@testable import FlatCache

/// Random calls of a list in both directions that overlap and are answered in any order, cancellations, and changes by the app
/// and on the server, compared with what the server has.
///
/// `FLATCACHE_LISTS=10000` tries more.
@Suite("Random pages of a list")
struct ListPropertyTests {
    @Test(
        "What is listed without a gap between has nothing missing or gone, and in the end the list is that of the server",
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_LISTS")
    )
    func pages(seed: UInt64) async throws {
        let run = ListRun(seed: seed)
        try await run.run()
        #expect(run.faults.isEmpty, "FLATCACHE_SEED=\(seed) replays \(run.log.joined(separator: "\n"))")
    }
}
