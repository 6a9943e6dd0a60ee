#if DEBUG
import SeededRandom
import TestThreads
import Testing

/// Everything at once, at random.
///
/// `FLATCACHE_STRESS=1000` runs so many rounds; `FLATCACHE_SEED` repeats one.
@Suite("Random stress", .serialized, .mayBlock)
struct StressTests {
    @Test(
        "N1, N7, S7, S8, F4: Everybody gets on beside writers that never stop, and nobody waits long",
        .ends,
        arguments: Seeds.first(6, orAsIn: "FLATCACHE_STRESS")
    )
    func everybodyGetsOn(seed: UInt64) async {
        let complaints = await StressRound(seed: seed).complaints()
        #expect(complaints == [], "repeat it with FLATCACHE_SEED=\(seed)")
    }
}
#endif
